// I-06: pages saved to read later, from small files. The tests in test/samples read real ones.
import { expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { savedPagesImporter } from "./importer.ts";

const POCKET = `title,url,time_added,tags,status\n"A, B",https://example.org/a,1600322788,x|y,archive\nno address,,1,,unread\n`;
const HTML = `<title>Pocket Export</title>\n<h1>Unread</h1>\n<li><a href="https://example.org/a" time_added="1600322700" tags="x">A &amp; B</a></li>\n`;
const PINBOARD = `[{"href":"https://example.org/p","description":"Title","extended":"mine","tags":"a b","time":"2024-01-15T10:30:00Z"}]`;

it("I-06 saved pages have their tags, times and notes; a page without an address causes one error", async () => {
  const entries = [memoryEntry("pocket.csv", POCKET)];
  const events = await collect(savedPagesImporter, entries);
  expect(recordsOf(events).map(({ data }) => data)).toMatchObject([
    {
      url: "https://example.org/a",
      host: "example.org",
      title: "A, B",
      tags: ["x", "y"],
      is_read: true,
      saved_at: "2020-09-17T06:06:28.000Z",
    },
  ]);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([{ message: "a page without an address" }]);
  expect(await refusals(savedPagesImporter, entries)).toEqual([]);
  await repeatsAndResumes(savedPagesImporter, entries);
  const [page] = recordsOf(await collect(savedPagesImporter, [memoryEntry("pinboard.json", PINBOARD)]));
  expect(page?.data).toMatchObject({
    title: "Title",
    note: "mine",
    tags: ["a", "b"],
    saved_at: "2024-01-15T10:30:00.000Z",
  });
});

it("I-04 the newest of two copies of a page is kept, in any file order", async () => {
  const [csv, html] = [memoryEntry("a.csv", POCKET), memoryEntry("b.html", HTML)];
  for (const entries of [
    [csv, html],
    [html, csv],
  ]) {
    const events = await collect(savedPagesImporter, entries);
    expect(recordsOf(events).map(({ data }) => data.title)).toEqual(["A, B"]);
    expect(events.filter(({ kind }) => kind === "skip")).toHaveLength(1);
  }
  expect(recognised(savedPagesImporter, "b.html", HTML)?.group).toBe("Pocket");
  expect(recognised(savedPagesImporter, "x.csv", "url,title\n")).toBeUndefined();
});

it("SECURITY row 16: truncated and damaged lists never crash the parser", async () => {
  await hostile(savedPagesImporter, "a.csv", Buffer.from(POCKET));
  await hostile(savedPagesImporter, "b.html", Buffer.from(HTML));
  await hostile(savedPagesImporter, "c.json", Buffer.from(PINBOARD));
});
