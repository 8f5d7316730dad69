// A stored file as an answer: whole or a range of it, named by its digest so that a broken download goes on.
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { PdppError } from "../../contract/errors.ts";
import { baseHeaders, type Exchange } from "../http/respond.ts";

export interface StoredFile {
  path: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  headers: Record<string, string>;
  /** Told when the last byte has left or nobody takes more. */
  served(bytes: number): void;
  /** What to say when the file cannot be opened. */
  missing(): PdppError;
}

export async function fileAnswer({ request, requestId }: Exchange, file: StoredFile): Promise<Response> {
  const { sizeBytes, sha256 } = file;
  const etag = `"${sha256}"`;
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
  const bytes = createReadStream(file.path, { start, end });
  await new Promise((resolve, reject) => {
    bytes.once("open", resolve);
    bytes.once("error", () => reject(file.missing()));
  });
  bytes.once("close", () => file.served(bytes.bytesRead));
  return new Response(Readable.toWeb(bytes) as unknown as ReadableStream, { status, headers });
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
