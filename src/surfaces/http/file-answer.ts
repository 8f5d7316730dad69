// A file as a response, whole or as a range, with an ETag so that an interrupted download can be resumed.
import type { Readable } from "node:stream";
import { PdppError } from "../../contract/errors.ts";
import type { ObjectStorage } from "../../engine/objects-place.ts";
import { checkedBody } from "./checked-body.ts";
import { baseHeaders, type Exchange } from "./respond.ts";

/** The format of a list that is sent as a file. */
export type RowFormat = "csv" | "jsonl";

export interface ServedFile {
  sizeBytes: number;
  /** Quoted, as in the header. */
  etag: string;
  headers: Record<string, string>;
  /** Both positions are inclusive. */
  open(start: number, end: number): Promise<Readable>;
  /** Rejects if the caller may no longer read the file. Called repeatedly while the bytes are sent. */
  recheck(): Promise<unknown>;
  /** Called when the last byte was sent or the transfer was cut off, but not for a response without bytes. */
  served(bytes: number): void;
}

export async function fileAnswer(exchange: Exchange, file: ServedFile): Promise<Response> {
  const { request, requestId } = exchange;
  const { sizeBytes, etag } = file;
  const headers: Record<string, string> = {
    ...baseHeaders(requestId),
    ...file.headers,
    "Accept-Ranges": "bytes",
    ETag: etag,
  };
  // A range of a different version cannot continue the download, so the whole file is sent.
  const condition = request.headers.get("if-range");
  const range =
    condition === null || condition === etag ? parseRange(request.headers.get("range"), sizeBytes) : undefined;
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...headers, "Content-Range": `bytes */${sizeBytes}` } });
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  headers["Content-Length"] = String(end - start + 1);
  if (range) headers["Content-Range"] = `bytes ${start}-${end}/${sizeBytes}`;
  const status = range ? 206 : 200;
  if (request.method === "HEAD" || sizeBytes === 0) return new Response(null, { status, headers });
  const bytes = await file.open(start, end);
  const body = checkedBody({
    bytes,
    length: end - start + 1,
    recheck: file.recheck,
    ...(exchange.node === undefined ? {} : { abort: exchange.abort }),
    ended: file.served,
  });
  return new Response(body, { status, headers });
}

/** A stored object, with its digest as the ETag. */
export function storedFile({
  objects,
  name,
  sha256,
  missing,
}: {
  objects: ObjectStorage;
  name: string;
  /** Hexadecimal. */
  sha256: string;
  /** Builds the error for an object that cannot be opened. */
  missing(): PdppError;
}): Pick<ServedFile, "etag" | "open"> {
  return {
    etag: `"${sha256}"`,
    async open(start, end) {
      const bytes = await objects.open(name, { start, end }).catch((error: Error) => {
        throw error instanceof PdppError ? error : missing();
      });
      if (bytes === undefined) throw missing();
      return bytes;
    },
  };
}

/** Parses a single range, as in RFC 9110. For several ranges or a malformed header, the whole file is sent. */
function parseRange(header: string | null, size: number): { start: number; end: number } | "unsatisfiable" | undefined {
  const parts = header === null ? null : /^bytes=(\d*)-(\d*)$/.exec(header);
  if (!parts || (parts[1] === "" && parts[2] === "")) return undefined;
  if (parts[1] === "") {
    const length = Math.min(Number(parts[2]), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(parts[1]);
  const end = parts[2] === "" ? size - 1 : Math.min(Number(parts[2]), size - 1);
  return start >= size || start > end ? "unsatisfiable" : { start, end };
}
