// Blobs over HTTP. They are hashed while they are uploaded, served in ranges, and available only through a readable
// record.
import { PdppError } from "../../contract/errors.ts";
import { BODY, NAME_MAX } from "../../contract/limits.ts";
import { blobName } from "../../engine/blob-files.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ObjectStorage } from "../../engine/objects-place.ts";
import { uploadBlob } from "../../engine/upload-blob.ts";
import { bodyBytes } from "../http/body.ts";
import { fileAnswer, storedFile } from "../http/file-answer.ts";
import { type Exchange, json } from "../http/respond.ts";

export interface BlobService {
  objects: ObjectStorage;
  host: EngineHost;
}

export async function takeBlob(
  { objects, host }: BlobService,
  exchange: Exchange,
  credential: Credential,
  query: Record<string, unknown>,
): Promise<Response> {
  const { record_key: _key, ...target } = query as { stream: string; record_key?: string };
  // Checks that the caller may upload and that the stream exists, before any byte is read.
  await host.call("ingestTarget", target, credential, exchange.requestId);
  const mimeType = exchange.request.headers.get("content-type") ?? "application/octet-stream";
  if (mimeType.length > NAME_MAX)
    throw new PdppError("invalid_request", "the Content-Type is too long to store", { param: "Content-Type" });
  const uploader = { objects, host, credential, requestId: exchange.requestId };
  const stored = await uploadBlob(uploader, bodyBytes(exchange.request, BODY.blob), mimeType);
  return json(exchange, JSON.stringify(stored), 201);
}

export async function downloadBlob(
  { objects, host }: BlobService,
  exchange: Exchange,
  credential: Credential,
  query: { blob_id: string; connection_id?: string },
): Promise<Response> {
  const { requestId } = exchange;
  const blob = await host.call("blob", query, credential, requestId);
  return fileAnswer(exchange, {
    ...storedFile({
      objects,
      name: blobName(blob.blobId, blob.generation),
      sha256: blob.sha256,
      missing: () => new PdppError("store_unavailable", "the blob's file cannot be read; `pdpp doctor` has details"),
    }),
    sizeBytes: blob.sizeBytes,
    // Stored content is never shown as a page of this origin.
    headers: { "Content-Type": mediaType(blob.mimeType), "Content-Disposition": "attachment" },
    recheck: () => host.call("blobAllowed", query, credential, requestId),
    served(bytes) {
      // After a revocation this call is refused, and the log records the refusal with the number of bytes sent.
      host.call("blobServed", { ...query, bytes }, credential, requestId).catch(() => undefined);
    },
  });
}

/** The record's author chose the type, so only a valid media type is put into the header. */
const mediaType = (text: string): string =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\x20-\x7e]*)?$/.test(text) ? text : "application/octet-stream";
