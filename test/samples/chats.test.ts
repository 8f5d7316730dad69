// Chats exported by Slack (zulip/zulip) and WhatsApp (MasterScrat/Chatistics).
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../../src/collect/importers/hostile.fixture.ts";
import { slackImporter } from "../../src/collect/importers/slack/importer.ts";
import { whatsappImporter } from "../../src/collect/importers/whatsapp/importer.ts";
import { archived, noSamples, samplesIn } from "./samples.ts";

describe.skipIf(noSamples)("P-05 Slack exports", () => {
  // Counted by Python: json.loads of every day's file in the zip, its length, and how many messages have files,
  // reactions or another thread_ts.
  it.each([
    ["test_slack_importer.zip", { messages: 91, replies: 2, reactions: 2, files: 2, users: 4, conversations: 2 }],
    [
      "test_unicode_slack_importer.zip",
      { messages: 5, replies: 0, reactions: 0, files: 0, users: 1, conversations: 3 },
    ],
  ])("%s", async (name, counts) => {
    const entries = await archived(`chat-slack/${name}`);
    const events = await collect(slackImporter, entries);
    const messages = recordsOf(events, "messages");
    const having = (field: string): number => messages.filter(({ data }) => data[field] !== undefined).length;
    expect({
      messages: new Set(messages.map(({ key }) => key)).size,
      replies: having("thread_id"),
      reactions: having("reactions"),
      files: having("files"),
      users: recordsOf(events, "users").length,
      conversations: recordsOf(events, "conversations").length,
    }).toEqual(counts);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    // Every message belongs to a listed conversation, even one with the name チャネル.
    const listed = new Set(recordsOf(events, "conversations").map(({ key }) => key));
    expect(messages.filter(({ data }) => !listed.has(data.conversation_id as string))).toEqual([]);
    expect(JSON.stringify(messages.map(({ data }) => data))).not.toContain("xoxe-");
    expect(await refusals(slackImporter, entries)).toEqual([]);
    await repeatsAndResumes(slackImporter, entries);
    await hostileTogether(slackImporter, entries);
  });
});

describe.skipIf(noSamples)("P-05 WhatsApp chats", () => {
  const chats = noSamples ? [] : samplesIn("chat-whatsapp");
  const answers = { time_zone: "UTC", date_order: "dmy" };

  // Counted with grep: lines that start like the first one. The pattern is in each title.
  it.each([
    ["whatsapp/_chat.txt", 21, "‎?[dd.mm.yy, "],
    ["whatsapp/_chat 2.txt", 4, "[d.m.yyyy, "],
    ["whatsapp/_chat 3.txt", 11, "d/m/yy, hh:mm - "],
    ["whatsapp/_chat 4.txt", 3, "mm/dd/yy, h:mm:ss AM – "],
  ])("%s has %i messages that start with %s", async (path, count) => {
    const own = chats.filter((entry) => entry.path === path);
    const events = await collect(whatsappImporter, own, { answers });
    expect(recordsOf(events, "messages")).toHaveLength(count);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toEqual([]);
    expect(await refusals(whatsappImporter, own, answers)).toEqual([]);
    await repeatsAndResumes(whatsappImporter, own, answers);
    await hostileTogether(whatsappImporter, own, answers);
  });

  it("messages match a manual reading", async () => {
    const messages = recordsOf(await collect(whatsappImporter, chats, { answers }), "messages").map(({ data }) => data);
    const withText = (part: string) => messages.find(({ text }) => (text as string).includes(part))!;
    expect(withText("info entry")).toMatchObject({ kind: "system", sent_at: "2018-01-04T11:54:23.000Z" });
    expect(withText("not a message on its own")).toMatchObject({
      sender_name: "John Doe",
      sent_at: "2019-02-01T11:09:15.000Z",
    });
    expect(withText("from another chat!").text).toMatch(/^What is that\?\n2\/11\/19, 14:48 Alice/);
    expect(withText("Hallelujah")).toMatchObject({
      sender_name: "The final test",
      text: "Does it work with colons?: Hallelujah!",
    });
    expect(withText("👍👍")).toMatchObject({ sender_name: "John Doe", text: "👍👍👍👍👍👍!" });
    expect(withText("Arrival").text).toMatch(/12\/12\/19: Departure$/);
    expect(messages.filter(({ text }) => text === "US datetime format").map(({ sent_at }) => sent_at)).toEqual([
      "2019-09-17T08:30:52.000Z",
      "2019-09-17T16:30:10.000Z",
      "2019-09-18T16:50:32.000Z",
    ]);
  });

  it("asks for the date order only for the chat in which no day is above 12", async () => {
    const { questions } = await whatsappImporter.plan({ name: "chat-whatsapp", entries: chats }, {});
    expect(questions!.map(({ id }) => id)).toEqual(["date_order", "time_zone"]);
    const others = chats.filter(({ path }) => !path.endsWith("3.txt"));
    expect((await whatsappImporter.plan({ name: "chat-whatsapp", entries: others }, {})).questions).toHaveLength(1);
  });
});
