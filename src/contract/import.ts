// Imports: jobs that bring files in, what they say while they run, and the report they leave.
import { z } from "zod";
import { jsonValue } from "./json.ts";
import { NAME_MAX } from "./limits.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

const name = z.string().min(1).max(NAME_MAX);

/** Of one file or entry: what became of what was in it. */
export const importedFile = z.strictObject({
  path: z.string(),
  imported: count,
  changed: count,
  unchanged: count,
  skipped: count,
  failed: count,
  /** The first few, each with how often and where first. */
  reasons: z.array(z.strictObject({ reason: z.string(), count, failed: z.boolean(), offset: z.number().optional() })),
});

export const importCounts = z.strictObject({
  imported: count,
  changed: count,
  unchanged: count,
  skipped: count,
  failed: count,
});

export const importProgress = z.strictObject({
  counts: importCounts,
  /** Records met, new or not. */
  streams: z.record(z.string(), count),
  files: z.array(importedFile),
  /** More files than are listed one by one. */
  files_left_out: count,
  bytes: count,
  total_bytes: count,
  checkpoint: z.strictObject({ entry: z.string(), position: jsonValue.optional() }).optional(),
  error: z.string().optional(),
});

export const importJob = z.strictObject({
  object: z.literal("import"),
  import_id: z.string(),
  status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
  importer: z.string(),
  name: z.string(),
  connection_id: z.string(),
  connector_key: z.string(),
  started_at: timestamp,
  updated_at: timestamp,
  progress: importProgress,
});

export const importTarget = z.strictObject({
  connector_key: name,
  account: z.strictObject({ key: z.string().min(1).max(2000), name }),
  /** What the owner wants the connection to be called. */
  as: name.optional(),
});

export const importBegin = z.strictObject({
  connection_id: name,
  importer: name,
  /** Names the input: an unfinished run of the same is gone on with. */
  group: name,
  name: z.string().max(2000),
  total_bytes: count,
});

export const importBatch = z.strictObject({
  import_id: name,
  streams: z.array(z.strictObject({ stream: name, text: z.string() })),
  blobs: z.array(z.strictObject({ blob_id: name, mime_type: name, size_bytes: count, sha256: z.string() })),
  checkpoint: importProgress.shape.checkpoint,
  notes: z.array(importedFile.pick({ path: true, skipped: true, failed: true, reasons: true })),
  bytes: count,
});

export const importEnd = z.strictObject({
  import_id: name,
  status: z.enum(["succeeded", "failed", "cancelled"]),
  error: z.string().max(2000).optional(),
});

export type ImportProgress = z.infer<typeof importProgress>;
export type ImportJob = z.infer<typeof importJob>;
export type ImportedFile = z.infer<typeof importedFile>;
export type ImportCounts = z.infer<typeof importCounts>;
