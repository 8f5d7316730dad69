// Mail from every kind of file: recognition, parsing, copies, labels, flags, attachments.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { mailImporter } from "./importer.ts";
import { BODY_MAX } from "./message.ts";

const ID_KEY = Buffer.alloc(32, 7).toString("base64url");
const ENVELOPE = "From ann@example.com Wed Aug 21 16:20:36 2013\n";
const PLAIN = `Message-ID: <one@example.com>
From: "Ann Lee" <Ann@Example.com>
To: Bob <bob@example.com>, team: Cy <cy@example.com>;
Cc: dee@example.com
Subject: =?utf-8?q?Caf=C3=A9?= on Friday
Date: Fri, 1 Mar 2024 10:00:00 +0100
References: <root@example.com> <before@example.com>
In-Reply-To: <before@example.com>
List-Id: Friends <friends.example.com>

Shall we?

> quoted
`;
const MIXED = `Message-ID: <two@example.com>
From: ann@example.com
Subject: With a file
Date: Fri, 1 Mar 2024 11:00:00 +0000
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/html; charset=utf-8

<p>See the <b>file</b>.</p><script>no</script>
--b
Content-Type: text/plain; name="notes.txt"
Content-Disposition: attachment; filename="notes.txt"
Content-Transfer-Encoding: base64

aGVsbG8=
--b--
`;

const one = async (path: string, content: string | Buffer) =>
  recordsOf(await collect(mailImporter, [memoryEntry(path, content)]))[0]!;

describe("P-05 mail recognition", () => {
  it.each([
    ["a.mbox", `${ENVELOPE}${PLAIN}`, 95],
    ["Mail/Inbox", `\n\n${ENVELOPE}${PLAIN}`, 95],
    ["folder", `\x01\x01\x01\x01\n${PLAIN}\x01\x01\x01\x01\n`, 95],
    ["Maildir/cur/1.host:2,S", PLAIN, 92],
    ["a.eml", PLAIN, 90],
    ["1.emlx", `${PLAIN.length}\n${PLAIN}<?xml version="1.0"?>`, 90],
    ["message-17", PLAIN, 65],
    ["broken.eml", "hello", 40],
  ])("%s", (path, content, score) => {
    expect(recognised(mailImporter, path, content)?.score).toBe(score);
  });

  it.each([
    ["notes.md", "Title: From here\nDate: 2024-01-01\n\ntext"],
    ["letter.txt", "From what I saw at 10:30\nit is fine"],
    ["empty.mbox", ""],
    ["photo.jpg", "\xff\xd8\xff"],
    ["table.csv", "from,to,subject\na,b,c"],
  ])("%s is not mail", (path, content) => {
    expect(recognised(mailImporter, path, content)).toBeUndefined();
  });

  it.each([
    ["archive.pst", "!BDN"],
    ["a.msg", Buffer.from([0xd0, 0xcf, 0x11, 0xe0])],
    ["Maildir/tmp/1.host", PLAIN],
  ])("%s gets advice", (path, content) => {
    expect(recognised(mailImporter, path, content)?.advice).toBeTruthy();
  });
});

