// Uploads a blob: stores its bytes, then creates its row in the engine.
import type { StoredBlob } from "../contract/blob.ts";
import { storeBlob } from "./blob-files.ts";
import type { Credential } from "./caller.ts";
import type { EngineHost } from "./host.ts";
import type { ObjectStorage } from "./objects-place.ts";

export interface Uploader {
  objects: ObjectStorage;
  host: EngineHost;
  credential: Credential;
  requestId?: string;
}

export const uploadBlob = (
  { objects, host, credential, requestId }: Uploader,
  bytes: AsyncIterable<Uint8Array>,
  mimeType: string,
): Promise<StoredBlob> =>
  storeBlob(objects, bytes, ({ blobId: blob_id, sizeBytes: size_bytes, sha256 }) => ({
    known: (blob_ids) => host.call("knownBlobs", { blob_ids }, credential, requestId),
    write: (generations) => {
      const generation = generations.get(blob_id);
      const blob = { blob_id, mime_type: mimeType, size_bytes, sha256, ...(generation && { generation }) };
      return host.call("putBlob", blob, credential, requestId);
    },
  }));
