// Reasons in a report are grouped by their wording, with failures first. Also the word for an import's outcome.
import { expect, it } from "vitest";
import type { ImportedFile } from "../contract/import.ts";
import { groupReasons, verdictOf } from "./import-reasons.ts";

const file = (path: string, ...reasons: ImportedFile["reasons"]): ImportedFile => ({
  path,
  imported: 0,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  reasons,
});

it("I-01 reasons are grouped by their wording, failures come first, and every file is listed", () => {
  const groups = groupReasons([
    file("a", { reason: "not booked yet", count: 9, failed: false }),
    file("b", { reason: '"x" is not an amount', count: 1, failed: true, offset: 3 }),
    file("c", { reason: '"y" is not an amount', count: 2, failed: true }),
  ]);
  expect(groups).toEqual([
    {
      reason: '"x" is not an amount',
      failed: true,
      count: 3,
      files: [
        { path: "b", count: 1, offset: 3 },
        { path: "c", count: 2 },
      ],
    },
    { reason: "not booked yet", failed: false, count: 9, files: [{ path: "a", count: 9 }] },
  ]);
});

it("I-01 a run that could not read anything has failed, and a run that read only part is incomplete", () => {
  const verdict = (imported: number, failed: number) =>
    verdictOf({
      status: "succeeded",
      progress: {
        counts: { imported, changed: 0, unchanged: 0, skipped: 0, failed },
        streams: {},
        files: [],
        files_left_out: 0,
        bytes: 0,
        total_bytes: 0,
      },
    });
  expect([verdict(1, 0), verdict(0, 0), verdict(1, 1), verdict(0, 1)]).toEqual([
    "succeeded",
    "succeeded",
    "incomplete",
    "failed",
  ]);
});
