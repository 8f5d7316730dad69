// Exports: what one would hold, and handles to them.
import { z } from "zod";
import { errorBody } from "./error-body.ts";
import { exportHandle } from "./handle-text.ts";
import { count } from "./list.ts";
import { exportFormat } from "./read.ts";
import { sourceIdentity } from "./source.ts";
import { timestamp } from "./timestamp.ts";

/** A query under a name that travels. It carries no authority and starts nothing. */
export const exportHandleRead = z.strictObject({ object: z.literal("export_handle"), handle: exportHandle });

const exportOffer = z.strictObject({
  format: exportFormat,
  media_type: z.string(),
  /** From its first and its last records. */
  estimated_bytes: count,
  /** Root-relative; GET it with the caller's own token. */
  url: z.string(),
});

export const exportInfo = z.strictObject({
  object: z.literal("export_info"),
  handle: exportHandle,
  stream: z.string(),
  ...sourceIdentity.shape,
  count: z.strictObject({ kind: z.enum(["exact", "estimated"]), value: count }),
  formats: z.array(exportOffer),
  /** The same in a terminal; `--format` chooses another one than JSONL. */
  cli: z.string(),
  /** The same as a job: a file with a digest, and a download that resumes. */
  job: z.strictObject({ method: z.literal("POST"), route: z.literal("/v1/exports") }),
});

/** An export as a job: a file that is made once and fetched with a download that resumes. */
export const exportJob = z.strictObject({
  object: z.literal("export"),
  export_id: z.string(),
  status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
  stream: z.string(),
  connection_id: z.string(),
  format: exportFormat,
  progress: z.strictObject({ records: count, total: count.optional() }),
  created_at: timestamp,
  /** Then the file goes, and the export answers `export_expired`. */
  expires_at: timestamp,
  size_bytes: count.optional(),
  /** Hexadecimal, of the whole file; also its ETag. */
  sha256: z.string().optional(),
  error: errorBody.optional(),
  /** Not of one that failed. */
  download_url: z.string().optional(),
});

export type ExportJob = z.infer<typeof exportJob>;
export type ExportHandleRead = z.infer<typeof exportHandleRead>;
export type ExportInfo = z.infer<typeof exportInfo>;
