// Records as written and as read, tombstones, and references to blobs.

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** One line of an ingest body. */
export interface RecordInput {
  stream?: string;
  key: string | string[];
  data?: JsonObject;
  emitted_at: string;
  op?: "upsert" | "delete";
  /** Which file, entry, offset or run brought it in. */
  provenance?: Provenance;
}

export interface Provenance {
  run_id?: string;
  file?: string;
  digest?: string;
  entry?: string;
  offset?: number;
}

/** What every readable thing says of its source (E-26). */
export interface SourceIdentity {
  connection_id: string;
  connector_key: string;
  display_name?: string;
}

export interface RecordRead extends SourceIdentity {
  object: "record";
  id: string;
  stream: string;
  data: JsonObject;
  emitted_at: string;
  /** When it came in, and from where. */
  ingested_at: string;
  provenance?: Provenance;
  expanded?: Record<string, ExpandedRelation>;
}

export interface Tombstone extends SourceIdentity {
  object: "record";
  id: string;
  stream: string;
  deleted: true;
  deleted_at: string;
  emitted_at: string;
}

export interface ExpandedRelation {
  object: "list";
  data: RecordRead[];
  has_more: boolean;
}

export interface BlobRef {
  blob_id: string;
  mime_type: string;
  size_bytes: number;
  sha256: string;
}

export interface Rejection {
  input_index: number;
  code: string;
  message: string;
}

export interface IngestReport {
  stream: string;
  connection_id: string;
  records_attempted: number;
  records_accepted: number;
  records_changed: number;
  records_rejected: number;
  errors: string[];
  rejections: Rejection[];
}

/** A compound key's canonical string is the minified JSON array of its parts. */
export function canonicalKey(key: string | string[]): string {
  if (typeof key === "string") return key;
  return key.length === 1 ? key[0]! : JSON.stringify(key);
}
