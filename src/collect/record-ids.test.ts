// Every importer that generates ids: the ids depend on the owner's key, are the same in every run, and match the
// references to them.
import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collect, memoryEntry, recordsOf } from "./importer.fixture.ts";
import { agentsImporter } from "./importers/agents/importer.ts";
import { bankImporter } from "./importers/bank/importer.ts";
import { bookmarksImporter } from "./importers/bookmarks/importer.ts";
import { browserHistoryImporter } from "./importers/browser-history/importer.ts";
import { calendarImporter } from "./importers/calendar/importer.ts";
import { contactsImporter } from "./importers/contacts/importer.ts";
import { databaseBytes } from "./importers/database.fixture.ts";
import { facebookImporter } from "./importers/facebook/importer.ts";
import { healthImporter } from "./importers/health/importer.ts";
import { imessageImporter } from "./importers/imessage/importer.ts";
import { mailImporter } from "./importers/mail/importer.ts";
import { mastodonImporter } from "./importers/mastodon/importer.ts";
import { mediaImporter } from "./importers/media/importer.ts";
import { notesImporter } from "./importers/notes/importer.ts";
import { photosImporter } from "./importers/photos/importer.ts";
import { jpeg } from "./importers/photos/picture.fixture.ts";
import { shellImporter } from "./importers/shell/importer.ts";
import { skypeImporter } from "./importers/skype/importer.ts";
import { slackImporter } from "./importers/slack/importer.ts";
import { tablesImporter } from "./importers/tables/importer.ts";
import { telegramImporter } from "./importers/telegram/importer.ts";
import { whatsappImporter } from "./importers/whatsapp/importer.ts";
import { idMaker } from "./record-ids.ts";

const CHAT = "13/02/2026, 09:00 - Ann: My PIN is 4711\n13/02/2026, 09:01 - Ben: thanks\n";
const CHAT_FILE = "WhatsApp Chat with Ann.txt";

