// Signal's chat export, modelled on the frames of its backup format. test/samples/messengers.test.ts reads samples from
// other projects.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { signalImporter } from "./importer.ts";

const digest = Buffer.alloc(32, 7);
const longDigest = Buffer.alloc(32, 8);
const lines = [
  { version: "1", backupTimeMs: "1785577587884", currentAppVersion: "Desktop 8.21.0" },
  {
    account: {
      username: "ann.01",
      givenName: "Ann",
      familyName: "Lee",
      svrPin: "secret-pin",
      profileKey: "secret-key",
    },
  },
  { recipient: { id: "1", self: {} } },
  {
    recipient: {
      id: "2",
      contact: {
        aci: "QUJD",
        e164: "15551234567",
        profileGivenName: "Bo",
        profileFamilyName: "Ray",
        identityKey: "secret-key",
      },
    },
  },
  {
    recipient: {
      id: "3",
      group: { masterKey: "secret-key", snapshot: { title: { title: "Walkers" }, members: [{ userId: "QUJD" }] } },
    },
  },
  { chat: { id: "10", recipientId: "2" } },
  { chat: { id: "11", recipientId: "3" } },
  {
    chatItem: {
      chatId: "10",
      authorId: "2",
      dateSent: "1785424844613",
      incoming: {},
      standardMessage: { text: { body: "Hi" }, reactions: [{ emoji: "🌹", authorId: "1" }] },
    },
  },
  {
    chatItem: {
      chatId: "10",
      authorId: "1",
      dateSent: "1785424845000",
      outgoing: {},
      standardMessage: {
        quote: { targetSentTimestamp: "1785424844613", authorId: "2" },
        attachments: [
          {
            pointer: { contentType: "image/jpeg", locatorInfo: { plaintextHash: digest.toString("base64"), size: 3 } },
          },
        ],
      },
    },
  },
  {
    chatItem: {
      chatId: "11",
      authorId: "2",
      dateSent: "1785424846000",
      directionless: {},
      updateMessage: { groupChange: {} },
    },
  },
  { chatItem: { chatId: "11", authorId: "2" } },
  { chatItem: { chatId: "11", authorId: "1", directionless: {}, updateMessage: { simpleUpdate: {} } } },
  {
    recipient: {
      id: "4",
      contact: { aci: "REVG", nickname: { given: "Cy" }, systemGivenName: "Cyril", profileGivenName: "cyr" },
    },
  },
  { chat: { id: "12", recipientId: "4" } },
  {
    chatItem: {
      chatId: "12",
      authorId: "4",
      dateSent: "1785424847000",
      incoming: {},
      standardMessage: {
        text: { body: "A long" },
        longText: { contentType: "text/x-signal-plain", locatorInfo: { plaintextHash: longDigest.toString("base64") } },
      },
    },
  },
];
const entries = [
  memoryEntry(`files/07/${digest.toString("hex")}.jpg`, "jpg"),
  memoryEntry(`files/08/${longDigest.toString("hex")}.txt`, "A long text goes on in its file"),
  memoryEntry("main.jsonl", `${lines.map((line) => JSON.stringify(line)).join("\n")}\nno json\n`),
];

describe("Signal", () => {
  it("I-06 reads messages, conversations and contacts, but no account secrets", async () => {
    const events = await collect(signalImporter, entries, { idKey: "A".repeat(43) });
    const messages = recordsOf(events, "messages").map(({ data }) => data);
    expect(messages).toMatchObject([
      {
        conversation_name: "Bo Ray",
        kind: "message",
        direction: "received",
        sender_name: "Bo Ray",
        sender_number: "+15551234567",
        text: "Hi",
        sent_at: "2026-07-30T15:20:44.613Z",
        reactions: [{ emoji: "🌹", count: 1, by: ["Ann Lee"] }],
      },
      {
        direction: "sent",
        sender_name: "Ann Lee",
        sender_handle: "ann.01",
        attachments: [{ mime_type: "image/jpeg", size_bytes: 3, blob: { size_bytes: 3 } }],
      },
      { conversation_name: "Walkers", kind: "event", text: "group change" },
      { conversation_name: "Cy", sender_name: "Cy", text: "A long text goes on in its file" },
    ]);
    expect(messages[1]!.reply_to_id).toBe(messages[0]!.id);
    expect(recordsOf(events, "conversations").map(({ data }) => [data.name, data.kind])).toEqual([
      ["Bo Ray", "direct"],
      ["Walkers", "group"],
      ["Cy", "direct"],
    ]);
    expect(recordsOf(events, "contacts").map(({ data }) => [data.name, data.number])).toEqual([
      ["Bo Ray", "+15551234567"],
      ["Cy", undefined],
    ]);
    expect(JSON.stringify(recordsOf(events).map(({ key, data }) => [key, data]))).not.toContain("secret");
    expect(events.filter(({ kind }) => kind === "error")).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([{ reason: "a Signal notice without a time" }]);
    expect((await signalImporter.plan({ name: "x", entries }, {})).account).toEqual({
      key: "ann.01",
      name: "Signal (Ann Lee)",
    });
    expect(await refusals(signalImporter, entries)).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(signalImporter, entries);
    await hostileTogether(signalImporter, entries.slice(2));
  });

  it("is recognised by its first line", () => {
    expect(recognised(signalImporter, "a/main.jsonl", JSON.stringify(lines[0]))?.score).toBe(95);
    expect(recognised(signalImporter, "main.jsonl", '{"type": "user"}')).toBeUndefined();
    expect(recognised(signalImporter, "a/files/07/x.jpg", "jpg", ["a/main.jsonl"])?.score).toBe(90);
  });
});
