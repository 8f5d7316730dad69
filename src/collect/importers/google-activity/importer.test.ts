// I-06: My Activity as JSON and as HTML pages. The tests in test/samples read real files.
import { expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { googleActivityImporter } from "./importer.ts";

const JSON_LIST = `[{"header":"Chrome","title":"Visited a page","titleUrl":"https://www.google.com/url?q=https%3A%2F%2Fexample.org%2F&usg=x","time":"2023-11-14T22:13:20.000Z"},{"header":"Gemini Apps","title":"Prompted hello","time":"2024-02-01T08:30:00.000Z"},{"title":"no time"}]`;
const PAGE = `<html><head><title>My Activity History</title></head><body><p class="mdl-typography--title">Search<br></p><div class="content-cell mdl-typography--body-1">Searched for&nbsp;<a href="https://www.google.com/search?q=a+%26+b">a &amp; b</a><br>Jan 31, 2018, 10:54:50 PM</div></body></html>`;

it("I-06 activities from JSON and from HTML pages have a product, a text, an address and a time", async () => {
  const entries = [memoryEntry("MyActivity.html", PAGE), memoryEntry("MyActivity.json", JSON_LIST)];
  const answers = { time_zone: "Europe/Berlin" };
  const events = await collect(googleActivityImporter, entries, { answers });
  expect(recordsOf(events).map(({ data }) => data)).toMatchObject([
    {
      product: "Search",
      title: "Searched for a & b",
      url: "https://www.google.com/search?q=a+%26+b",
      done_at: "2018-01-31T21:54:50.000Z",
    },
    { product: "Chrome", url: "https://example.org/", done_at: "2023-11-14T22:13:20.000Z" },
    { product: "Gemini Apps", title: "Prompted hello" },
  ]);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([{ message: "an activity without a time" }]);
  expect(await refusals(googleActivityImporter, entries, answers)).toEqual([]);
  await repeatsAndResumes(googleActivityImporter, entries, answers);
  // The question is asked only if a page has no time zone.
  const questions = async (one: (typeof entries)[number]) =>
    (await googleActivityImporter.plan({ name: "x", entries: [one] }, {})).questions!.map(({ id }) => id);
  expect([await questions(entries[0]!), await questions(entries[1]!)]).toEqual([["time_zone"], []]);
  expect(recognised(googleActivityImporter, "YouTube/history/search-history.html", PAGE)?.score).toBe(97);
});

it("SECURITY row 16: truncated and damaged activities never crash the parser", async () => {
  await hostile(googleActivityImporter, "MyActivity.html", Buffer.from(PAGE));
  await hostile(googleActivityImporter, "MyActivity.json", Buffer.from(JSON_LIST));
});
