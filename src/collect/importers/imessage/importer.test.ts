// Messages databases, built with the columns of macOS 14; test/samples/chats.test.ts reads real ones.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { databaseBytes } from "../database.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { attributedText } from "./attributed-text.ts";
import { imessageImporter } from "./importer.ts";

const TABLES = `
  CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, service TEXT);
  CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT, style INTEGER, chat_identifier TEXT,
    display_name TEXT, account_login TEXT);
  CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT, text TEXT, handle_id INTEGER, subject TEXT,
    attributedBody BLOB, service TEXT, account TEXT, date INTEGER, date_read INTEGER, date_edited INTEGER,
    is_from_me INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0, group_title TEXT, associated_message_guid TEXT,
    associated_message_type INTEGER DEFAULT 0, associated_message_emoji TEXT, thread_originator_guid TEXT);
  CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY, filename TEXT, transfer_name TEXT, mime_type TEXT, total_bytes INTEGER);
  CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER);
  CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
  CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER);
  INSERT INTO handle VALUES (1, '+15551234567', 'iMessage'), (2, 'Ann@example.com', 'iMessage');
  INSERT INTO chat VALUES (1, 'iMessage;-;+15551234567', 45, '+15551234567', '', 'E:Me@Example.com'),
    (2, 'iMessage;+;chat9', 43, 'chat9', 'Walkers', 'E:Me@Example.com');
  INSERT INTO chat_handle_join VALUES (1, 1), (2, 1), (2, 2);`;

/** Builds an archive in NSArchiver's format. Real archives contain more after the text. */
function archive(body: string): Buffer {
  const bytes = Buffer.from(body);
  const length = Buffer.alloc(bytes.length < 128 ? 1 : 3);
  if (bytes.length < 128) length[0] = bytes.length;
  else {
    length[0] = 0x81;
    length.writeUInt16LE(bytes.length, 1);
  }
  const head = Buffer.from("\x04\x0bstreamtyped\x81\xe8\x03\x84\x01@\x84\x84\x84\x12NSAttributedString\x00", "latin1");
  const string = Buffer.from("\x84\x84\x08NSString\x01\x94\x84\x01+", "latin1");
  return Buffer.concat([head, string, length, bytes, Buffer.from("\x86\x84\x02iI", "latin1")]);
}

const SECOND = 1_000_000_000n;
const nanoseconds = (second: bigint): bigint => (700_000_000n + second) * SECOND;

function messages(count = 0): Buffer {
  return databaseBytes(TABLES, (database) => {
    const insert = (fields: Record<string, string | bigint | Buffer | number>, chat = 1): void => {
      const names = Object.keys(fields);
      database
        .prepare(`INSERT INTO message (${names}) VALUES (${names.map(() => "?")})`)
        .run(...(Object.values(fields) as string[]));
      database.exec(`INSERT INTO chat_message_join VALUES (${chat}, last_insert_rowid())`);
    };
    const received = { handle_id: 1, service: "iMessage" };
    insert({ guid: "A", text: "In seconds", date: 469_908_586n, ...received });
    insert({ guid: "B", attributedBody: archive(`${"Ä".repeat(100)}!`), date: nanoseconds(1n), ...received });
    insert({
      guid: "C",
      text: "Mine",
      is_from_me: 1,
      account: "e:me@example.com",
      date: nanoseconds(2n),
      service: "SMS",
    });
    const reply = { thread_originator_guid: "C", date_read: nanoseconds(9n), date_edited: nanoseconds(8n) };
    insert({ guid: "D", text: "\ufffcLook", handle_id: 2, date: nanoseconds(3n), subject: "S", ...reply }, 2);
    const tapback = (guid: string, type: number, target: string, second: bigint, fields = {}): void =>
      insert({
        guid,
        associated_message_type: type,
        associated_message_guid: target,
        date: nanoseconds(second),
        ...fields,
      });
    tapback("E", 2001, "p:0/C", 4n, { handle_id: 1 });
    tapback("F", 2000, "bp:C", 5n, { handle_id: 1 });
    tapback("G", 3001, "p:0/C", 6n, { handle_id: 1 });
    tapback("H", 2006, "p:0/C", 7n, { associated_message_emoji: "🥾", is_from_me: 1, account: "e:me@example.com" });
    tapback("I", 2000, "p:0/GONE", 8n, { handle_id: 2, text: "Loved “…”" });
    insert({ guid: "J", item_type: 2, group_title: "Walkers", handle_id: 2, date: nanoseconds(10n) }, 2);
    insert({ guid: "K", text: "never", date: 0n, ...received });
    for (let index = 0; index < count; index++)
      insert({ guid: `L${index}`, text: `m${index}`, date: nanoseconds(BigInt(20 + index)), ...received });
    database.exec(`INSERT INTO attachment VALUES (1, '~/Library/Messages/Attachments/0a/x.jpg', 'x.jpg', 'image/jpeg', 3);
      INSERT INTO message_attachment_join VALUES (4, 1)`);
  });
}

const entries = [
  memoryEntry("Attachments/0a/x.jpg", "jpg"),
  memoryEntry("Attachments/0b/y.jpg", "no"),
  memoryEntry("chat.db", messages()),
];

