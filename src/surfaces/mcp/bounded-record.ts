// A record within its limits. A long field shows its beginning and the handle of the window that continues it; a blob
// shows its handle.
import { formatHandle, partTemplate, type WindowHandle } from "../../contract/handle.ts";
import type { JsonObject, JsonValue, Provenance, RecordRead, Tombstone } from "../../contract/record.ts";
import { revisionOf } from "../../core/cursor.ts";
import { cutWindow, partsOf, type ValueParts } from "../../core/window.ts";
import { plainData } from "./plain.ts";

/** A truncated field. For a list, it has the number of items; for an object, the names of its first fields. */
export interface CutField extends ValueParts {
  field: string;
  /** A value that is not text is read as JSON. */
  type?: "json";
  shown_chars: number;
  total_chars: number;
  /** Pass it to fetch. */
  next_id: string;
  /** If the braces are replaced with an index or a name (RFC 6901), fetch reads only that part. */
  part_id?: string;
}

export interface BlobSeen {
  field: string;
  mime_type?: string;
  size_bytes?: number;
  /** Pass it to fetch. */
  id: string;
}

export interface BoundedRecord {
  object: "record";
  id: string;
  handle: string;
  stream: string;
  connection_id: string;
  connector_key: string;
  display_name?: string;
  emitted_at: string;
  ingested_at?: string;
  provenance?: Provenance;
  deleted?: true;
  deleted_at?: string;
  data?: JsonObject;
  cut?: CutField[];
  blobs?: BlobSeen[];
  /** The number of blobs that do not fit. The fields contain their ids. */
  blobs_left_out?: number;
  /** The number of fields that do not fit. Request them by name. */
  fields_left_out?: number;
  expanded?: Record<string, { data: BoundedRecord[]; has_more: boolean }>;
}

export interface Bounds {
  /** Text up to this length is shown in full … */
  wholeChars: number;
  /** … and longer text only up to this length. */
  shownChars: number;
  /** The maximum number of fields per record. */
  fields: number;
  /** The maximum number of related records per relation. */
  related: number;
  /** The maximum number of blobs per record. */
  blobs: number;
}

type ReadableRecord = Omit<RecordRead, "expanded"> & Pick<RecordRead, "expanded">;

function handleOf({ connection_id, stream, id }: Pick<RecordRead, "connection_id" | "stream" | "id">): string {
  return formatHandle({ kind: "record", connection_id, stream, id });
}

/** A record handle without the record id. */
export const handlePrefix = (connection_id: string, stream: string): string =>
  handleOf({ connection_id, stream, id: "" });

export function boundRecord(record: ReadableRecord | Tombstone, bounds: Bounds): BoundedRecord {
  const { connection_id, connector_key, display_name, stream, id, emitted_at } = record;
  const place = {
    object: "record" as const,
    id,
    handle: handleOf(record),
    stream,
    connection_id,
    connector_key,
    ...(display_name === undefined ? {} : { display_name }),
    emitted_at,
  };
  if ("deleted" in record) return plainData({ ...place, deleted: true, deleted_at: record.deleted_at });
  const entries = Object.entries(record.data);
  const shown = entries.slice(0, bounds.fields);
  const cut: CutField[] = [];
  const beginnings = new Map<string, string>();
  const blobs: BlobSeen[] = [];
  for (const [field, value] of shown) {
    blobsIn(value, field, connection_id, blobs);
    const found = cutField(record, field, value, bounds);
    if (found === undefined) continue;
    cut.push(found.cut);
    beginnings.set(field, found.beginning);
  }
  const isWhole = cut.length === 0 && shown.length === entries.length;
  const data = isWhole
    ? record.data
    : Object.fromEntries(shown.map(([field, value]) => [field, beginnings.get(field) ?? value]));
  const expanded = Object.entries(record.expanded ?? {}).map(
    ([name, list]) =>
      [
        name,
        {
          data: list.data.slice(0, bounds.related).map((related) => boundRecord(related, bounds)),
          has_more: list.has_more || list.data.length > bounds.related,
        },
      ] as const,
  );
  return {
    ...plainData({
      ...place,
      ingested_at: record.ingested_at,
      ...(record.provenance === undefined ? {} : { provenance: record.provenance }),
      data,
    }),
    ...(cut.length === 0 ? {} : { cut }),
    ...(blobs.length === 0 ? {} : { blobs: plainData(blobs.slice(0, bounds.blobs)) }),
    ...(blobs.length <= bounds.blobs ? {} : { blobs_left_out: blobs.length - bounds.blobs }),
    ...(shown.length === entries.length ? {} : { fields_left_out: entries.length - shown.length }),
    ...(expanded.length === 0 ? {} : { expanded: Object.fromEntries(expanded) }),
  };
}

/** Returns undefined if the whole value is shown. */
function cutField(
  record: Pick<RecordRead, "connection_id" | "stream" | "id">,
  field: string,
  value: JsonValue,
  { wholeChars, shownChars }: Bounds,
): { beginning: string; cut: CutField } | undefined {
  if (value === null || (typeof value !== "string" && typeof value !== "object")) return undefined;
  const isText = typeof value === "string";
  if ((isText ? value : JSON.stringify(value)).length <= wholeChars) return undefined;
  // Formatted as in the window, so that its positions continue from here.
  const text = isText ? value : JSON.stringify(value, null, 2);
  const { text: beginning, total_chars } = cutWindow(text, { limit: shownChars });
  if (isText && total_chars <= wholeChars) return undefined;
  const { connection_id, stream, id } = record;
  const window: WindowHandle = { kind: "field-window", connection_id, stream, id, field };
  const next_id = formatHandle({ ...window, offset: shownChars, revision: revisionOf(text) });
  return {
    beginning,
    cut: {
      field,
      ...(isText ? {} : { type: "json" }),
      shown_chars: shownChars,
      total_chars,
      next_id,
      ...(isText ? {} : partsShown(value, window)),
    },
  };
}

/** Shows how to read one part of a large value instead of all of it. */
function partsShown(value: JsonObject | JsonValue[], window: WindowHandle): ValueParts & { part_id: string } {
  return { ...plainData(partsOf(value)), part_id: partTemplate(window, Array.isArray(value) ? "index" : "member") };
}

function blobsIn(value: JsonValue, field: string, connection_id: string, found: BlobSeen[]): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const item of value) blobsIn(item, field, connection_id, found);
    return;
  }
  const { blob_id, mime_type, size_bytes } = value;
  if (typeof blob_id !== "string" || typeof value.fetch_url !== "string") {
    for (const inner of Object.values(value)) blobsIn(inner, field, connection_id, found);
    return;
  }
  found.push({
    field,
    ...(typeof mime_type === "string" ? { mime_type } : {}),
    ...(typeof size_bytes === "number" ? { size_bytes } : {}),
    id: formatHandle({ kind: "blob", connection_id, blob_id }),
  });
}
