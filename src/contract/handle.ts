// Handles: names for something to read next. They carry no authority; every use is authorized anew (L-06).
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
}

export type Handle = RecordHandle | WindowHandle;

const encode = encodeURIComponent;

export function formatHandle(handle: Handle): string {
  if (handle.kind === "record") {
    const name = `${encode(handle.stream)}:${encode(handle.id)}`;
    return handle.connection_id === undefined ? name : `${encode(handle.connection_id)}/${name}`;
  }
  const query = new URLSearchParams({ field: handle.field });
  if (handle.pointer !== undefined) query.set("pointer", handle.pointer);
  if (handle.offset !== undefined) query.set("offset", String(handle.offset));
  if (handle.limit !== undefined) query.set("limit", String(handle.limit));
  if (handle.revision !== undefined) query.set("revision", handle.revision);
  return `pdpp://field-window/${encode(handle.connection_id)}/${encode(handle.stream)}/${encode(handle.id)}?${query}`;
}

/** Reads every form: `conn/stream:id`, `stream:id`, `pdpp://record/…`, `pdpp://field-window/…`. */
export function parseHandle(text: string): Handle {
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
      "Use CONNECTION/STREAM:ID, pdpp://record/CONNECTION/STREAM/ID or pdpp://field-window/CONNECTION/STREAM/ID?field=FIELD, each segment percent-encoded.",
  });
}
