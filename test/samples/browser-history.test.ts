// Histories written by browsers (purarue/browserexport).
import { describe, expect, it } from "vitest";
import { headOf } from "../../src/collect/entry.ts";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { browserHistoryImporter as importer } from "../../src/collect/importers/browser-history/importer.ts";
import { noSamples, sample } from "./samples.ts";

describe.skipIf(noSamples)("P-05 browser histories", () => {
  // Counted with Python's sqlite3: SELECT count(*) FROM visits (moz_historyvisits, history_visits, History). The first
  // visit is the first row by time, converted with date(1601-01-01) + timedelta(microseconds=…) or similar.
  it.each([
    ["brave.sqlite", 2, "Brave", "2021-04-17T19:30:32.885Z", "https://basicattentiontoken.org/user-terms-of-service"],
    ["chrome.sqlite", 6, "Chrome", "2021-01-17T06:16:15.902Z", "http://localhost:9999/"],
    ["chromium.sqlite", 1, "Chromium", "2021-04-17T19:22:02.251Z", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
    [
      "vivaldi.sqlite",
      3,
      "Vivaldi",
      "2021-04-19T02:25:57.133Z",
      "https://vivaldi.com/newfeatures?hl=en-US&version=3.7.2218.55&os=L",
    ],
    ["firefox.sqlite", 4, "Firefox", "2020-06-27T09:29:54.513Z", "https://www.mozilla.org/privacy/firefox/"],
    [
      "firefox_mobile.sqlite",
      5,
      "Firefox for Android",
      "2022-02-12T08:55:34.611Z",
      "https://en.m.wikipedia.org/wiki/Memex",
    ],
    ["firefox_mobile_legacy.sqlite", 3, "Firefox for Android", "2020-04-11T00:54:49.044Z", "https://github.com/"],
    ["safari.sqlite", 3, "Safari", "2021-04-18T01:03:44.402Z", "http://purarue.xyz/s/albums"],
    ["qutebrowser.sqlite", 2, "qutebrowser", "2025-12-31T08:13:23.000Z", "https://start.duckduckgo.com/"],
  ])("%s", async (name, count, browser, visited_at, url) => {
    const entry = sample(`browser-history/${name}`);
    const head = await headOf(entry, 4096);
    expect(
      importer.recognise({ path: entry.path, root: "test", size: entry.size, head, has: () => false })?.score,
    ).toBeGreaterThan(60);
    // The file name says nothing, so the format is detected from the tables.
    const pages = await headOf(entry, 256 * 1024);
    const renamed = { path: "old laptop.db", root: "test", size: entry.size, head: pages, has: () => false };
    expect(importer.recognise(renamed)?.score).toBe(95);
    const events = await collect(importer, [entry]);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(recordsOf(events)).toHaveLength(count);
    expect(recordsOf(events)[0]!.data).toMatchObject({ visited_at, url, browser });
    expect(await refusals(importer, [entry])).toEqual([]);
  });

  it("other tools' database dumps are imported as tables", async () => {
    const entry = sample("browser-history/merged_dump.json");
    const head = await headOf(entry, 4096);
    expect(
      importer.recognise({ path: entry.path, root: "test", size: entry.size, head, has: () => false }),
    ).toBeUndefined();
  });
});