describe("a message", () => {
  it("becomes a record", async () => {
    const { key, data } = await one("Mail/Friends.mbox", ENVELOPE + PLAIN);
    expect(key).toBe("one@example.com");
    expect(data).toEqual({
      id: "one@example.com",
      message_id: "one@example.com",
      thread_id: "root@example.com",
      in_reply_to: "before@example.com",
      subject: "Café on Friday",
      from_name: "Ann Lee",
      from_address: "ann@example.com",
      to: [
        { name: "Bob", address: "bob@example.com" },
        { name: "Cy", address: "cy@example.com" },
      ],
      cc: [{ name: "", address: "dee@example.com" }],
      sent_at: "2024-03-01T09:00:00Z",
      folder: "Friends",
      labels: ["Friends"],
      list_id: "friends.example.com",
      snippet: "Shall we?",
      body: "Shall we?\n\n> quoted",
      attachments: [],
      has_attachments: false,
      size_bytes: PLAIN.length,
    });
  });

  it("has its HTML converted to text and its attachments stored as blobs", async () => {
    const { data } = await one("two.eml", MIXED);
    expect(data.body).toBe("See the file.");
    const blob = { blob_id: "blob_5", mime_type: "text/plain", size_bytes: 5, sha256: "0".repeat(64) };
    expect(data.attachments).toEqual([
      { filename: "notes.txt", mime_type: "text/plain", inline: false, blob_ref: blob },
    ]);
    expect(data.has_attachments).toBe(true);
  });

  it("includes the text of a forwarded message", async () => {
    const forward = `From: a@example.com\nSubject: Fwd\nContent-Type: multipart/mixed; boundary=f\n\n--f\n\nLook:\n--f\nContent-Type: message/rfc822\n\n${PLAIN}\n--f--\n`;
    const { data } = await one("f.eml", forward);
    expect(data.body).toContain(
      "Look:\n\n---------- Forwarded message ----------\nFrom: Ann Lee <ann@example.com>\nDate: 2024-03-01T09:00:00Z\nSubject: Café on Friday\n\nShall we?",
    );
  });

  it("without a Message-ID is identified by its content, whichever file it is in", async () => {
    const bare = "From: a@example.com\nSubject: x\n\nHi\nFrom here\n";
    const fromEml = await one("x.eml", bare.replaceAll("\n", "\r\n"));
    const fromMbox = await one("x.mbox", `${ENVELOPE}${bare.replace("From here", ">From here")}\n`);
    expect(fromEml.key).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(fromMbox.key).toBe(fromEml.key);
  });

  it("without a date gets the time it was received, or else the time it was filed, or else no time", async () => {
    const received = "Received: from x by y; Fri, 1 Mar 2024 10:00:00 +0000\nFrom: a@example.com\n\nx";
    expect((await one("x.eml", received)).data.sent_at).toBe("2024-03-01T10:00:00Z");
    expect((await one("x.mbox", `${ENVELOPE}From: a@example.com\nSubject: y\n\nx`)).data.sent_at).toBe(
      "2013-08-21T16:20:36Z",
    );
    const never = await one("x.eml", "From: a@example.com\nTo: b@example.com\nDate: soon\n\nx");
    expect(never.data.sent_at).toBeUndefined();
  });

  it("longer than the record limit is truncated and marked", async () => {
    const { data } = await one("x.eml", `From: a@example.com\nTo: b@example.com\n\n${"word ".repeat(200_000)}`);
    expect([String(data.body).length, data.body_cut]).toEqual([BODY_MAX, true]);
  });

  it("with a header of 200 KB, in one line or folded, is read", async () => {
    for (const fold of ["x".repeat(200_000), "x\n ".repeat(50_000)]) {
      const { key } = await one("x.eml", `Message-ID: <a@example.com>\nFrom: a@example.com\nDate: ${fold}\n\nHi`);
      expect(key).toBe("a@example.com");
    }
  });

  it("in an undeclared code page can be read", async () => {
    const latin = Buffer.from("From: J\xf6rg <j@example.com>\nSubject: Gr\xfc\xdfe\n\nSch\xf6n", "latin1");
    const { data } = await one("x.eml", latin);
    expect([data.from_name, data.subject, data.body]).toEqual(["Jörg", "Grüße", "Schön"]);
  });
});