describe("iMessage", () => {
  it("I-06 reads messages, conversations, reactions and attachments from chat.db", async () => {
    const events = await collect(imessageImporter, entries);
    const inAnn = { conversation_id: "iMessage;-;+15551234567", conversation_name: "+15551234567", kind: "message" };
    const number = { direction: "received", sender_name: "+15551234567", sender_number: "+15551234567" };
    const walkers = { conversation_id: "iMessage;+;chat9", conversation_name: "Walkers", direction: "received" };
    const ann = { sender_name: "ann@example.com", sender_address: "ann@example.com" };
    const blob = { blob_id: "blob_3", mime_type: "image/jpeg", size_bytes: 3, sha256: "0".repeat(64) };
    expect(recordsOf(events, "messages").map(({ data }) => data)).toEqual([
      { id: "A", ...inAnn, ...number, text: "In seconds", sent_at: "2015-11-22T18:09:46.000Z", service: "iMessage" },
      {
        id: "B",
        ...inAnn,
        ...number,
        text: `${"Ä".repeat(100)}!`,
        sent_at: "2023-03-08T20:26:41.000Z",
        service: "iMessage",
      },
      {
        id: "C",
        ...inAnn,
        direction: "sent",
        sender_name: "me@example.com",
        sender_address: "me@example.com",
        text: "Mine",
        sent_at: "2023-03-08T20:26:42.000Z",
        reactions: [
          { emoji: "❤️", count: 1, by: ["+15551234567"] },
          { emoji: "🥾", count: 1, by: ["me@example.com"] },
        ],
        service: "SMS",
      },
      {
        id: "D",
        ...walkers,
        ...ann,
        kind: "message",
        text: "Look",
        sent_at: "2023-03-08T20:26:43.000Z",
        edited_at: "2023-03-08T20:26:48.000Z",
        reply_to_id: "C",
        attachments: [{ name: "x.jpg", mime_type: "image/jpeg", size_bytes: 3, blob }],
        subject: "S",
        read_at: "2023-03-08T20:26:49.000Z",
      },
      { id: "I", ...inAnn, direction: "received", ...ann, text: "Loved “…”", sent_at: "2023-03-08T20:26:48.000Z" },
      {
        id: "J",
        ...walkers,
        ...ann,
        kind: "event",
        text: "named the conversation “Walkers”",
        sent_at: "2023-03-08T20:26:50.000Z",
      },
    ]);
    expect(recordsOf(events, "conversations").map(({ data }) => data)).toEqual([
      {
        id: "iMessage;-;+15551234567",
        name: "+15551234567",
        kind: "direct",
        participants: [{ number: "+15551234567" }],
      },
      {
        id: "iMessage;+;chat9",
        name: "Walkers",
        kind: "group",
        participants: [{ number: "+15551234567" }, { address: "ann@example.com" }],
      },
    ]);
    expect(events.filter(({ kind }) => kind === "skip" || kind === "error")).toMatchObject([
      { message: "the message has no id or no time", offset: 11 },
      { reason: expect.stringContaining("reactions"), count: 4 },
      { entry: { path: "Attachments/0b/y.jpg" }, reason: "no message refers to it" },
    ]);
    expect(await refusals(imessageImporter, entries)).toEqual([]);
    const plan = await imessageImporter.plan({ name: "x", entries }, {});
    expect(plan.account).toEqual({ key: "me@example.com", name: "iMessage (me@example.com)" });
    expect(plan.streams[0]).toMatchObject({ count: 10, since: "2015-11-22T18:09:46.000Z" });
  });

  it("I-04 produces the same records in every run and resumes from every checkpoint", async () => {
    await repeatsAndResumes(imessageImporter, [...entries.slice(0, 2), memoryEntry("chat.db", messages(2100))]);
  });

  it("I-06 survives damaged files", async () => {
    await hostile(imessageImporter, "chat.db", messages());
  });

  it("is recognised by its schema or name, with its attachments", () => {
    const small = messages();
    expect(recognised(imessageImporter, "Messages/chat.db", small)).toMatchObject({ group: "Messages/chat.db" });
    expect(recognised(imessageImporter, "copy-of-imessage.db", small)?.score).toBeGreaterThanOrEqual(60);
    const beside = ["Messages/chat.db"];
    expect(recognised(imessageImporter, "Messages/Attachments/0a/x.jpg", "jpg", beside)).toMatchObject({ score: 96 });
    expect(recognised(imessageImporter, "Messages/chat.db-wal", "x", beside)).toMatchObject({ score: 95 });
    expect(recognised(imessageImporter, "Attachments/x.jpg", "jpg")).toBeUndefined();
    expect(recognised(imessageImporter, "chat.db", "no database")).toBeUndefined();
  });

  it("reports a database that is not from iMessage", async () => {
    const other = memoryEntry("chat.db", databaseBytes("CREATE TABLE chat (id INTEGER)"));
    expect(await collect(imessageImporter, [other])).toMatchObject([
      { kind: "error", message: "it is a database, but not a Messages database" },
      { kind: "checkpoint" },
    ]);
  });

  it("reads no text from a truncated archive", () => {
    const whole = archive("Hello");
    expect(attributedText(whole)).toBe("Hello");
    for (let end = 0; end < whole.indexOf("Hello") + 5; end++)
      expect(attributedText(whole.subarray(0, end))).toBeUndefined();
  });
});
