// A file as an answer: whole or a range of it, with a name for its version so that a broken download goes on.
import { createReadStream, type ReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { PdppError } from "../../contract/errors.ts";
import { baseHeaders, type Exchange } from "./respond.ts";

export interface ServedFile {
  sizeBytes: number;
  /** As the header has it, quoted. */
  etag: string;
  headers: Record<string, string>;
  /** Both included. */
  open(start: number, end: number): Promise<ReadStream>;
  /** Told when the last byte has left or nobody takes more; not of an answer without bytes. */
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
  // A range of another version than the one that was begun is no continuation: then all of it.
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
  // A file that became shorter meanwhile: the other side must not take what it has for whole.
  bytes.once("end", () => {
    if (bytes.bytesRead < end - start + 1) exchange.abort?.();
  });
  bytes.once("close", () => file.served(bytes.bytesRead));
  return new Response(Readable.toWeb(bytes) as unknown as ReadableStream, { status, headers });
}

/** A file of the home, named by its digest. */
export function storedFile({
  path,
  sha256,
  missing,
}: {
  path: string;
  /** Hexadecimal. */
  sha256: string;
  /** What to say when it cannot be opened. */
  missing(): PdppError;
}): Pick<ServedFile, "etag" | "open"> {
  return {
    etag: `"${sha256}"`,
    async open(start, end) {
      const bytes = createReadStream(path, { start, end });
      await new Promise((resolve, reject) => {
        bytes.once("open", resolve);
        bytes.once("error", () => reject(missing()));
      });
      return bytes;
    },
  };
}

/** One range, as RFC 9110 has it; several, or a malformed header, are answered with the whole. */
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
