// Backups of “SMS Backup & Restore”, written from its published schema. test/samples/chats.test.ts reads real ones.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { databaseBytes } from "../database.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { smsImporter } from "./importer.ts";

const PICTURE = Buffer.from("picture").toString("base64");
const SMS = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<!--File Created By SMS Backup & Restore v10.20-->
<smses count="6">
  <sms protocol="0" address="+15551234567" date="1700000000000" type="1" subject="null" body="Hi &#55357;&#56832; &amp; bye&#10;now &#0;" read="1" contact_name="Ann" />
  <sms protocol="0" address="(555) 123-4567" date="1700000001" type="2" subject="null" body="null" read="1" contact_name="Ann Lee" />
  <sms protocol="0" address="555-123-4567" date="1700000001500" type="3" body="not sent" contact_name="(Unknown)" />
  <sms protocol="0" address="BANK" date="0" type="1" body="When?" />
  <mms date="1700000002000" msg_box="1" address="+15551234567~+15557654321" sub="Trip" contact_name="Ann, Bo" m_id="a">
    <parts>
      <part seq="-1" ct="application/smil" text="&lt;smil/&gt;" />
      <part seq="0" ct="text/plain" text="Look" />
      <part seq="0" ct="image/jpeg" cl="a.jpg" text="null" data="${PICTURE}" />
    </parts>
    <addrs><addr address="+15557654321" type="137" charset="106" /><addr address="+15550000000" type="151" /></addrs>
  </mms>
  <mms date="1700000003" msg_box="2" address="bo@example.com"><parts><part ct="image/png" cl="b.png" /></parts></mms>
</smses>`;
const CALLS = `<calls count="2"><call number="+15551234567" duration="120" date="1700000004000" type="2" contact_name="Ann Lee" />
<call number="+15557654321" duration="0" date="1700000005000" type="3" contact_name="Bo" /></calls>`;
const entries = [memoryEntry("calls.xml", CALLS), memoryEntry("sms.xml", SMS)];

describe("SMS", () => {
  it("I-06 reads texts, MMS with their attachments, and calls", async () => {
    const events = await collect(smsImporter, entries);
    const messages = recordsOf(events, "messages").map(({ data: { id, conversation_id, ...data } }) => data);
    const ann = { sender_name: "Ann Lee", sender_number: "+15551234567" };
    const blob = { blob_id: "blob_7", mime_type: "image/jpeg", size_bytes: 7, sha256: "0".repeat(64) };
    expect(messages).toEqual([
      {
        conversation_name: "Ann Lee",
        kind: "call",
        direction: "sent",
        text: "Outgoing call",
        sent_at: "2023-11-14T22:13:24.000Z",
        duration_seconds: 120,
      },
      {
        conversation_name: "Bo",
        kind: "call",
        direction: "received",
        sender_name: "Bo",
        sender_number: "+15557654321",
        text: "Missed call",
        sent_at: "2023-11-14T22:13:25.000Z",
        duration_seconds: 0,
      },
      {
        conversation_name: "Ann Lee",
        kind: "message",
        direction: "received",
        ...ann,
        text: "Hi 😀 & bye\nnow \ufffd",
        sent_at: "2023-11-14T22:13:20.000Z",
      },
      { conversation_name: "Ann Lee", kind: "message", direction: "sent", sent_at: "2023-11-14T22:13:21.000Z" },
      {
        conversation_name: "Ann Lee",
        kind: "draft",
        direction: "sent",
        text: "not sent",
        sent_at: "2023-11-14T22:13:21.500Z",
      },
      {
        conversation_name: "Ann Lee, Bo",
        kind: "message",
        direction: "received",
        sender_name: "Bo",
        sender_number: "+15557654321",
        text: "Look",
        sent_at: "2023-11-14T22:13:22.000Z",
        attachments: [{ name: "a.jpg", mime_type: "image/jpeg", size_bytes: 7, blob }],
        subject: "Trip",
      },
      {
        conversation_name: "bo@example.com",
        kind: "message",
        direction: "sent",
        sent_at: "2023-11-14T22:13:23.000Z",
        attachments: [{ name: "b.png", mime_type: "image/png" }],
      },
    ]);
    const conversations = recordsOf(events, "conversations").map(({ data: { id, ...data } }) => data);
    expect(conversations).toHaveLength(4);
    expect(conversations.at(-2)).toEqual({
      name: "Ann Lee, Bo",
      kind: "group",
      participants: [
        { name: "Ann Lee", number: "+15551234567" },
        { name: "Bo", number: "+15557654321" },
      ],
    });
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([
      { message: "the message has no time" },
    ]);
    expect(await refusals(smsImporter, entries)).toEqual([]);
  });

  it("I-04 produces the same records in every run, in any file order, and resumes from every checkpoint", async () => {
    await repeatsAndResumes(smsImporter, entries);
    const sorted = async (list: typeof entries): Promise<string[]> =>
      recordsOf(await collect(smsImporter, list))
        .map(({ stream, data }) => stream + JSON.stringify(data))
        .sort();
    expect(await sorted([...entries].reverse())).toEqual(await sorted(entries));
  });

  it("I-06 survives damaged files", async () => {
    await hostileTogether(smsImporter, entries);
  });

  it("reads the phone's database", async () => {
    const bytes =
      databaseBytes(`CREATE TABLE sms (_id INTEGER PRIMARY KEY, address TEXT, date INTEGER, type INTEGER, body TEXT);
      INSERT INTO sms VALUES (1, '+15551234567', 1700000000000, 1, 'One'), (2, '+15551234567', 1700000001000, 2, 'Two');
      CREATE TABLE pdu (_id INTEGER PRIMARY KEY); INSERT INTO pdu VALUES (1)`);
    const database = [memoryEntry("mmssms.db", bytes)];
    const events = await collect(smsImporter, database);
    expect(recordsOf(events, "messages").map(({ data }) => [data.text, data.direction])).toEqual([
      ["One", "received"],
      ["Two", "sent"],
    ]);
    expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([{ count: 1 }]);
    await repeatsAndResumes(smsImporter, database);
  });

  it("is recognised by its root element", () => {
    expect(recognised(smsImporter, "sms-20240501.xml", SMS)?.score).toBe(95);
    expect(recognised(smsImporter, "calls.xml", CALLS)?.score).toBe(95);
    expect(recognised(smsImporter, "other.xml", "<gpx><calls/></gpx>")).toBeUndefined();
    expect(
      recognised(smsImporter, "a.xml", "<?xml version='1.0'?>\n<!-- <smses> -->\n<gpx><smses></gpx>"),
    ).toBeUndefined();
    const styled = '\ufeff<?xml version="1.0"?><!-- a > b --><?xml-stylesheet href="sms.xsl"?>\n<smses count="1">';
    expect(recognised(smsImporter, "b.xml", styled)?.reason).toBe("SMS Backup & Restore");
  });
});
