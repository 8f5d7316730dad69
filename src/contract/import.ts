// Imports: the jobs that import files, their progress, and their reports.
import { z } from "zod";
import { checkpoint, reasons } from "./import-request.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** The result for one file or entry. */
export const importedFile = z.strictObject({
  path: z.string(),
  imported: count,
  changed: count,
  unchanged: count,
  skipped: count,
  failed: count,
  /** Records seen, new or not, by stream. */
  streams: z.record(z.string(), count).optional(),
  /** Present if the plan's estimate and the result differ by more than a tenth. */
  estimate: z.strictObject({ planned: count, found: count }).optional(),
  reasons,
});

export const importCounts = importedFile.omit({ path: true, reasons: true, streams: true, estimate: true });

export const importProgress = z.strictObject({
  counts: importCounts,
  /** Deleted at the source: for an export that contains everything, after a complete run. */
  deleted: count.optional(),
  /** Records seen, new or not. */
  streams: z.record(z.string(), count),
  files: z.array(importedFile),
  /** How many files are not listed individually. */
  files_left_out: count,
  bytes: count,
  total_bytes: count,
  checkpoint: checkpoint.optional(),
  /** Notes about this run. */
  remarks: z.array(z.string()).optional(),
  /** The import was undone. */
  undone: z.strictObject({ at: timestamp, records_removed: count, records_kept: count }).optional(),
  error: z.string().optional(),
});

export const importJob = z.strictObject({
  object: z.literal("import"),
  import_id: z.string(),
  status: z.enum(["queued", "running", "paused", "succeeded", "failed", "cancelled"]),
  importer: z.string(),
  name: z.string(),
  connection_id: z.string(),
  connector_key: z.string(),
  /** The answers that were given before it started. */
  answers: z.record(z.string(), z.string()).optional(),
  started_at: timestamp,
  updated_at: timestamp,
  progress: importProgress,
});

export const importUndone = z.strictObject({
  object: z.literal("import_undone"),
  import_id: z.string(),
  connection_id: z.string(),
  records_removed: count,
  /** It only changed these records; their earlier state is no longer known. */
  records_kept: count,
});

export type ImportProgress = z.infer<typeof importProgress>;
export type ImportJob = z.infer<typeof importJob>;
export type ImportedFile = z.infer<typeof importedFile>;
export type ImportCounts = z.infer<typeof importCounts>;
export type ImportUndone = z.infer<typeof importUndone>;

/** A job from the view of its runner. */
export interface ImportRun {
  job: ImportJob;
  /** Increases with each takeover of the job; batches of an earlier attempt are refused. */
  attempt: number;
  /** Entries that crashed the parser. */
  broken: string[];
  /**
   * The key for ids that the importer generates; absent for a connection from before there were keys. Never part of an
   * answer to an app.
   */
  id_key?: string;
}
