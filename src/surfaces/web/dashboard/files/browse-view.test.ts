// Tests the text that is shown when the map has nothing to draw.
import { expect, test } from "vitest";
import type { FileJob } from "../../../../contract/files.ts";
import { emptyMapWords } from "./browse-view.ts";
import type { IndexView } from "./index-data.ts";

type IndexStatus = IndexView["root"]["index"]["status"];

function words(status: IndexStatus, job?: FileJob["status"], state?: IndexView["at"]["state"]): string | undefined {
  const progress = { nodes: 1240, files: 1200, dirs: 40, bytes: 3_000_000, problems: 0, rate: 800, percent: 12 };
  const index = job === undefined ? undefined : { kind: "index", status: job, progress };
  const view = { at: { state }, root: { index: { status }, jobs: { index } } };
  return emptyMapWords(view as unknown as IndexView);
}

test("P-06 an empty map says that a scan is running, and shows its progress", () => {
  const map = "The map appears as soon as the scan has found something here.";
  expect(words("empty", "queued")).toBe(`Waiting to scan. ${map}`);
  const far = "1,200 files · 40 folders · 3.0 MB · 12 %";
  expect(words("partial", "running", "unread")).toBe(`Scanning: ${far} · 800 a second. ${map}`);
  expect(words("partial", "paused")).toBe(`The scan is paused: ${far}. ${map}`);
  expect(words("complete", "running")).toMatch(/^At the last scan, nothing here took up space\. Scanning: /);
});

test("P-06 an empty map says why it is empty if no scan is running", () => {
  expect(words("complete", "succeeded")).toBeUndefined();
  expect(words("partial", "cancelled")).toContain("did not finish");
  expect(words("complete", "succeeded", "unreadable")).toBe("This folder cannot be read.");
  expect(words("complete", "succeeded", "mount")).toBe("This folder is another file system, not scanned.");
});
