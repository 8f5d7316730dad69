// Records as written and as read, tombstones, and the ingest report.
import { z } from "zod";
import { windowHandle } from "./handle-text.ts";
import { jsonObject } from "./json.ts";
import { count, listOf } from "./list.ts";
import { readIdentity, sourceIdentity } from "./source.ts";
import { timestamp } from "./timestamp.ts";

/** The file, entry, offset or run that a record came from. */
export const provenance = z.strictObject({
  run_id: z.string().optional(),
  /** The connector and its version. */
  connector: z.string().optional(),
  file: z.string().optional(),
  digest: z.string().optional(),
  entry: z.string().optional(),
  offset: z.number().optional(),
});

/** One line in an ingest body. */
export const recordInput = z.strictObject({
  stream: z.string().optional(),
  key: z.union([z.string(), z.array(z.string())]),
  data: jsonObject.optional(),
  emitted_at: timestamp,
  op: z.enum(["upsert", "delete"]).optional(),
  provenance: provenance.optional(),
});

/** A text that is truncated in a list and continues elsewhere. */
export const cutText = z.strictObject({
  field: z.string(),
  shown_chars: count,
  total_chars: count,
  next_handle: windowHandle,
});

/** A record inside another record is not expanded further. */
export const relatedRecord = z.strictObject({
  object: z.literal("record"),
  id: z.string(),
  stream: z.string(),
  data: jsonObject,
  emitted_at: timestamp,
  /** When the record was ingested, and from where. Under a grant, `emitted_at` is this time too (0026). */
  ingested_at: timestamp,
  provenance: provenance.optional(),
  /** For a list with previews: the values of which `data` contains only the beginning. */
  cut: z.array(cutText).optional(),
  ...sourceIdentity.shape,
});

export const expandedRelation = z.strictObject({
  object: z.literal("list"),
  data: z.array(relatedRecord),
  has_more: z.boolean(),
});

export const recordRead = relatedRecord.extend({ expanded: z.record(z.string(), expandedRelation).optional() });

export const tombstone = z.strictObject({
  object: z.literal("record"),
  id: z.string(),
  stream: z.string(),
  deleted: z.literal(true),
  deleted_at: timestamp,
  emitted_at: timestamp,
  ...sourceIdentity.shape,
});

export const recordList = listOf(z.union([recordRead, tombstone])).extend(readIdentity.shape);

export const rejection = z.strictObject({ input_index: count, code: z.string(), message: z.string() });

export const ingestReport = z.strictObject({
  stream: z.string(),
  connection_id: z.string(),
  records_attempted: count,
  records_accepted: count,
  /** Counts records that are new or changed. */
  records_changed: count,
  records_new: count,
  /** Counts records that were already stored with the same data. */
  records_unchanged: count,
  records_rejected: count,
  errors: z.array(z.string()),
  rejections: z.array(rejection),
});

export type { JsonObject, JsonValue } from "./json.ts";
export type Provenance = z.infer<typeof provenance>;
export type RecordInput = z.infer<typeof recordInput>;
export type CutText = z.infer<typeof cutText>;
export type RecordRead = z.infer<typeof recordRead>;
export type Tombstone = z.infer<typeof tombstone>;
export type RecordList = z.infer<typeof recordList>;
export type Rejection = z.infer<typeof rejection>;
export type IngestReport = z.infer<typeof ingestReport>;
