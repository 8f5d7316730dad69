// Imports over HTTP: files uploaded in chunks, a plan of their contents, and the resulting imports.
import { z } from "zod";
import { importJob } from "./import.ts";
import { leftOut, plannedGroup } from "./import-request.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** A file that is being uploaded: PATCH its bytes, starting at `offset`, in as many requests as necessary. */
export const importUpload = z.strictObject({
  object: z.literal("import_upload"),
  import_id: z.string(),
  import_upload_id: z.string(),
  name: z.string(),
  size: count,
  /** Bytes received so far. */
  offset: count,
  /** Relative to the server's root. */
  upload_url: z.string(),
  expires_at: timestamp,
});

/**
 * Files that are imported together. Their contents are imported into one or more connections, with one import for each.
 */
export const importRequest = z.strictObject({
  object: z.literal("import_request"),
  import_id: z.string(),
  /** While the status is `open`, more files can be uploaded and nothing runs yet. */
  status: z.enum(["open", "queued", "running", "paused", "succeeded", "failed", "cancelled"]),
  files: z.array(importUpload.pick({ import_upload_id: true, name: true, size: true, offset: true })),
  /** The finished imports, then the one that is running. */
  imports: z.array(importJob),
  /** How many imports result from the request; known once it runs. */
  parts: count.optional(),
  /** Files that no importer recognised, with the reasons. */
  left_out: z.array(leftOut),
  error: z.string().optional(),
  created_at: timestamp,
  expires_at: timestamp,
});

export const importPlanRead = z.strictObject({
  object: z.literal("import_plan"),
  import_id: z.string(),
  groups: z.array(plannedGroup),
  left_out: z.array(leftOut),
});

/** A format that can be imported. */
export interface ImportFormat {
  name: string;
  title: string;
  /** Where people get such an export. */
  from: readonly string[];
}

export type ImportUpload = z.infer<typeof importUpload>;
export type ImportRequest = z.infer<typeof importRequest>;
export type ImportPlanRead = z.infer<typeof importPlanRead>;