function history(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  try {
    const database = new DatabaseSync(join(folder, "db"));
    database.exec(`CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, title TEXT);
      CREATE TABLE visits(id INTEGER PRIMARY KEY, url INTEGER NOT NULL, visit_time INTEGER NOT NULL, from_visit INTEGER,
        transition INTEGER NOT NULL, visit_duration INTEGER DEFAULT 0 NOT NULL);
      INSERT INTO urls VALUES (1, 'https://a.example/', 'A page');
      INSERT INTO visits VALUES (9, 1, 13344473600123456, 0, 805306369, 2500000);`);
    database.close();
    return readFileSync(join(folder, "db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const lines = (...objects: object[]): string => objects.map((one) => `${JSON.stringify(one)}\n`).join("");

/** A small sample for each importer that generates ids, and the fields in other records that must refer to them. */
const SAMPLES = [
  { importer: whatsappImporter, files: { [CHAT_FILE]: CHAT }, refers: ["messages.chat_id chats"] },
  { importer: shellImporter, files: { ".bash_history": "ls\n" }, refers: [] },
  {
    importer: mediaImporter,
    files: {
      "StreamingHistory.json": '[{"endTime":"2026-01-01 10:00","artistName":"A","trackName":"B","msPlayed":1}]',
    },
    refers: [],
  },
  {
    importer: mailImporter,
    files: {
      "a.mbox":
        "From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nSubject: one\n\nPIN 4711\n\n" +
        "From a@b Mon Jan  1 00:00:00 2024\nMessage-ID: <1@x>\nSubject: two\n\nhello\n\n" +
        "From a@b Mon Jan  1 00:00:00 2024\nMessage-ID: <2@x>\nReferences: <1@x>\nSubject: Re: two\n\nhi\n\n",
    },
    // A thread's id is derived from its first Message-ID, which several messages may contain, so it does not refer to a
    // record.
    refers: [],
  },
  {
    importer: notesImporter,
    files: { "Therapy/One.md": "# One\n[[Two]]\n", "Therapy/Two.md": "# Two\n", ".obsidian/app.json": "{}" },
    refers: ["notes.notebook_id notebooks", "notes.links notes"],
  },
  {
    importer: bankImporter,
    files: {
      "a.csv":
        "Booking date;Value date;Description;Amount;Balance;Account\n01.02.2026;01.02.2026;Rent;-700,00;300,00;DE89370400440532013000\n",
    },
    refers: ["transactions.account accounts"],
  },
  {
    importer: telegramImporter,
    files: {
      "result.json": JSON.stringify({
        about: "Telegram",
        contacts: { list: [{ first_name: "Ann", phone_number: "+353 1" }] },
      }),
    },
    refers: [],
  },
  {
    importer: contactsImporter,
    files: { "a.vcf": "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nTEL:+353 1\r\nEND:VCARD\r\n" },
    refers: [],
  },
  {
    importer: healthImporter,
    files: {
      "export.xml": `<?xml version="1.0"?><HealthData locale="en"><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Cuff" unit="x" startDate="2024-05-31 08:00:00 +0200" endDate="2024-05-31 08:01:00 +0200" value="121"/><Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" startDate="2024-05-31 08:00:00 +0200"><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Cuff" unit="x" startDate="2024-05-31 08:00:00 +0200" endDate="2024-05-31 08:01:00 +0200" value="121"/></Correlation><ActivitySummary dateComponents="2024-05-31" activeEnergyBurned="400.5"/></HealthData>`,
    },
    refers: ["correlations.records records"],
  },
  { importer: browserHistoryImporter, files: { "Google/Chrome/Default/History": history() }, refers: [] },
  { importer: photosImporter, files: { "a.jpg": jpeg({ main: { 271: "Camera" }, width: 4, height: 4 }) }, refers: [] },
  {
    importer: calendarImporter,
    files: {
      "a.ics":
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Clinic\r\nBEGIN:VEVENT\r\nDTSTART:20260101T100000Z\r\nSUMMARY:PIN 4711\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    },
    refers: ["occurrences.event_id events"],
  },
  {
    importer: bookmarksImporter,
    files: {
      "bookmarks.html": '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF="https://a.example/">A</A></DL>\n',
    },
    refers: [],
  },
  { importer: tablesImporter, files: { "a.csv": "name,score\nann,1\nann,1\nben,2\n" }, refers: [] },
  {
    importer: agentsImporter,
    files: {
      "sessions/rollout-1.jsonl": lines(
        { timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "s1", cwd: "/" } },
        {
          timestamp: "2026-01-01T00:00:01Z",
          type: "response_item",
          payload: { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
        },
      ),
    },
    refers: ["messages.session_id sessions"],
  },
  {
    importer: slackImporter,
    files: {
      "channels.json": '[{"id":"C1","name":"general"}]',
      "users.json": "[]",
      "general/2026-01-01.json":
        '[{"type":"message","user":"U1","text":"a","ts":"1600000001.000100"},{"type":"message","user":"U1","text":"b","ts":"1600000002.000100","thread_ts":"1600000001.000100"}]',
    },
    refers: ["messages.thread_id messages"],
  },
  {
    importer: imessageImporter,
    files: {
      "chat.db": databaseBytes(`CREATE TABLE handle (id TEXT, service TEXT);
        CREATE TABLE chat (guid TEXT, style INTEGER, chat_identifier TEXT, display_name TEXT, account_login TEXT);
        CREATE TABLE message (guid TEXT, text TEXT, handle_id INTEGER, service TEXT, account TEXT, date INTEGER,
          is_from_me INTEGER, item_type INTEGER, associated_message_guid TEXT, associated_message_type INTEGER);
        CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER);
        CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
        INSERT INTO handle VALUES ('+353861234567', 'iMessage');
        INSERT INTO chat VALUES ('iMessage;-;+353861234567', 45, '+353861234567', '', 'E:me@x.example');
        INSERT INTO chat_handle_join VALUES (1, 1);
        INSERT INTO message (guid, text, handle_id, date) VALUES ('M1', 'hi', 1, 469908586), ('M2', 'lost', 1, 469908587);
        INSERT INTO chat_message_join VALUES (1, 1);`),
    },
    refers: ["messages.conversation_id conversations"],
  },
  {
    importer: skypeImporter,
    files: {
      "messages.json": JSON.stringify({
        userId: "8:live:me",
        exportDate: "2024-01-01T00:00",
        conversations: [
          {
            id: "8:live:ada",
            displayName: "Ada",
            MessageList: [{ id: "1", originalarrivaltime: "2024-01-01T00:00:00Z", from: "8:live:ada", content: "hi" }],
          },
        ],
      }),
    },
    refers: ["messages.conversation_id conversations"],
  },
  {
    importer: skypeImporter,
    files: {
      "main.db": databaseBytes(`CREATE TABLE Accounts (id INTEGER, skypename TEXT);
        CREATE TABLE Conversations (id INTEGER, identity TEXT, displayname TEXT);
        CREATE TABLE Messages (id INTEGER PRIMARY KEY, convo_id INTEGER, author TEXT, from_dispname TEXT, timestamp INTEGER,
          type INTEGER, body_xml TEXT);
        INSERT INTO Accounts VALUES (1, 'me'); INSERT INTO Conversations VALUES (1, 'ada', 'Ada');
        INSERT INTO Messages VALUES (1, 1, 'ada', 'Ada', 1500000000, 61, 'hi');`),
    },
    refers: ["messages.conversation_id conversations"],
  },
  {
    importer: facebookImporter,
    files: {
      "messages/inbox/adalee_1/message_1.json": JSON.stringify({
        participants: [{ name: "Ada Lee" }, { name: "Me" }],
        messages: [{ sender_name: "Ada Lee", timestamp_ms: 1672617660000, content: "hi" }],
        title: "Ada Lee",
        thread_path: "inbox/adalee_1",
      }),
    },
    refers: ["messages.conversation_id conversations"],
  },
  {
    importer: mastodonImporter,
    files: {
      "bookmarks.json": JSON.stringify({
        "@context": "https://www.w3.org/ns/activitystreams",
        id: "bookmarks.json",
        type: "OrderedCollection",
        orderedItems: ["https://clinic.example/9"],
      }),
    },
    refers: [],
  },
] as const;

/** In the samples above, these ids come from the source. */
const GIVEN = new Set(["C1", "s1", "me", "M1", "M2"]);

test.each(SAMPLES)(
  "G-01 $importer.name generates ids that only the key can reproduce, and references that match them",
  async (sample) => {
    const { importer, files } = sample;
    const entries = Object.entries(files).map(([path, content]) => memoryEntry(path, content as string));
    const { questions = [] } = await importer.plan({ name: "test", entries }, {});
    const answers = Object.fromEntries(
      questions.map(({ id, options, default: usual }) => [id, usual ?? options?.[0]?.value ?? "UTC"]),
    );
    const idKey = randomBytes(32).toString("base64url");
    const read = async (key?: string) =>
      recordsOf(await collect(importer, entries, { answers, ...(key === undefined ? {} : { idKey: key }) }));
    const plain = await read();
    const keyed = await read(idKey);
    expect(plain.length).toBeGreaterThan(0);
    expect(keyed.map(({ stream }) => stream)).toEqual(plain.map(({ stream }) => stream));

    const made = plain.map(({ key }) => String(key)).filter((key) => !GIVEN.has(key));
    expect(made.length).toBeGreaterThan(0);
    for (const [index, { key, data }] of keyed.entries()) {
      if (GIVEN.has(String(key))) continue;
      expect(String(key)).toMatch(/^[\w-]{16}$/);
      expect(key).not.toBe(plain[index]!.key);
      expect(Object.values(data)).toContain(key);
    }
    expect(await read(idKey)).toEqual(keyed.map((record) => ({ ...record, entry: expect.anything() })));

    for (const reference of sample.refers) {
      const [place, target] = reference.split(" ") as [string, string];
      const [stream, field] = place.split(".") as [string, string];
      const found = (records: typeof plain): number => {
        const ids = new Set(records.filter((one) => one.stream === target).map(({ key }) => String(key)));
        return records
          .filter((one) => one.stream === stream)
          .flatMap(({ data }) => [...JSON.stringify(data[field] ?? null).matchAll(/"((?:[^"\\]|\\.)*)"/g)])
          .filter(([, text]) => ids.has(text!)).length;
      };
      expect([reference, found(keyed)]).toEqual([reference, found(plain)]);
      expect(found(plain), reference).toBeGreaterThan(0);
    }
  },
);

test("G-01 an id is the HMAC-SHA256 that Node computes, for every key and text", () => {
  const key = fc.uint8Array({ minLength: 1, maxLength: 100 }).map((bytes) => Buffer.from(bytes));
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "binary", minLength: 1000, maxLength: 1100 }));
  fc.assert(
    fc.property(key, fc.array(text, { minLength: 1, maxLength: 4 }), (secret, texts) => {
      const makeId = idMaker(secret.toString("base64url"));
      for (const one of texts)
        expect(makeId(one)).toBe(createHmac("sha256", secret).update(one).digest("base64url").slice(0, 16));
    }),
  );
});
