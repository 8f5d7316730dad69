// Blobs over HTTP: hashed while they stream in, served in ranges, allowed only through a readable record.
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { PdppError } from "../../contract/errors.ts";
import { BODY, NAME_MAX } from "../../contract/limits.ts";
import { blobPath, storeBlob } from "../../engine/blob-files.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { bodyBytes } from "../http/body.ts";
import { baseHeaders, type Exchange, json } from "../http/respond.ts";

export interface BlobService {
  home: string;
  host: EngineHost;
}

interface StoredBlob {
  blobId: string;
  mimeType: string;
  sizeBytes: number;
  sha256: string;
}

export async function uploadBlob(
  { home, host }: BlobService,
  exchange: Exchange,
  credential: Credential,
  query: Record<string, unknown>,
): Promise<Response> {
  const { record_key: _key, ...target } = query as { stream: string; record_key?: string };
  // Before a byte is read: may this caller upload, and is there such a stream?
  await host.call("ingestTarget", target, credential, exchange.requestId);
  const mimeType = exchange.request.headers.get("content-type") ?? "application/octet-stream";
  if (mimeType.length > NAME_MAX)
    throw new PdppError("invalid_request", "the Content-Type is too long to keep", { param: "Content-Type" });
  const stored = await storeBlob(home, bodyBytes(exchange.request, BODY.blob));
  const blob = { blob_id: stored.blobId, mime_type: mimeType, size_bytes: stored.sizeBytes, sha256: stored.sha256 };
  return json(exchange, await host.call("putBlob", blob, credential, exchange.requestId), 201);
}

export async function downloadBlob(
  { home, host }: BlobService,
  exchange: Exchange,
  credential: Credential,
  query: { blob_id: string; connection_id?: string },
): Promise<Response> {
  const { request, requestId } = exchange;
  const blob = JSON.parse(await host.call("blob", query, credential, requestId)) as StoredBlob;
  const range = parseRange(request.headers.get("range"), blob.sizeBytes);
  const headers: Record<string, string> = {
    ...baseHeaders(requestId),
    "Content-Type": blob.mimeType,
    // Stored content is never a page of this origin.
    "Content-Disposition": "attachment",
    "Accept-Ranges": "bytes",
    ETag: `"${blob.sha256}"`,
  };
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...headers, "Content-Range": `bytes */${blob.sizeBytes}` } });
  }
  const { start, end } = range ?? { start: 0, end: blob.sizeBytes - 1 };
  headers["Content-Length"] = String(end - start + 1);
  if (range) headers["Content-Range"] = `bytes ${start}-${end}/${blob.sizeBytes}`;
  const status = range ? 206 : 200;
  if (request.method === "HEAD" || blob.sizeBytes === 0) return new Response(null, { status, headers });
  const file = createReadStream(blobPath(home, blob.blobId), { start, end });
  await new Promise((resolve, reject) => {
    file.once("open", resolve);
    file.once("error", () =>
      reject(new PdppError("store_unavailable", "the blob's file cannot be read; `pdpp doctor` says more")),
    );
  });
  file.once("close", () => {
    // The owner may have revoked meanwhile: then the bytes that left stand in the line before.
    host.call("blobServed", { ...query, bytes: file.bytesRead }, credential, requestId).catch(() => undefined);
  });
  return new Response(Readable.toWeb(file) as unknown as ReadableStream, { status, headers });
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
