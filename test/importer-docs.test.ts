// The pages about importers: the example is a tested file, and the table lists every importer.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../src/collect/importer.fixture.ts";
import { bookmarksImporter } from "../src/collect/importers/bookmarks/importer.ts";
import { IMPORTERS } from "../src/collect/importers/index.ts";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(at(path), "utf8");

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><H3>Work</H3>
<DL><p>
<DT><A HREF="https://example.org/a?x=1&amp;y=2" ADD_DATE="1700000000">A &amp; B</A>
<DT><A HREF="nowhere">Broken</A>
<DT><A ADD_DATE="1700000001" HREF="https://example.org/b"><b>B</b></A> <A HREF="https://example.org/c">C</A>
<DT><A HREF="https://example.org/d">in two
lines</A>
</DL><p>
<DT><A HREF="https://example.org/">Top</A>
</DL><p>
`;

describe("docs/build/writing-an-importer.md", () => {
  test("P-05 shows the tested importer, which is short", () => {
    const [, example] = /```ts\n([\s\S]*?)```/.exec(read("docs/build/writing-an-importer.md")) ?? [];
    expect(example).toBe(read("src/collect/importers/bookmarks/importer.ts"));
    expect(example!.split("\n").length).toBeLessThan(95);
  });

  test("P-05 the importer in the example works as described", async () => {
    const file = memoryEntry("b.html", BOOKMARKS);
    const events = await collect(bookmarksImporter, [file]);
    expect(recordsOf(events).map(({ data }) => [data.folder, data.url, data.title, data.added_at])).toEqual([
      ["Work", "https://example.org/a?x=1&y=2", "A & B", "2023-11-14T22:13:20.000Z"],
      ["Work", "https://example.org/b", "B", "2023-11-14T22:13:21.000Z"],
      ["Work", "https://example.org/c", "C", undefined],
      ["", "https://example.org/", "Top", undefined],
    ]);
    expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([
      { reason: "its address is not a web address" },
    ]);
    expect(events.filter(({ kind }) => kind === "error")).toMatchObject([
      { message: expect.stringContaining("a link") },
    ]);
    expect(await refusals(bookmarksImporter, [file])).toEqual([]);
    expect(recognised(bookmarksImporter, "b.html", BOOKMARKS)?.score).toBeGreaterThan(90);
    expect(recognised(bookmarksImporter, "b.html", "<html>")).toBeUndefined();
    expect(await collect(bookmarksImporter, [file], { resume: { entry: "b.html" } })).toEqual([]);
  });
});

test("I-04 if a bookmark is in several files, the newest version is imported, whatever the order of the files", async () => {
  const files = ["a.html", "b.html"].map((name, at) =>
    memoryEntry(name, `<DT><A HREF="https://example.org/" ADD_DATE="170000000${at}">Title ${at}</A>\n`),
  );
  for (const entries of [files, [...files].reverse()]) {
    const events = await collect(bookmarksImporter, entries);
    expect(recordsOf(events).map(({ data }) => data.title)).toEqual(["Title 1"]);
    expect(events.filter(({ kind }) => kind === "skip")).toHaveLength(1);
  }
});

describe("docs/use/importers.md", () => {
  const page = read("docs/use/importers.md");

  test("P-05 has a line for every importer with its result on real files, or says that there was no sample", () => {
    const rows = page.split("\n").filter((line) => /^\| \[?[a-z-]+\]?[ (]/.test(line));
    const named = rows.map((row) => /^\| \[?([a-z-]+)/.exec(row)![1]).filter((name) => name !== "importer");
    expect(named).toEqual(expect.arrayContaining(IMPORTERS.map(({ name }) => name)));
  });

  test("links only to existing pages", () => {
    for (const [, target] of page.matchAll(/\]\(([^)#:]+)\)/g))
      expect(existsSync(at(`docs/use/${target}`)), target).toBe(true);
  });
});
