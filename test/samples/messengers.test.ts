// Messengers and social networks: real files from the second set of samples, compared with counts from a script that
// does not use our parsers.
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/collect/entry.ts";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { openForeign } from "../../src/collect/importers/foreign-sqlite.ts";
import { attributedText } from "../../src/collect/importers/imessage/attributed-text.ts";
import { IMPORTERS } from "../../src/collect/importers/index.ts";
import { recognise } from "../../src/collect/recognise.ts";
import { archived, noSamples, sample } from "./samples.ts";

const at = (path: string): Entry => sample(`second-round/${path}`);

/**
 * Imports like `pdpp import`: uses the importer with the highest confidence, and checks that everything matches its
 * declaration.
 */
async function imported(...entries: Entry[]) {
  const root = { name: "samples", entries, unreadable: [], passedOver: [] };
  const { groups, left } = await recognise([root], IMPORTERS);
  const counts: Record<string, number> = {};
  const data: Record<string, unknown>[] = [];
  let [skipped, failed] = [0, 0];
  for (const { importer, input } of groups) {
    expect(await refusals(importer, input.entries)).toEqual([]);
    const events = await collect(importer, input.entries);
    for (const { stream, data: record } of recordsOf(events)) {
      const name = `${importer.name}.${stream}`;
      counts[name] = (counts[name] ?? 0) + 1;
      data.push(record);
    }
    const [planned] = (await importer.plan(input, {})).streams;
    if (planned?.count !== undefined && planned.count > 0)
      expect([planned.stream, planned.count]).toEqual([planned.stream, recordsOf(events, planned.stream).length]);
    for (const event of events) {
      if (event.kind === "skip") skipped += event.count ?? 1;
      if (event.kind === "error") failed++;
    }
  }
  return { counts, skipped, failed, left: left.length, data };
}

