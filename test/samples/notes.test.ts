// Notes stored by Obsidian (kepano/kepano-obsidian) and exported by Notion (obsidianmd/obsidian-importer).
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import type { FoundRecord } from "../../src/collect/importer.ts";
import { hostileTogether, repeatsAndResumes } from "../../src/collect/importers/hostile.fixture.ts";
import { notesImporter } from "../../src/collect/importers/notes/importer.ts";
import { archived, noSamples, samplesIn } from "./samples.ts";

const byTitle = (records: readonly FoundRecord[], title: string) =>
  records.find(({ data }) => data.title === title)!.data;

describe.skipIf(noSamples)("P-05 an Obsidian vault", () => {
  const vault = noSamples ? [] : samplesIn("notes-obsidian");

  it("all 102 notes (ls *.md | wc -l) are imported", async () => {
    const events = await collect(notesImporter, vault);
    const notes = recordsOf(events, "notes");
    expect(notes).toHaveLength(102);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(await refusals(notesImporter, vault)).toEqual([]);
    // grep -lE '^created: 2|^date: 2' *.md finds 14. Two more notes have a date only in their names.
    expect(notes.filter(({ data }) => data.created_at !== undefined)).toHaveLength(16);
  });

  it("front matter is read as PyYAML reads it; if PyYAML fails, `{{date}}` stays text", async () => {
    const notes = recordsOf(await collect(notesImporter, vault), "notes");
    // Compared with Python's yaml.safe_load of each note: 70 are equal, and 28 templates fail there.
    expect(byTitle(notes, "Out of Control")).toMatchObject({
      properties: { isbn: 201483408, isbn13: 9780201483406, pages: 528, rating: 7, author: ["[[Kevin Kelly]]"] },
      created_at: "2023-09-12T00:00:00.000Z",
      links: [
        { target: "Books", note_id: "Books.md" },
        { target: "Kevin Kelly", note_id: "Kevin Kelly.md" },
        { target: "Futurism" },
        { target: "Nonfiction" },
        { target: "Emergence" },
      ],
      attachments: [{ name: "out-of-control.jpg", blob: { mime_type: "image/jpeg" } }],
    });
    expect(byTitle(notes, "Recipe Template").properties).toMatchObject({
      created: "{{date}}",
      type: [],
      cuisine: null,
    });
    expect(byTitle(notes, "Evergreen").tags).toEqual(["categories"]);
    expect(notes.filter(({ data }) => data.properties === undefined)).toHaveLength(4);
  });

  it("a second import changes nothing, and damaged notes do not break the import", async () => {
    await repeatsAndResumes(notesImporter, vault.slice(0, 40));
    await hostileTogether(
      notesImporter,
      vault.filter(({ path }) => /^(?:Out of|out-of|Evergreen|2023)/.test(path)),
    );
  });
});

describe.skipIf(noSamples)("P-05 a Notion export with a zip inside a zip", () => {
  it("all 278 pages (names that end in .md, by Python's zipfile) are imported", async () => {
    const entries = await archived("notes-notion/Notion.Test.Export.zip");
    const events = await collect(notesImporter, entries);
    const notes = recordsOf(events, "notes");
    expect(notes).toHaveLength(278);
    expect(new Set(notes.map(({ key }) => key)).size).toBe(278);
    // Counted the same way, three folders contain pages (1, 270 and 2), and five pages are at the root.
    expect(recordsOf(events, "notebooks").map(({ data }) => data.name)).toEqual([
      "Getting Started on Mobile",
      "Habit Tracker",
      "Home",
    ]);
    expect(notes.filter(({ data }) => data.notebook_id === "152bb52ee2b5804da922efa8c3194444")).toHaveLength(270);
    expect(byTitle(notes, "@December 1, 2024")).toMatchObject({
      id: "152bb52ee2b5811d92b1e629b25d0c0a",
      properties: {
        "Full date": "December 4, 2024 8:45 AM",
        "Ran today": "No",
        Meditated: "No",
        "Practiced guitar": "No",
      },
      body: "",
    });
    expect(byTitle(notes, "Getting Started on Mobile").links).toMatchObject([
      { note_id: "25592a85546546a48b02dfa4fb545e1d" },
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(await refusals(notesImporter, entries)).toEqual([]);
  });
});
