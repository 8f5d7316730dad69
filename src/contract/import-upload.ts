// Imports over HTTP: files sent in pieces, a plan of their contents, and the imports that follow.
import { z } from "zod";
import { importJob } from "./import.ts";
import { leftOut, plannedGroup } from "./import-request.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** One file on its way: PATCH its bytes from `offset` on, as often as it takes. */
export const importUpload = z.strictObject({
  object: z.literal("import_upload"),
  import_id: z.string(),
  import_upload_id: z.string(),
  name: z.string(),
  size: count,
  /** Bytes that are here. */
  offset: count,
  /** Root-relative. */
  upload_url: z.string(),
  expires_at: timestamp,
});

/** Files that are imported together. What is in them goes to one or more connections: an import for each. */
export const importRequest = z.strictObject({
  object: z.literal("import_request"),
  import_id: z.string(),
  /** open: more files may come, and nothing runs yet. */
  status: z.enum(["open", "queued", "running", "paused", "succeeded", "failed", "cancelled"]),
  files: z.array(importUpload.pick({ import_upload_id: true, name: true, size: true, offset: true })),
  /** Those that are done, then the one that runs. */
  imports: z.array(importJob),
  /** How many imports come of it; known once it runs. */
  parts: count.optional(),
  /** Files that no importer took, and why. */
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
  /** Where people get it. */
  from: readonly string[];
}

export type ImportUpload = z.infer<typeof importUpload>;
export type ImportRequest = z.infer<typeof importRequest>;
export type ImportPlanRead = z.infer<typeof importPlanRead>;