describe("folders", () => {
  it.each([
    ["Maildir/cur/1.host:2,FRS", "INBOX", { unread: false, starred: true, answered: true }],
    ["Maildir/new/1.host", "INBOX", { unread: true }],
    ["Maildir/.Archive.2024/cur/1.host;2,", "Archive/2024", { unread: true }],
    ["box/Sent/cur/1.host:2,S", "Sent", { unread: false }],
    ["Takeout/Work/1.eml", "Work", {}],
  ])("%s", async (path, folder, flags) => {
    expect((await one(path, PLAIN)).data).toMatchObject({ folder, labels: [folder], ...flags });
  });

  it.each([
    ["Inbox.mbox/mbox", "Inbox"],
    ["Local Folders/Inbox.sbd/Work", "Inbox/Work"],
  ])("%s", async (path, folder) => {
    expect((await one(path, ENVELOPE + PLAIN)).data.folder).toBe(folder);
  });

  it("Gmail's labels and threads are read from the message", async () => {
    const gmail = `X-GM-THRID: 1786432\nX-Gmail-Labels: Unread,Inbox,"Trips, 2024",=?UTF-8?Q?Pl=C3=A4ne?=\n${PLAIN}`;
    const { data } = await one("Takeout/Mail/All mail.mbox", ENVELOPE + gmail);
    expect(data).toMatchObject({
      thread_id: "gmail:1786432",
      labels: ["Unread", "Inbox", "Trips, 2024", "Pläne"],
      folder: "Inbox",
      unread: true,
    });
  });

  it("flags of Unix mailboxes and Thunderbird are read; messages deleted in Thunderbird are skipped", async () => {
    const flagged = (header: string) =>
      collect(mailImporter, [memoryEntry("x.mbox", `${ENVELOPE}${header}\n${PLAIN}`)]);
    expect(recordsOf(await flagged("Status: RO\nX-Status: AF"))[0]!.data).toMatchObject({
      unread: false,
      answered: true,
      starred: true,
    });
    expect(recordsOf(await flagged("X-Mozilla-Status: 0004"))[0]!.data).toMatchObject({ unread: true, starred: true });
    expect(await flagged("X-Mozilla-Status: 0009")).toMatchObject([
      { kind: "skip", reason: expect.stringContaining("deleted") },
      { kind: "checkpoint" },
    ]);
  });
});

