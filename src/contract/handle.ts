// Handles name something to read next. A handle grants no access: every use is authorized again (L-06).
import { PdppError } from "./errors.ts";

export interface RecordHandle {
  kind: "record";
  connection_id?: string;
  stream: string;
  id: string;
}

export interface WindowHandle {
  kind: "field-window";
  connection_id: string;
  stream: string;
  id: string;
  field: string;
  pointer?: string;
  offset?: number;
  limit?: number;
  revision?: string;
  /** The text that matched. The window is placed around it and reports its position. */
  q?: string;
}

/** The bytes of a blob that a record refers to. They are never inlined, only downloaded. */
export interface BlobHandle {
  kind: "blob";
  connection_id: string;
  blob_id: string;
}

/** A stream itself: its fields and the queries that it supports. */
export interface StreamHandle {
  kind: "stream";
  connection_id: string;
  stream: string;
}

/** A query to export, sealed by the server that created the handle. */
export interface ExportHandle {
  kind: "export";
  sealed: string;
}

export type Handle = RecordHandle | WindowHandle | BlobHandle | StreamHandle | ExportHandle;

const encode = encodeURIComponent;

export function formatHandle(handle: Handle): string {
  if (handle.kind === "export") return `pdpp://export/${handle.sealed}`;
  if (handle.kind === "blob") return `pdpp://blob/${encode(handle.connection_id)}/${encode(handle.blob_id)}`;
  if (handle.kind === "stream") return `pdpp://stream/${encode(handle.connection_id)}/${encode(handle.stream)}`;
  if (handle.kind === "record") {
    const name = `${encode(handle.stream)}:${encode(handle.id)}`;
    return handle.connection_id === undefined ? name : `${encode(handle.connection_id)}/${name}`;
  }
  const { connection_id, stream, id, field, pointer, offset, limit, revision, q } = handle;
  let query = `field=${formValue(field)}`;
  if (pointer !== undefined) query += `&pointer=${formValue(pointer)}`;
  if (offset !== undefined) query += `&offset=${offset}`;
  if (limit !== undefined) query += `&limit=${limit}`;
  if (revision !== undefined) query += `&revision=${formValue(revision)}`;
  if (q !== undefined) query += `&q=${formValue(q)}`;
  return `pdpp://field-window/${encode(connection_id)}/${encode(stream)}/${encode(id)}?${query}`;
}

/**
 * Encodes like URLSearchParams. The shortcut matters because most names need no encoding and every search hit has a
 * handle.
 */
const formValue = (text: string): string =>
  /^[\w*.-]*$/.test(text) ? text : new URLSearchParams({ "": text }).toString().slice(1);

/** Returns a handle template for the parts of a value: replace the braces with an index or a name (RFC 6901). */
export function partTemplate(handle: WindowHandle, part: "index" | "member"): string {
  const { connection_id, stream, id, field, pointer = "" } = handle;
  const place = formatHandle({ kind: "field-window", connection_id, stream, id, field });
  return `${place}&pointer=${encode(pointer)}/{${part}}`;
}

/**
 * Parses every form: `conn/stream:id`, `stream:id` and `pdpp://` with `record`, `field-window`, `blob`, `stream` or
 * `export`.
 */
export function parseHandle(text: string): Handle {
  const sealed = /^pdpp:\/\/export\/([\w-]+)$/.exec(text)?.[1];
  if (sealed !== undefined) return { kind: "export", sealed };
  const pair = /^pdpp:\/\/(blob|stream)\/([^/?]+)\/([^/?]+)$/s.exec(text);
  if (pair) {
    const [, kind, connection, name] = pair;
    const connection_id = decode(connection!, text);
    return kind === "blob"
      ? { kind: "blob", connection_id, blob_id: decode(name!, text) }
      : { kind: "stream", connection_id, stream: decode(name!, text) };
  }
  const uri = /^pdpp:\/\/(record|field-window)\/([^/?]+)\/([^/?]+)\/([^/?]+)(?:\?(.*))?$/s.exec(text);
  if (uri) {
    const [, kind, connection, stream, id, query] = uri;
    const place = { connection_id: decode(connection!, text), stream: decode(stream!, text), id: decode(id!, text) };
    return kind === "record"
      ? { kind: "record", ...place }
      : windowHandle(place, new URLSearchParams(query ?? ""), text);
  }
  const short = /^(?:([^/:]+)\/)?([^/:]+):([^/]+)$/s.exec(text);
  if (!short) throw notAHandle(text);
  const [, connection, stream, id] = short;
  return {
    kind: "record",
    ...(connection === undefined ? {} : { connection_id: decode(connection, text) }),
    stream: decode(stream!, text),
    id: decode(id!, text),
  };
}

function windowHandle(
  place: { connection_id: string; stream: string; id: string },
  query: URLSearchParams,
  text: string,
): WindowHandle {
  const field = query.get("field");
  if (!field) throw notAHandle(text);
  return {
    kind: "field-window",
    ...place,
    field,
    ...(query.has("pointer") ? { pointer: query.get("pointer")! } : {}),
    ...(query.has("offset") ? { offset: wholeNumber(query.get("offset")!, text) } : {}),
    ...(query.has("limit") ? { limit: wholeNumber(query.get("limit")!, text) } : {}),
    ...(query.has("revision") ? { revision: query.get("revision")! } : {}),
    ...(query.has("q") ? { q: query.get("q")! } : {}),
  };
}

function wholeNumber(digits: string, text: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw notAHandle(text);
  return Number(digits);
}

function decode(segment: string, text: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notAHandle(text);
  }
}

function notAHandle(text: string): PdppError {
  return new PdppError("invalid_request", `not a handle: ${JSON.stringify(text.slice(0, 200))}`, {
    param: "id",
    next_step:
      "Use CONNECTION/STREAM:ID, pdpp://record/CONNECTION/STREAM/ID or pdpp://field-window/CONNECTION/STREAM/ID?field=FIELD, each segment percent-encoded, or pdpp://export/… exactly as you received it.",
  });
}
