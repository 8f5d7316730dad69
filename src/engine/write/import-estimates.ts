// Compares an import with its plan (I-01). Reports each file whose result differs from its estimate. If no file
// differs, compares the import as a whole.
import type { z } from "zod";
import type { importEnd } from "../../contract/import-request.ts";
import { emptyFile, type StoredProgress } from "./import-report.ts";

type Expected = NonNullable<z.infer<typeof importEnd>["expected"]>;

/** The owner is told if the difference exceeds this share of the estimate. */
const DIFFERENCE_SHARE = 0.1;

export function compareWithPlan(progress: StoredProgress, expected: Expected): void {
  if (compareFiles(progress, expected)) return;
  const planned = expected.reduce((sum, { count = 0 }) => sum + count, 0);
  const met = metIn(progress.streams, expected.filter(({ count }) => count !== undefined).map(streamOf));
  // Over many files, a difference of one is not reported.
  if (!differs(planned, met, progress.counts, Math.max(1, planned * DIFFERENCE_SHARE))) return;
  const found = met + progress.counts.skipped + progress.counts.failed;
  progress.remarks = [
    `the plan estimated ${planned} items and the import found ${found}; if items are missing, compare with the source`,
  ];
}

/** Returns true if a file differs. */
function compareFiles(progress: StoredProgress, expected: Expected): boolean {
  const listed = new Map(progress.files.map((file) => [file.path, file]));
  const estimates = expected.flatMap(({ stream, files = [] }) => files.map((file) => ({ stream, ...file })));
  let isDifferent = false;
  for (const [path, own] of Map.groupBy(estimates, (one) => one.path)) {
    const file = listed.get(path);
    // Files in which nothing was found are not listed, and neither are files beyond the limit.
    if (file === undefined && progress.files_left_out > 0) continue;
    const { streams = {}, ...result } = file ?? emptyFile(path);
    const planned = own.reduce((sum, { count }) => sum + count, 0);
    const met = metIn(streams, own.map(streamOf));
    if (!differs(planned, met, result, planned * DIFFERENCE_SHARE)) continue;
    isDifferent = true;
    const estimate = { planned, found: met + result.skipped + result.failed };
    if (file === undefined) progress.files.push({ ...emptyFile(path), estimate });
    else file.estimate = estimate;
  }
  progress.files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return isDifferent;
}

const streamOf = ({ stream }: { stream: string }): string => stream;

const metIn = (streams: Record<string, number>, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (streams[name] ?? 0), 0);

/** Skipped and failed items may or may not have been included in the estimate, so both are accepted. */
const differs = (
  planned: number,
  met: number,
  { skipped, failed }: { skipped: number; failed: number },
  slack: number,
): boolean => met > planned + slack || met + skipped + failed < planned - slack;
