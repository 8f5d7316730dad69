// A mailbox over time, through the real process: first sync, then new, changed, moved and deleted mail.
import { afterEach, describe, expect, it } from "vitest";
import { collect, memoryEntry, recordsOf } from "../../collect/importer.fixture.ts";
import { mailImporter } from "../../collect/importers/mail/importer.ts";
import { idMaker } from "../../collect/record-ids.ts";
import { cursorOf, ledgerFrom } from "./cursor.ts";
import { type DriveResult, drive, type KeptRun, newKept, ofType } from "./drive.fixture.ts";
import { type MailServer, type MailServerOptions, startMailServer } from "./mail-server.fixture.ts";
import { mail, settingsOf } from "./mailbox.fixture.ts";

let server: MailServer;
let kept: KeptRun;
afterEach(() => server.close());

async function begin(options: MailServerOptions): Promise<void> {
  server = await startMailServer(options);
  kept = newKept();
}

/** Runs the connector and expects success. */
async function sync(more: Partial<Parameters<typeof drive>[0]> = {}): Promise<DriveResult> {
  server.said.length = 0;
  const run = await drive({ settings: settingsOf(server), kept, ...more });
  expect(run.done, run.stderr).toMatchObject({ status: "succeeded", records_emitted: ofType(run, "RECORD").length });
  return run;
}

const keysIn = (run: DriveResult): unknown[] => ofType(run, "RECORD").map(({ key }) => key);
const labelsOf = (id: string): unknown => kept.records.get(id)?.labels;

describe.each([
  { name: "with CONDSTORE", plugins: ["ENABLE", "CONDSTORE", "UIDPLUS"] },
  { name: "without CONDSTORE", plugins: [] },
])("P-05 IMAP $name", ({ plugins }) => {
  it("reads everything once, and afterwards only changes", async () => {
    await begin({ plugins });
    for (let number = 0; number < 30; number++) server.append("INBOX", mail(`m${number}@example.com`), ["\\Seen"]);
    server.append("Archive", mail("m3@example.com"));
    await sync();
    expect(kept.records.size).toBe(30);
    expect(labelsOf("m3@example.com")).toEqual(["INBOX", "Archive"]);

    expect(keysIn(await sync())).toEqual([]);
    expect(server.said.filter((line) => line.includes("BODY.PEEK"))).toEqual([]);

    server.append("INBOX", mail("new@example.com"), ["\\Flagged", "Travel", "$Junk"]);
    expect(keysIn(await sync())).toEqual(["new@example.com"]);
    expect(kept.records.get("new@example.com")).toMatchObject({
      unread: true,
      starred: true,
      labels: ["INBOX", "Travel"],
      folder: "INBOX",
    });

    server.setFlags("INBOX", "m5@example.com", ["\\Answered"]);
    expect(keysIn(await sync())).toEqual(["m5@example.com"]);
    expect(kept.records.get("m5@example.com")).toMatchObject({
      unread: true,
      answered: true,
      body: "Hello from m5@example.com.",
    });

    server.move("INBOX", "Archive", "m7@example.com");
    expect(keysIn(await sync())).toEqual(["m7@example.com"]);
    expect(labelsOf("m7@example.com")).toEqual(["Archive"]);

    server.remove("INBOX", "m3@example.com");
    server.remove("INBOX", "m8@example.com");
    const run = await sync();
    expect(
      ofType(run, "RECORD")
        .map(({ key, op = "upsert" }) => [key, op])
        .sort(),
    ).toEqual([
      ["m3@example.com", "upsert"],
      ["m8@example.com", "delete"],
    ]);
    expect(labelsOf("m3@example.com")).toEqual(["Archive"]);
    expect(kept.records.size).toBe(30);
  });

  it("row 16 a message sent with the Message-ID and date of another one does not replace it", async () => {
    await begin({ plugins });
    server.append("Archive", mail("m1@example.com"));
    server.folder("Archive").messages[0]!.internaldate = "01-Mar-2024 10:00:05 +0100";
    await sync();
    server.append("INBOX", mail("m1@example.com", { subject: "Urgent", body: "Pay here" }));
    const said = () => kept.records.get("m1@example.com");
    await sync();
    expect(said()).toMatchObject({ subject: "About m1@example.com", labels: ["INBOX", "Archive"] });
    // In a later run, the original is still not replaced if only the second message changes.
    server.setFlags("INBOX", "m1@example.com", ["\\Flagged"]);
    await sync();
    expect(said()).toMatchObject({ body: "Hello from m1@example.com.", starred: true });
  });

  it("G-01 writes and deletes records under ids that only the key can reproduce", async () => {
    await begin({ plugins });
    const idKey = Buffer.alloc(32, 7).toString("base64url");
    for (const id of ["a@example.com", "b@example.com"]) server.append("INBOX", mail(id));
    await sync({ idKey });
    const idOf = idMaker(idKey);
    expect([...kept.records.keys()].sort()).toEqual([idOf("a@example.com"), idOf("b@example.com")].sort());
    expect(kept.records.get(idOf("a@example.com"))).toMatchObject({
      id: idOf("a@example.com"),
      thread_id: idOf("a@example.com"),
      message_id: "a@example.com",
    });
    server.remove("INBOX", "a@example.com");
    await sync({ idKey });
    expect([...kept.records.keys()]).toEqual([idOf("b@example.com")]);
  });

  it("reads a folder again if its UIDVALIDITY changed, and duplicates nothing", async () => {
    await begin({ plugins });
    for (let number = 0; number < 20; number++) server.append("INBOX", mail(`m${number}@example.com`));
    await sync();
    const before = structuredClone([...kept.records]);
    server.renumber("INBOX");
    server.append("INBOX", mail("after@example.com"));
    expect(keysIn(await sync())).toEqual(["after@example.com"]);
    expect([...kept.records].slice(0, 20)).toEqual(before);
    server.remove("INBOX", "m4@example.com");
    expect(ofType(await sync(), "RECORD")).toMatchObject([{ key: "m4@example.com", op: "delete" }]);
  });
});

