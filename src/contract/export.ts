// Exports: descriptions of their content, and export handles.
import { z } from "zod";
import { errorBody } from "./error-body.ts";
import { exportHandle } from "./handle-text.ts";
import { count } from "./list.ts";
import { exportFormat } from "./read.ts";
import { sourceIdentity } from "./source.ts";
import { timestamp } from "./timestamp.ts";

/** A named query that can be passed on. The handle grants no access and starts nothing. */
export const exportHandleRead = z.strictObject({ object: z.literal("export_handle"), handle: exportHandle });

const exportOffer = z.strictObject({
  format: exportFormat,
  media_type: z.string(),
  /** Estimated from the first and last records. */
  estimated_bytes: count,
  /** Relative to the server's root; GET it with the caller's own token. */
  url: z.string(),
});

export const exportInfo = z.strictObject({
  object: z.literal("export_info"),
  handle: exportHandle,
  stream: z.string(),
  ...sourceIdentity.shape,
  count: z.strictObject({ kind: z.enum(["exact", "estimated"]), value: count }),
  formats: z.array(exportOffer),
  /** The command for the same export; `--format` selects a format other than JSONL. */
  cli: z.string(),
  /** The route that runs the same export as a job, with a file that has a digest and a resumable download. */
  job: z.strictObject({ method: z.literal("POST"), route: z.literal("/v1/exports") }),
});

/** An export job: it creates a file once, and the download of that file can be resumed. */
export const exportJob = z.strictObject({
  object: z.literal("export"),
  export_id: z.string(),
  status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
  stream: z.string(),
  connection_id: z.string(),
  format: exportFormat,
  progress: z.strictObject({ records: count, total: count.optional() }),
  created_at: timestamp,
  /** The file is deleted at this time; after that, requests for the export fail with `export_expired`. */
  expires_at: timestamp,
  size_bytes: count.optional(),
  /** Hexadecimal digest of the whole file; also its ETag. */
  sha256: z.string().optional(),
  error: errorBody.optional(),
  /** Absent if the export failed. */
  download_url: z.string().optional(),
});

export type ExportJob = z.infer<typeof exportJob>;
export type ExportHandleRead = z.infer<typeof exportHandleRead>;
export type ExportInfo = z.infer<typeof exportInfo>;