describe.skipIf(noSamples)("I-06 messengers in the second set of samples", () => {
  // The samples' README gives the numbers of messages and conversations, counted with SQL, regular expressions and a
  // JSON reader.
  it.each([
    ["imessage/chat-macos-ts.db", { "imessage.messages": 15, "imessage.conversations": 3 }],
    ["imessage/imessage_chat-plaso.db", { "imessage.messages": 10, "imessage.conversations": 7 }],
    ["sms-android/sms-khasmek.xml", { "sms.messages": 9, "sms.conversations": 5 }],
    ["sms-android/sms-v7.13-tiny.xml", { "sms.messages": 2, "sms.conversations": 1 }],
    ["sms-android/sms-duplicates.xml", { "sms.messages": 2, "sms.conversations": 1 }],
    ["sms-android/sms_backup.xml", { "sms.messages": 6, "sms.conversations": 4 }],
    ["sms-android/calls.xml", { "sms.messages": 6, "sms.conversations": 5 }],
    ["sms-android/mmssms.db", { "sms.messages": 9, "sms.conversations": 1 }],
    ["facebook/messenger-simple.json", { "facebook.messages": 3, "facebook.conversations": 1 }],
    ["facebook/messenger-group.json", { "facebook.messages": 3, "facebook.conversations": 1 }],
    ["facebook/messenger-nontext.json", { "facebook.messages": 6, "facebook.conversations": 1 }],
    ["facebook/messenger-multi-message_1.json", { "facebook.messages": 2, "facebook.conversations": 1 }],
    ["facebook/messenger-e2ee-alice_1.json", { "facebook.messages": 4, "facebook.conversations": 1 }],
    ["facebook/messenger-2A_7M.json", { "facebook.messages": 7, "facebook.conversations": 1 }],
    ["facebook/messenger-jose-message_1.json", { "facebook.messages": 3, "facebook.conversations": 1 }],
    ["facebook/album-0.json", { "facebook.photos": 2 }],
    ["instagram/posts.json", { "instagram.posts": 5 }],
    ["instagram/media.json", { "instagram.posts": 6 }],
    ["google-hangouts/Hangouts.json", { "google-chat.messages": 4, "google-chat.conversations": 1 }],
    ["discord/DM_2A_2M.json", { "discord.messages": 3, "discord.conversations": 1 }],
    ["discord/GC_3A_5M.json", { "discord.messages": 6, "discord.conversations": 1 }],
    ["discord/SV_5A_5M.json", { "discord.messages": 5, "discord.conversations": 1 }],
    ["skype/messages.json", { "skype.messages": 100, "skype.conversations": 5 }],
    ["skype/skype_main.db", { "skype.messages": 15, "skype.conversations": 2 }],
    [
      "signal/main-desktop-8.21-redacted.jsonl",
      { "signal.messages": 3, "signal.conversations": 1, "signal.contacts": 1 },
    ],
    ["linkedin/Connections-preamble-bom.csv", { "linkedin.connections": 2 }],
    ["linkedin/Connections-preamble.csv", { "linkedin.connections": 10 }],
    ["linkedin/Messages.csv", { "linkedin.messages": 11, "linkedin.conversations": 4 }],
    ["mastodon/outbox-archive.json", { "mastodon.posts": 60 }],
    ["mastodon/outbox-page.json", { "mastodon.posts": 20 }],
    ["reddit/comments.csv", { "reddit.posts": 4 }],
    ["reddit/posts.csv", { "reddit.posts": 4 }],
    ["reddit/saved_posts.csv", { "reddit.saved": 2 }],
    ["reddit/saved_comments.csv", { "reddit.saved": 1 }],
    ["signal/main-note-to-self.jsonl", { "signal.messages": 5, "signal.conversations": 2 }],
  ])("%s", async (path, counts) => {
    expect(await imported(at(path))).toMatchObject({ counts, skipped: 0, failed: 0, left: 0 });
  });

  it("archived texts decode to the value of the plain column", async () => {
    const database = await openForeign(at("imessage/imessage_chat-plaso.db"));
    const rows = [...database.rows("SELECT text, attributedBody FROM message")];
    await database.close();
    // The sample's publisher replaced a product name in two of the plain texts only.
    const same = rows.filter(({ text, attributedBody }) => attributedText(attributedBody as Uint8Array) === text);
    expect([rows.length, same.length]).toEqual([10, 8]);
  });

  it("a message that a backup contains twice is counted once", async () => {
    const { data } = await imported(at("sms-android/sms-duplicates.xml"));
    expect(new Set(data.map(({ id }) => id)).size).toBe(2);
  });

  it("I-01 a broken list item is reported, and files that belong together are imported together", async () => {
    // The list has four items, one of which is a number.
    expect(await imported(at("facebook/your_posts_1.json"))).toMatchObject({
      counts: { "facebook.posts": 3 },
      failed: 1,
    });
    const chat = ["group_info", "messages", "user_info"].map((name) => at(`google-chat/${name}.json`));
    expect(await imported(...chat)).toMatchObject({
      counts: { "google-chat.messages": 4, "google-chat.conversations": 1 },
      failed: 0,
      left: 0,
    });
    expect(await imported(...(await archived("second-round/discord/package.zip")))).toMatchObject({
      counts: { "discord.messages": 6, "discord.conversations": 3 },
      failed: 0,
      left: 0,
    });
    expect(await imported(at("facebook/messenger-corrupt.json"))).toMatchObject({ counts: {}, left: 1 });
    expect(await imported(at("facebook/messenger-simple.html"))).toMatchObject({ counts: {}, left: 1 });
  });

  it("Facebook and Instagram texts are decoded to their original characters", async () => {
    const { data } = await imported(at("facebook/messenger-jose-message_1.json"));
    expect(data).toMatchObject([
      { name: "José García" },
      { text: "¡Hola! ¿Cómo estás? 😀", direction: "received" },
      {},
      {},
    ]);
    const posts = await imported(at("instagram/posts.json"));
    expect(JSON.stringify(posts.data)).not.toMatch(/[\u0080-\u009f]/);
  });
});
