// An import's report: totals for the run and per file, with the first reasons for each.
import type { ImportedFile, ImportProgress } from "../../contract/import.ts";

/**
 * How many files a report lists. The rest are only in the totals. When the list is full, a file with
 * failures takes the place of one without reasons.
 */
const FILES_MAX = 1000;
/** Every file with failures is listed, up to a limit. */
const FAILED_FILES_MAX = 10_000;
const REASONS_MAX = 20;

/** The stored form, including the fields that only the runner needs. */
export interface StoredProgress extends ImportProgress {
  attempt: number;
  /** When this attempt began, in ms, which is the time of every record it imports. Absent in jobs of older versions. */
  began?: number;
  broken: string[];
  /** The end of the feed when the import ended. Later changes follow it. */
  ended?: { version: number; era: string };
  /** The last file that is not listed. Such files are consecutive, so this is enough to count each once. */
  last_unlisted?: string;
  /**
   * The counts at the last checkpoint, if more has been stored since. An interrupted run continues counting from there.
   */
  settled?: ImportProgress & { last_unlisted?: string };
}

export type RecordOutcome = "imported" | "changed" | "unchanged";

export interface ImportReportWriter {
  records(stream: string, path: string, outcome: RecordOutcome, count: number): void;
  note(path: string, skipped: number, failed: number, reasons: ImportedFile["reasons"]): void;
  progress(): StoredProgress;
}

export const emptyFile = (path: string): ImportedFile => ({
  path,
  imported: 0,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  reasons: [],
});

export function reportOf(before: StoredProgress): ImportReportWriter {
  const now = structuredClone(before);
  const byPath = new Map(now.files.map((file) => [file.path, file]));
  const unlisted = emptyFile("");
  /** The unlisted files of this batch, and the last unlisted file of the batches before it. */
  const uncounted = new Set(now.last_unlisted === undefined ? [] : [now.last_unlisted]);
  const fileOf = (path: string, hasFailed = false): ImportedFile => {
    const known = byPath.get(path);
    if (known !== undefined) return known;
    if (byPath.size >= FILES_MAX && !(hasFailed && makeRoom())) {
      if (!uncounted.has(path)) now.files_left_out++;
      uncounted.add(path);
      now.last_unlisted = path;
      return unlisted;
    }
    // The file was counted as unlisted as long as nothing in it had failed.
    if (uncounted.delete(path)) now.files_left_out--;
    const file = emptyFile(path);
    byPath.set(path, file);
    return file;
  };
  const makeRoom = (): boolean => {
    const quiet = [...byPath.values()].find(({ reasons }) => reasons.length === 0);
    if (quiet === undefined) return byPath.size < FAILED_FILES_MAX;
    byPath.delete(quiet.path);
    now.files_left_out++;
    return true;
  };
  const add = (path: string, member: keyof typeof now.counts, count: number): void => {
    if (count === 0) return;
    now.counts[member] += count;
    fileOf(path, member === "failed")[member] += count;
  };
  return {
    records(stream, path, outcome, count) {
      add(path, outcome, count);
      now.streams[stream] = (now.streams[stream] ?? 0) + count;
      const file = fileOf(path);
      file.streams = { ...file.streams, [stream]: (file.streams?.[stream] ?? 0) + count };
    },
    note(path, skipped, failed, reasons) {
      add(path, "failed", failed);
      add(path, "skipped", skipped);
      const file = fileOf(path, failed > 0);
      if (file !== unlisted) addReasons(file, reasons);
    },
    progress: () => ({ ...now, files: [...byPath.values()].sort(byName) }),
  };
}

const byName = (one: ImportedFile, other: ImportedFile): number => (one.path < other.path ? -1 : 1);

function addReasons(file: ImportedFile, reasons: ImportedFile["reasons"]): void {
  for (const reason of reasons) {
    const same = file.reasons.find((one) => one.reason === reason.reason && one.failed === reason.failed);
    if (same !== undefined) same.count += reason.count;
    else if (file.reasons.length < REASONS_MAX) file.reasons.push({ ...reason });
  }
}

/** The counts to continue from. Everything after the checkpoint is repeated and counted again. */
export function atCheckpoint({ settled, ...stored }: StoredProgress): StoredProgress {
  const { attempt, began, broken } = stored;
  return settled === undefined ? stored : { ...settled, attempt, broken, ...(began === undefined ? {} : { began }) };
}

/** The entry failed. Its records since the checkpoint stay and are not read again, so they are counted now. */
export function withoutEntry(stored: StoredProgress, path: string, reason: string): StoredProgress {
  const base = atCheckpoint(stored);
  const report = reportOf({ ...base, broken: [...base.broken, path] });
  const taken = stored.files.find((file) => file.path === path);
  const counted = base.files.find((file) => file.path === path) ?? emptyFile(path);
  const progress = report.progress();
  if (taken !== undefined) {
    for (const member of Object.keys(progress.counts) as (keyof typeof progress.counts)[]) {
      progress.counts[member] += taken[member] - counted[member];
    }
    progress.files = [...progress.files.filter((file) => file.path !== path), structuredClone(taken)];
  }
  const closing = reportOf(progress);
  closing.note(path, 0, 1, [{ reason, count: 1, failed: true }]);
  return closing.progress();
}
