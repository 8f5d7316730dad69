// Vaults and note exports, small and written by hand, so that every note is known.
import { describe, expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { notesDeclaration } from "./declaration.ts";
import { notesImporter } from "./importer.ts";

const vault = [
  memoryEntry(".obsidian/app.json", "{}"),
  memoryEntry(".trash/Old.md", "old"),
  memoryEntry(
    "2023-09-12 Meeting.md",
    "Met [[steph ango|Steph]] about [the tart](Recipes/Nectarine%20tart.md). #work #1\n\n```\n#nocode [[No]]\n```\n",
  ),
  memoryEntry("Files/tart.jpg", "jpg"),
  memoryEntry("Files/unused.png", "png"),
  memoryEntry(
    "Recipes/Nectarine tart.md",
    '---\ntags: [dessert, "0🌲"]\naliases: Tart\ncreated: 2023-08-01\nupdated: 2023-08-02T10:00:00+01:00\nsource: "[[Steph Ango]]"\nurl: https://a.example/tart\n---\n# Nectarine *tart*\n\n![[tart.jpg|300]] ![gone](missing.png)\nSee [[Nowhere#Part|there]].\n',
  ),
  memoryEntry("Steph Ango.md", "---\ntitle: Steph\nbroken line\n---\n"),
];

const tracker = "Habit Tracker 152bb52ee2b5804da922efa8c3194444";
const list = "Books 252bb52ee2b5804da922efa8c3194444";
const page = "1, 2024 152bb52ee2b5811d92b1e629b25d0c0a";
const notion = [
  `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/${list}.csv`,
  `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/${list}_all.csv`,
  `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/${tracker}.csv`,
  `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/${tracker}/@December ${page}.md`,
  `Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/Home 2a889dba369b48709ec62508d5020d93.md`,
  "Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/index.html",
].map((path, index) =>
  memoryEntry(
    path,
    [
      "\ufeffName,Author\nDune,Herbert\n",
      '\ufeffName,Author,Year\nDune,Herbert,1965\nDune,Herbert,1965\n"A ""B""",,\n',
      "Date,Ran\n@December 1,No\n",
      "# @December 1, 2024\n\nFull date: December 4, 2024 8:45 AM\nCreated time: December 4, 2024 8:45 AM\nTags: a, b\n\nRan: well\n",
      `# Home\n\nNote: no property\n[Tracker](${encodeURIComponent(tracker)}/${encodeURIComponent(`@December ${page}`)}.md)\n`,
      "<html>",
    ][index]!,
  ),
);

describe("Notes", () => {
  it("have a valid declaration", () => {
    expect(() => parseDeclaration(notesDeclaration)).not.toThrow();
  });

  it("P-05 can be imported from a vault: properties, tags, links, attached files, folders", async () => {
    const events = await collect(notesImporter, vault);
    expect(recordsOf(events, "notes").map(({ data }) => data)).toEqual([
      {
        id: "2023-09-12 Meeting.md",
        title: "2023-09-12 Meeting",
        path: "2023-09-12 Meeting.md",
        origin: "obsidian",
        body: "Met [[steph ango|Steph]] about [the tart](Recipes/Nectarine%20tart.md). #work #1\n\n```\n#nocode [[No]]\n```\n",
        tags: ["work"],
        links: [
          { target: "steph ango", note_id: "Steph Ango.md" },
          { target: "Recipes/Nectarine tart.md", note_id: "Recipes/Nectarine tart.md" },
        ],
        created_at: "2023-09-12T00:00:00.000Z",
        updated_at: "2023-09-12T00:00:00.000Z",
      },
      {
        id: "Recipes/Nectarine tart.md",
        title: "Nectarine *tart*",
        path: "Recipes/Nectarine tart.md",
        notebook_id: "Recipes",
        origin: "obsidian",
        body: "# Nectarine *tart*\n\n![[tart.jpg|300]] ![gone](missing.png)\nSee [[Nowhere#Part|there]].\n",
        tags: ["dessert", "0🌲"],
        aliases: ["Tart"],
        links: [{ target: "Steph Ango", note_id: "Steph Ango.md" }, { target: "Nowhere" }],
        urls: ["https://a.example/tart"],
        attachments: [
          {
            name: "tart.jpg",
            blob: { blob_id: "blob_3", mime_type: "image/jpeg", size_bytes: 3, sha256: "0".repeat(64) },
          },
          { name: "missing.png" },
        ],
        properties: {
          tags: ["dessert", "0🌲"],
          aliases: "Tart",
          created: "2023-08-01",
          updated: "2023-08-02T10:00:00+01:00",
          source: "[[Steph Ango]]",
          url: "https://a.example/tart",
        },
        created_at: "2023-08-01T00:00:00.000Z",
        updated_at: "2023-08-02T09:00:00.000Z",
      },
      {
        id: "Steph Ango.md",
        title: "Steph",
        path: "Steph Ango.md",
        origin: "obsidian",
        body: "",
        properties: { title: "Steph" },
      },
    ]);
    expect(recordsOf(events, "notebooks").map(({ data }) => data)).toEqual([
      { id: "Recipes", name: "Recipes", path: "Recipes" },
    ]);
    expect(events.flatMap((event) => (event.kind === "skip" ? [`${event.entry.path}: ${event.reason}`] : []))).toEqual([
      "Steph Ango.md: lines of front matter that are not properties",
      ".obsidian/app.json: Obsidian settings",
      ".trash/Old.md: it is in the vault's trash",
      "Files/unused.png: no note links to it",
    ]);
  });

  it("P-05 can be imported from a Notion export: pages by their ids, rows with their columns", async () => {
    const events = await collect(notesImporter, notion);
    const notes = recordsOf(events, "notes").map(({ data }) => data);
    const books = notes.slice(0, 3);
    expect(books.map(({ title, properties }) => [title, properties])).toEqual([
      ["Dune", { Author: "Herbert", Year: "1965" }],
      ["Dune", { Author: "Herbert", Year: "1965" }],
      ['A "B"', { Author: "", Year: "" }],
    ]);
    expect(new Set(books.map(({ id }) => id)).size).toBe(3);
    expect(notes.slice(3)).toEqual([
      {
        id: "152bb52ee2b5811d92b1e629b25d0c0a",
        title: "@December 1, 2024",
        path: `${tracker}/@December ${page}.md`,
        notebook_id: "152bb52ee2b5804da922efa8c3194444",
        origin: "notion",
        body: "Ran: well\n",
        tags: ["a", "b"],
        properties: {
          "Full date": "December 4, 2024 8:45 AM",
          "Created time": "December 4, 2024 8:45 AM",
          Tags: "a, b",
        },
        created_at: "2024-12-04T08:45:00.000Z",
        updated_at: "2024-12-04T08:45:00.000Z",
      },
      {
        id: "2a889dba369b48709ec62508d5020d93",
        title: "Home",
        path: "Home 2a889dba369b48709ec62508d5020d93.md",
        origin: "notion",
        body: notes[4]!.body,
        links: [{ target: `${tracker}/@December ${page}.md`, note_id: "152bb52ee2b5811d92b1e629b25d0c0a" }],
      },
    ]);
    expect(recordsOf(events, "notebooks").map(({ data }) => [data.id, data.name])).toEqual([
      ["152bb52ee2b5804da922efa8c3194444", "Habit Tracker"],
    ]);
    expect((await notesImporter.plan({ name: "Export", entries: notion }, {})).account).toEqual({
      key: "notion",
      name: "Notion",
    });
  });

  it("from Notion have their path in the export, whichever archives the export was in", async () => {
    const part =
      "x.zip/Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab-Part-1.zip/Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab";
    const events = await collect(notesImporter, [memoryEntry(`${part}/${tracker}/@December ${page}.md`, "# a")]);
    expect(recordsOf(events).map(({ stream, data }) => [stream, data.path])).toEqual([
      ["notebooks", tracker],
      ["notes", `${tracker}/@December ${page}.md`],
    ]);
  });

  it("keep their own format if a Notion export is among them", async () => {
    const mixed = [
      memoryEntry("Home 2a889dba369b48709ec62508d5020d93.md", "# Home\n\nx"),
      memoryEntry("own.md", "---\na: 1\n---\nx"),
    ];
    const notes = recordsOf(await collect(notesImporter, mixed), "notes").map(({ data }) => [data.origin, data.body]);
    expect(notes).toEqual([
      ["notion", "x"],
      ["markdown", "x"],
    ]);
    expect((await notesImporter.plan({ name: "Downloads", entries: mixed }, {})).account.name).toBe("Downloads");
  });

  it("P-05 are unchanged if only a file's modification time changed", async () => {
    const touched = vault.map((entry) => ({ ...entry, modifiedAt: 1_700_000_000_000 }));
    const data = async (entries: typeof vault) =>
      recordsOf(await collect(notesImporter, entries)).map(({ entry: _entry, ...record }) => record);
    expect(await data(touched)).toEqual(await data(vault));
  });

  it("are recognised in vaults, in Notion exports and in any Markdown", () => {
    const beside = ["me/.obsidian/app.json"];
    expect(recognised(notesImporter, "me/a/b.md", "x", beside)).toMatchObject({ score: 93, group: "me" });
    expect(recognised(notesImporter, "me/a/b.jpg", "x", beside)).toMatchObject({ score: 93, group: "me" });
    expect(recognised(notesImporter, "me/.obsidian/app.json", "{}", beside)).toMatchObject({ group: "me" });
    expect(recognised(notesImporter, "a.md", "---\na: 1\n---")?.score).toBe(70);
    expect(recognised(notesImporter, "README.md", "# x")?.score).toBe(50);
    expect(recognised(notesImporter, "a.jpg", "x")).toBeUndefined();
    expect(recognised(notesImporter, "d41d8cd98f00b204e9800998ecf8427e.png", "x")).toBeUndefined();
    expect(
      recognised(notesImporter, `x.zip/Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab-Part-1.zip/${tracker}.csv`, "a,b"),
    ).toMatchObject({ group: "x.zip/Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab" });
    expect(recognised(notesImporter, `${tracker}.html`, "<html><body>")?.advice).toMatch(/Markdown/);
  });

  it("P-05 are the same in every run and after resuming from any checkpoint, and damaged files never crash the parser", async () => {
    await repeatsAndResumes(notesImporter, vault);
    await repeatsAndResumes(notesImporter, notion);
    await hostileTogether(notesImporter, vault);
    await hostileTogether(notesImporter, notion);
  });
});
