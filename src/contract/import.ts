// Imports: the jobs that import files, their progress, and their reports.
import { z } from "zod";
import { checkpoint, reasons } from "./import-request.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** The result for one file, or one entry in an archive. */
export const importedFile = z.strictObject({
  path: z.string(),
  imported: count,
  changed: count,
  unchanged: count,
  skipped: count,
  failed: count,
  /** Records seen in each stream, new or not. */
  streams: z.record(z.string(), count).optional(),
  /** Present if the plan's estimate and the result differ by more than a tenth. */
  estimate: z.strictObject({ planned: count, found: count }).optional(),
  reasons,
});

export const importCounts = importedFile.omit({ path: true, reasons: true, streams: true, estimate: true });

export const importProgress = z.strictObject({
  counts: importCounts,
  /**
   * Records deleted because the source no longer has them; only after a complete run of an export that contains
   * everything.
   */
  deleted: count.optional(),
  /** Records seen in each stream, new or not. */
  streams: z.record(z.string(), count),
  files: z.array(importedFile),
  /** How many files are not listed individually. */
  files_left_out: count,
  bytes: count,
  total_bytes: count,
  checkpoint: checkpoint.optional(),
  /** Notes about this run. */
  remarks: z.array(z.string()).optional(),
  /** Present if the import was undone. */
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
  /** The answers that were given before the import started. */
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
  /** Records that the import only changed; their earlier state is no longer known. */
  records_kept: count,
});

export type ImportProgress = z.infer<typeof importProgress>;
export type ImportJob = z.infer<typeof importJob>;
export type ImportedFile = z.infer<typeof importedFile>;
export type ImportCounts = z.infer<typeof importCounts>;
export type ImportUndone = z.infer<typeof importUndone>;

/** A job as its runner sees it. */
export interface ImportRun {
  job: ImportJob;
  /** Increases each time a process takes over the job; batches from an earlier attempt are refused. */
  attempt: number;
  /** Entries that crashed the parser. */
  broken: string[];
  /**
   * The key for ids that the importer generates; absent for connections that are older than these keys. It is never
   * part of a response to an app.
   */
  id_key?: string;
}