describe("copies", () => {
  it("of one message in several folders become one record that lists all of the folders", async () => {
    const events = await collect(mailImporter, [
      memoryEntry("All Mail.mbox", `${ENVELOPE}${MIXED}\n${ENVELOPE}${PLAIN}`),
      memoryEntry("INBOX.mbox", `${ENVELOPE}${PLAIN}`),
    ]);
    expect(recordsOf(events).map(({ key, data }) => [key, data.labels])).toEqual([
      ["two@example.com", ["All Mail"]],
      ["one@example.com", ["All Mail", "INBOX"]],
    ]);
    expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([{ entry: { path: "INBOX.mbox" }, offset: 0 }]);
  });

  it("do not include another message with the same Message-ID", async () => {
    const other = PLAIN.replace("1 Mar", "2 Mar").replace("Shall we?", "Something else");
    const records = recordsOf(
      await collect(mailImporter, [memoryEntry("x.mbox", `${ENVELOPE}${PLAIN}\n${ENVELOPE}${other}`)]),
    );
    expect(records.map(({ key }) => key)).toEqual([
      "one@example.com",
      expect.stringMatching(/^one@example.com#[0-9a-f]{12}$/),
    ]);
  });

  it.each([
    ["another date and body", (mail: string) => mail.replace("1 Mar", "2 Mar").replace("Shall we?", "Pay here")],
    ["another body", (mail: string) => mail.replace("Shall we?", "Pay here")],
    ["another date", (mail: string) => mail.replace("1 Mar", "2 Mar")],
  ])(
    "row 16 a message with a known Message-ID and %s never replaces the first, in any order of files and imports",
    async (_, changed) => {
      const [first, second] = [memoryEntry("first.eml", PLAIN), memoryEntry("second.eml", changed(PLAIN))];
      const keysOf = async (...entries: (typeof first)[]) =>
        Object.fromEntries(
          recordsOf(await collect(mailImporter, entries, { idKey: ID_KEY })).map(({ key, entry }) => [entry.path, key]),
        );
      const together = await keysOf(first, second);
      expect(new Set(Object.values(together)).size).toBe(2);
      expect(await keysOf(second, first)).toEqual(together);
      expect({ ...(await keysOf(first)), ...(await keysOf(second)) }).toEqual(together);
      // The same message written by another program becomes the same record.
      const again = memoryEntry("first.eml", `X-Mozilla-Status: 0001\r\n${PLAIN.replaceAll("\n", "\r\n")}\r\n`);
      expect((await keysOf(again))["first.eml"]).toBe(together["first.eml"]);
    },
  );

  it("replies are in the thread of the message that they answer", async () => {
    const root = PLAIN.replace(/(References|In-Reply-To): .*\n/g, "");
    const answer = root.replace("<one@example.com>", "<answer@example.com>\nIn-Reply-To: <one@example.com>");
    const entries = [memoryEntry("a.eml", root), memoryEntry("b.eml", answer)];
    const [one, other] = recordsOf(await collect(mailImporter, entries, { idKey: ID_KEY }));
    expect(other!.data.thread_id).toBe(one!.data.thread_id);
    expect(other!.key).not.toBe(one!.key);
  });
});

describe("P-05 a run", () => {
  const many = Array.from(
    { length: 1203 },
    (_, number) => `${ENVELOPE}${PLAIN.replace("<one@", `<${number % 1100}@`)}\n`,
  ).join("");
  const entries = [memoryEntry("a.mbox", many), memoryEntry("b.eml", MIXED), memoryEntry("c.eml", PLAIN)];

  it("yields every message once, in the declared format", async () => {
    const events = await collect(mailImporter, entries);
    expect(recordsOf(events)).toHaveLength(1102);
    expect(events.filter(({ kind }) => kind === "skip")).toHaveLength(103);
    expect(await refusals(mailImporter, entries)).toEqual([]);
  });

  it("produces the same records when repeated, and resumes from each checkpoint", async () => {
    await repeatsAndResumes(mailImporter, entries);
  });

  it("X-13 reports the location of each message", async () => {
    const records = recordsOf(await collect(mailImporter, [entries[0]!]));
    expect(records.slice(0, 2).map(({ entry, offset }) => [entry.path, offset])).toEqual([
      ["a.mbox", 0],
      ["a.mbox", many.indexOf(ENVELOPE, 1)],
    ]);
  });

  it("survives truncated and damaged files", async () => {
    await hostile(mailImporter, "x.mbox", Buffer.from(ENVELOPE + PLAIN + ENVELOPE + MIXED));
    await hostile(mailImporter, "x.eml", Buffer.from(MIXED));
  });

  it("reports one error for a file that is truncated while it is being read", async () => {
    const broken = {
      ...memoryEntry("b.mbox", ""),
      async *open() {
        yield Buffer.from(`${ENVELOPE}${PLAIN}\n${ENVELOPE}${MIXED}`);
        throw new Error("the archive is damaged here");
      },
    };
    const all = [memoryEntry("a.eml", MIXED), broken, memoryEntry("c.eml", PLAIN)];
    const events = await collect(mailImporter, all);
    expect(events.flatMap((event) => (event.kind === "error" ? [event.message] : []))).toEqual([
      "the archive is damaged here",
    ]);
    expect(recordsOf(events).map(({ key }) => key)).toEqual(["two@example.com", "one@example.com"]);
    await repeatsAndResumes(mailImporter, all);
  });

  it("skips only the message that cannot be read", async () => {
    const deep = Array.from(
      { length: 60 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
    ).join("");
    const events = await collect(mailImporter, [
      memoryEntry("x.mbox", `${ENVELOPE}From: a@b.c\n${deep}\n${ENVELOPE}${PLAIN}`),
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(["error", "record", "checkpoint"]);
  });
});

describe("a plan", () => {
  it("counts messages, and takes the account from the delivery headers", async () => {
    const text = `${ENVELOPE}Delivered-To: me@example.com\n${PLAIN}\n${ENVELOPE}Delivered-To: me@example.com\n${MIXED}`;
    const plan = await mailImporter.plan({ name: "x", entries: [memoryEntry("x.mbox", text)] }, {});
    expect(plan.account).toEqual({ key: "me@example.com", name: "Mail of me@example.com" });
    expect(plan.streams).toEqual([
      {
        stream: "messages",
        count: 2,
        files: [{ path: "x.mbox", count: 2 }],
        since: "2024-03-01T09:00:00Z",
        until: "2024-03-01T11:00:00Z",
      },
    ]);
  });

  it("asks for the account, and works without an answer", async () => {
    const input = { name: "x", entries: [memoryEntry("x.eml", PLAIN)] };
    expect((await mailImporter.plan(input, {})).account.key).toBe("mail");
    expect((await mailImporter.plan(input, { account: "Ann@example.com" })).account.key).toBe("ann@example.com");
  });
});