describe("P-05 IMAP", () => {
  it("produces the same records and keys as the mail importer does for an mbox of the mailbox", async () => {
    await begin({});
    const file = Buffer.from("a small file, in some bytes").toString("base64");
    const mails = [
      mail("plain@example.com", {
        extra: ["References: <root@example.com>", "List-Id: Friends <friends.example.com>"],
      }),
      mail("html@example.com", {
        extra: ["Content-Type: text/html; charset=iso-8859-1"],
        body: "<p>Caf\xe9 <b>open</b></p><script>no</script>",
      }),
      mail("file@example.com", {
        extra: ['Content-Type: multipart/mixed; boundary="b"'],
        body: `--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/pdf; name="plan.pdf"\r\nContent-Disposition: attachment; filename="plan.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--b--`,
      }),
      mail("twice@example.com"),
      mail("twice@example.com").replace("1 Mar", "2 Mar"),
      mail("none@example.com").replace(/^Message-ID.*\r\n/, ""),
    ];
    for (const raw of mails) server.append("INBOX", raw, ["\\Seen"]);
    await sync();
    const mbox = Buffer.from(mails.map((raw) => `From ann Fri Mar  1 10:00:00 2024\r\n${raw}`).join("\r\n"), "latin1");
    const imported = recordsOf(await collect(mailImporter, [memoryEntry("INBOX.mbox", mbox)]));
    expect(kept.records.size).toBe(mails.length);
    // An mbox has blank lines between its messages.
    const comparable = ({ unread: _, size_bytes: _s, ...data }: Record<string, unknown>) => ({
      ...data,
      attachments: (data.attachments as Record<string, unknown>[]).map(({ blob_ref, size_bytes, ...one }) => ({
        ...one,
        bytes: size_bytes ?? (blob_ref as { size_bytes: number }).size_bytes,
      })),
    });
    const sorted = (list: [string, Record<string, unknown>][]) =>
      new Map(list.sort(([one], [other]) => (one < other ? -1 : 1)));
    expect(sorted([...kept.records].map(([key, data]) => [key, comparable(data)]))).toEqual(
      sorted(imported.map(({ key, data }) => [String(key), comparable(data)])),
    );
  });

  it("reads 1,000 messages in two folders exactly once each", async () => {
    await begin({ plugins: ["ENABLE", "CONDSTORE"] });
    for (let number = 0; number < 1000; number++)
      server.append(number % 3 === 0 ? "Archive" : "INBOX", mail(`${number}@example.com`));
    const run = await sync();
    expect(keysIn(run)).toHaveLength(1000);
    expect(kept.records.size).toBe(1000);
    // One cursor in the middle, and one at the end.
    expect(ofType(run, "STATE").length).toBeGreaterThan(1);
    expect(ofType(run, "PROGRESS").at(-1)).toMatchObject({ count: 1000, total: 1000 });
  });

  it("skips junk and trash, decodes unusual names, and ignores folders that cannot be opened", async () => {
    const folders = {
      Trash: { "special-use": "\\Trash", messages: [{ raw: mail("trash@example.com") }] },
      Spam: { "special-use": "\\Junk", messages: [{ raw: mail("spam@example.com") }] },
      "Entw&APw-rfe": { messages: [{ raw: mail("draft@example.com"), flags: ["\\Draft"] }] },
      Work: { flags: ["\\Noselect"], folders: { "2024": { messages: [{ raw: mail("work@example.com") }] } } },
    };
    await begin({ plugins: ["SPECIAL-USE"], storage: { INBOX: {}, "": { separator: ".", folders } } });
    await sync();
    expect([...kept.records.keys()].sort()).toEqual(["draft@example.com", "work@example.com"]);
    expect(kept.records.get("draft@example.com")).toMatchObject({ folder: "Entwürfe", draft: true });
    expect(labelsOf("work@example.com")).toEqual(["Work/2024"]);

    const other = newKept();
    const run = await sync({ kept: other, settings: settingsOf(server, { folders: "Trash, Entwürfe, Nowhere" }) });
    expect([...other.records.keys()].sort()).toEqual(["draft@example.com", "trash@example.com"]);
    expect(ofType(run, "SKIP_RESULT")).toMatchObject([{ reason: 'there is no folder "Nowhere"' }]);
  });

  it("finds messages in the trash that were deleted long after they were read", async () => {
    const folders = { Trash: { "special-use": "\\Trash", messages: [{ raw: mail("other@example.com") }] } };
    await begin({ plugins: ["SPECIAL-USE"], storage: { INBOX: {}, "": { folders } } });
    for (let number = 0; number < 3; number++) server.append("INBOX", mail(`m${number}@example.com`));
    await sync();
    forgetKeys();
    server.move("INBOX", "Trash", "m1@example.com");
    expect(ofType(await sync(), "RECORD")).toMatchObject([{ key: "m1@example.com", op: "delete" }]);
    forgetKeys();
    server.remove("INBOX", "m2@example.com");
    const run = await sync();
    expect(keysIn(run)).toEqual([]);
    expect(ofType(run, "DETAIL_GAP")).toMatchObject([{ count: 1, reason: expect.stringContaining("kept here") }]);
    expect([...kept.records.keys()]).toEqual(["m0@example.com", "m2@example.com"]);
  });

  it("reads Gmail's labels and threads from the All Mail folder", async () => {
    const gmail = {
      flags: ["\\Noselect"],
      folders: { "All Mail": { "special-use": "\\All" }, Trash: { "special-use": "\\Trash" } },
    };
    await begin({
      plugins: ["ENABLE", "CONDSTORE", "SPECIAL-USE", "X-GM-EXT-1"],
      storage: { INBOX: {}, "": { folders: { "[Gmail]": gmail } } },
    });
    const all = "[Gmail]/All Mail";
    server.append("INBOX", mail("a@example.com"));
    for (const id of ["a", "b"]) server.append(all, mail(`${id}@example.com`));
    server.setLabels(all, "a@example.com", ["\\Inbox", "\\Important", "Trips 2024"]);
    server.setLabels(all, "b@example.com", []);
    await sync();
    expect(kept.records.size).toBe(2);
    expect(kept.records.get("a@example.com")).toMatchObject({
      thread_id: "gmail:1",
      folder: "Inbox",
      labels: ["Important", "Inbox", "Trips 2024"],
    });
    expect(labelsOf("b@example.com")).toEqual(["Archived"]);
    server.setLabels(all, "b@example.com", ["\\Starred"]);
    expect(keysIn(await sync())).toEqual(["b@example.com"]);
    expect(labelsOf("b@example.com")).toEqual(["Starred"]);
  });

  it("respects the requested date, keys, fields and time limit, and deletes nothing because of them", async () => {
    await begin({});
    server.append("INBOX", mail("old@example.com"));
    server.folder("INBOX").messages[0]!.internaldate = "01-Jan-2020 10:00:00 +0000";
    server.append("INBOX", mail("late@example.com"));
    await sync();
    expect(kept.records.size).toBe(2);
    expect(keysIn(await sync({ settings: settingsOf(server, { since: "2024-01-01" }) }))).toEqual([]);
    expect(keysIn(await sync())).toEqual([]);
    const young = newKept();
    await sync({ kept: young, settings: settingsOf(server, { since: "2024-01-01" }) });
    expect([...young.records.keys()]).toEqual(["late@example.com"]);
    const scoped = newKept();
    const stream = { name: "messages", resources: ["old@example.com"], fields: ["subject"] };
    await sync({ kept: scoped, scope: { streams: [stream] } });
    expect([...scoped.records]).toEqual([
      ["old@example.com", { id: "old@example.com", subject: "About old@example.com" }],
    ]);
  });

  it("handles folders that are renamed, deleted or no longer selected", async () => {
    await begin({});
    server.append("INBOX", mail("in@example.com"));
    server.append("Archive", mail("filed@example.com"));
    server.append("Archive", mail("in@example.com"));
    await sync();
    expect(keysIn(await sync({ settings: settingsOf(server, { folders: "INBOX" }) }))).toEqual(["in@example.com"]);
    expect([...kept.records.keys()].sort()).toEqual(["filed@example.com", "in@example.com"]);
    await sync();
    server.deleteFolder("Archive");
    const run = await sync();
    expect(
      ofType(run, "RECORD")
        .map(({ key, op = "upsert" }) => [key, op])
        .sort(),
    ).toEqual([
      ["filed@example.com", "delete"],
      ["in@example.com", "upsert"],
    ]);
    expect(labelsOf("in@example.com")).toEqual(["INBOX"]);
  });
});

/** Simulates the cursor of a mailbox that is too large to store all its keys. */
function forgetKeys(): void {
  const ledger = ledgerFrom(kept.state!.messages);
  for (const message of [...ledger.messages.values()].flat()) delete message.key;
  kept.state = { messages: cursorOf(ledger) };
}
