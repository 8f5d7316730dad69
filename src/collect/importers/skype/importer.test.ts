// Skype's export, modelled on the one in test/samples/messengers.test.ts, and its old database.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { databaseBytes } from "../database.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { skypeImporter } from "./importer.ts";

const message = (id: string, from: string, fields: object): object => ({
  id,
  displayName: from === "8:live:ann" ? "Ann" : "Bo",
  originalarrivaltime: "2024-01-01T10:00:00.5Z",
  messagetype: "RichText",
  from,
  ...fields,
});
const exported = {
  userId: "8:live:ann",
  exportDate: "2024-01-10T00:00:00Z",
  conversations: [
    {
      id: "8:live:bo",
      displayName: "Bo Ray",
      MessageList: [
        message("1", "8:live:bo", { content: '<b>Hi</b> &amp; <a href="https://a.example/x">look</a>' }),
        message("2", "8:live:ann", { messagetype: "RichText/UriObject", amsreferences: ["0-x-1"] }),
        message("3", "8:live:bo", { messagetype: "Event/Call" }),
        { id: "4" },
      ],
    },
    {
      id: "19:abc@thread.skype",
      displayName: null,
      threadProperties: { topic: "Walkers", members: '["8:live:ann","8:live:bo"]' },
      MessageList: [message("1", "8:live:bo", { messagetype: "ThreadActivity/AddMember", content: "<addmember/>" })],
    },
  ],
};
const entries = [
  memoryEntry("endpoints.json", '{"endpoints": []}'),
  memoryEntry("media/0-x-1.1.jpeg", "jpg"),
  memoryEntry("messages.json", JSON.stringify(exported)),
];
const database = memoryEntry(
  "main.db",
  databaseBytes(`CREATE TABLE Accounts (id INTEGER PRIMARY KEY, skypename TEXT); INSERT INTO Accounts VALUES (1, 'ann');
    CREATE TABLE Conversations (id INTEGER PRIMARY KEY, identity TEXT, displayname TEXT); INSERT INTO Conversations VALUES (5, 'bo', 'Bo Ray');
    CREATE TABLE Messages (id INTEGER PRIMARY KEY, convo_id INTEGER, author TEXT, from_dispname TEXT, timestamp INTEGER, type INTEGER, body_xml TEXT);
    INSERT INTO Messages VALUES (1, 5, 'bo', 'Bo Ray', 1375219588, 61, 'I&apos;m here'), (2, 5, 'ann', 'Ann', 1375219589, 30, NULL),
      (3, 5, 'ann', 'Ann', NULL, 61, 'never')`),
);

describe("Skype", () => {
  it("I-06 reads the export with its media", async () => {
    const events = await collect(skypeImporter, entries);
    expect(recordsOf(events, "messages").map(({ data }) => data)).toMatchObject([
      {
        id: "8:live:bo/1",
        conversation_name: "Bo Ray",
        direction: "received",
        sender_name: "Bo",
        sender_handle: "live:bo",
        text: expect.stringMatching(/^Hi & look/),
        sent_at: "2024-01-01T10:00:00.500Z",
      },
      { direction: "sent", attachments: [{ name: "0-x-1.1.jpeg", blob: { size_bytes: 3 } }] },
      { kind: "call" },
      { conversation_name: "Walkers", kind: "event" },
    ]);
    expect(recordsOf(events, "conversations")[1]!.data).toMatchObject({
      kind: "group",
      participants: [{ handle: "live:ann" }, {}],
    });
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toHaveLength(2);
    expect((await skypeImporter.plan({ name: "x", entries }, {})).account.key).toBe("live:ann");
    expect(await refusals(skypeImporter, entries)).toEqual([]);
  });

  it("I-06 reads main.db", async () => {
    const events = await collect(skypeImporter, [database]);
    expect(recordsOf(events, "messages").map(({ data }) => [data.text, data.direction, data.kind])).toEqual([
      ["I'm here", "received", "message"],
      [undefined, "sent", "call"],
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toHaveLength(1);
    expect((await skypeImporter.plan({ name: "x", entries: [database] }, {})).account.key).toBe("ann");
    expect(await refusals(skypeImporter, [database])).toEqual([]);
  });

  it("I-04 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(skypeImporter, entries);
    await repeatsAndResumes(skypeImporter, [database]);
    await hostileTogether(skypeImporter, entries.slice(2));
    await hostileTogether(skypeImporter, [database]);
  });

  it("is recognised by content", () => {
    expect(recognised(skypeImporter, "messages.json", JSON.stringify(exported))?.score).toBe(95);
    expect(recognised(skypeImporter, "messages.json", "[]")).toBeUndefined();
  });
});
