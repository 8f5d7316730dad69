// P-05, I-06: notes from apps, one small file per app. The tests in test/samples read real notes.
import { expect, test } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { noteAppsImporter } from "./importer.ts";

const run = async (files: Record<string, string>) => {
  const entries = Object.entries(files).map(([path, content]) => memoryEntry(path, content));
  expect(await refusals(noteAppsImporter, entries)).toEqual([]);
  const events = await collect(noteAppsImporter, entries);
  const reasons = events.flatMap((event) =>
    event.kind === "skip" ? [event.reason] : event.kind === "error" ? [event.message] : [],
  );
  return { notes: recordsOf(events).map(({ data }) => data), reasons };
};

const keepNote = (fields: object): string =>
  JSON.stringify({ color: "DEFAULT", isTrashed: false, isPinned: true, isArchived: false, ...fields });

test("I-06 a Keep note has its check boxes, labels, times and pictures; its HTML copy is skipped", async () => {
  const json = keepNote({
    attachments: [{ filePath: "1.jpeg", mimetype: "image/jpeg" }],
    listContent: [
      { text: "milk", isChecked: true },
      { text: "bread", isChecked: false },
    ],
    title: "Shopping",
    userEditedTimestampUsec: 1690866308447000,
    createdTimestampUsec: 1690372692755000,
    labels: [{ name: "home" }],
  });
  const { notes, reasons } = await run({ "Keep/a.json": json, "Keep/a.html": "<style>.note {", "Keep/1.jpg": "jpg" });
  expect(notes).toMatchObject([
    {
      title: "Shopping",
      body: "- [x] milk\n- [ ] bread",
      format: "markdown",
      tags: ["home"],
      is_pinned: true,
      created_at: "2023-07-26T11:58:12.755Z",
      attachments: [{ name: "1.jpeg", blob: { mime_type: "image/jpeg" } }],
    },
  ]);
  expect(reasons).toEqual(["the same note as a web page; its JSON file is imported"]);
  expect(recognised(noteAppsImporter, "Keep/a.json", json)?.group).toBe("Google Keep");
  expect(recognised(noteAppsImporter, "page.html", "<style>.note {")).toBeUndefined();
});

test("I-04 notes without an id are distinguished by their text, in any order of files", async () => {
  const [one, two] = [keepNote({ textContent: "one" }), keepNote({ textContent: "two" })];
  const ids = async (files: Record<string, string>) =>
    Object.fromEntries((await run(files)).notes.map(({ id, body }) => [body, id]));
  expect(await ids({ "a.json": one, "b.json": two })).toEqual(await ids({ "a.json": two, "b.json": one }));
  expect((await run({ "a.json": one, "b.json": one })).notes.map(({ id }) => id)).toHaveLength(2);
});

test("I-06 an ENEX file yields text, tags, place and files; encrypted parts and truncation are reported", async () => {
  const note = (title: string, inner: string) =>
    `<note><title>${title}</title><created>20241222T222542Z</created><tag>a</tag><note-attributes><source-url>https://example.org/</source-url><place-name>Berlin</place-name></note-attributes><content><![CDATA[<!DOCTYPE en-note SYSTEM "x"><en-note>${inner}</en-note>]]></content><task><title>not the note</title></task><resource><data encoding="base64">aGVsbG8=</data><mime>text/plain</mime><resource-attributes><file-name>h.txt</file-name></resource-attributes></resource></note>`;
  const start = '<?xml version="1.0"?>\n<!DOCTYPE en-export SYSTEM "x">\n<en-export application="Evernote">';
  const first = note("One", "<div>Hi &amp; bye</div><en-todo checked='x'/>do<en-crypt>QUJD</en-crypt>");
  const { notes, reasons } = await run({ "n.enex": `${start}${first}${note("Two", "x").slice(0, 250)}` });
  expect(notes).toMatchObject([
    {
      title: "One",
      body: "Hi & bye\n[ ] do",
      tags: ["a"],
      url: "https://example.org/",
      place: "Berlin",
      created_at: "2024-12-22T22:25:42.000Z",
      attachments: [{ name: "h.txt", blob: { size_bytes: 5 } }],
    },
  ]);
  expect(reasons[0]).toBe("part of a note: encrypted text");
  expect(reasons.slice(1).join()).toMatch(/ends inside a note|unclosed/);
});

test("I-06 Joplin notes have their notebook, tags and files", async () => {
  const id = (digit: string) => digit.repeat(32);
  const facts = (type: number, own: string, more = "") => `id: ${own}\n${more}type_: ${type}`;
  const { notes, reasons } = await run({
    [`${id("a")}.md`]: `Title\n\nSee ![](:/${id("c")})\n\n${facts(1, id("a"), `parent_id: ${id("b")}\nuser_created_time: 2022-05-11T01:43:42.226Z\n`)}`,
    [`${id("b")}.md`]: `Work\n\n${facts(2, id("b"))}`,
    [`${id("c")}.md`]: `scan.png\n\n${facts(4, id("c"))}`,
    [`${id("d")}.md`]: `urgent\n\n${facts(5, id("d"))}`,
    [`${id("e")}.md`]: facts(6, id("e"), `note_id: ${id("a")}\ntag_id: ${id("d")}\n`),
    [`resources/${id("c")}.png`]: "png",
  });
  expect(notes).toMatchObject([
    {
      id: id("a"),
      title: "Title",
      notebook: "Work",
      tags: ["urgent"],
      attachments: [{ name: "scan.png", blob: { mime_type: "image/png" } }],
    },
  ]);
  expect(reasons).toEqual([]);
});

test("I-06 Bear and Day One notes have their own ids; the newest copy is kept, and encrypted notes are reported by name", async () => {
  const info = (fields: object) => JSON.stringify({ "net.shinyfrog.bear": fields });
  const bear = await run({
    "x.textbundle/info.json": info({ uniqueIdentifier: "B1", creationDate: "2023-10-11T08:08:52Z" }),
    "x.textbundle/text.md": "# Head\n#two words# #one ![](assets/a%20b.png)",
    "x.textbundle/assets/a b.png": "png",
    "y.textbundle/info.json": info({ encrypted: 1 }),
  });
  expect(bear.notes).toMatchObject([
    { id: "B1", title: "Head", tags: ["two words", "one"], attachments: [{ name: "a b.png" }] },
  ]);
  expect(bear.reasons).toEqual(["the note is encrypted: remove its password in Bear and export again"]);
  const journal = (text: string, modifiedDate: string) =>
    JSON.stringify({
      metadata: { version: "1.0" },
      entries: [{ uuid: "D1", text, creationDate: "2018-04-21T17:57:04Z", modifiedDate }],
    });
  const day = await run({
    "Old.json": journal("old", "2019-01-01T00:00:00Z"),
    "New.json": journal("# new\\!", "2020-01-01T00:00:00Z"),
  });
  expect(day.notes).toMatchObject([{ id: "D1", title: "new!", body: "# new!", notebook: "New" }]);
  expect(day.reasons).toEqual(["another copy of an imported note"]);
  // The media paths sort before the journal.
  const entries = [memoryEntry("audios/x.m4a", "m4a"), memoryEntry("New.json", journal("x", "2020-01-01T00:00:00Z"))];
  expect((await noteAppsImporter.plan({ name: "x", entries }, {})).account.key).toBe("dayone");
});
