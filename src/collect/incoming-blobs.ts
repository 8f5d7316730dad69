// Blobs from a parser, stored as temporary files until a batch refers to them. Each is hashed here: names and sizes
// from a process that a hostile file may control are not trusted.
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ID_PREFIX } from "../contract/ids.ts";
import { type BlobFile, type BlobNaming, storeBlobs } from "../engine/blob-files.ts";
import { diskFailure, type ObjectStorage } from "../engine/objects-place.ts";

export interface IncomingBlobs {
  /** Takes one piece of a blob; false: these bytes do not match that name. */
  take(piece: { blob: string; last: boolean }, bytes: Uint8Array): Promise<boolean>;
  /** Whether each of these blobs was received from this parser, with the given size and digest. */
  hasAll(blobs: readonly BlobFile[]): boolean;
  /** Stores the blobs of a batch, then runs the write that refers to them. */
  store<T>(blobs: readonly BlobFile[], naming: BlobNaming<T>): Promise<T>;
  close(): Promise<void>;
}

interface Arriving {
  blob: string;
  file: FileHandle;
  hash: Hash;
  sizeBytes: number;
}

export function incomingBlobs(objects: ObjectStorage, folder: string): IncomingBlobs {
  let current: Arriving | undefined;
  const sizes = new Map<string, number>();
  // The format of the name was checked, because it becomes the name of a file.
  const pathOf = (blobId: string): string => join(folder, blobId);

  async function take({ blob, last }: { blob: string; last: boolean }, bytes: Uint8Array): Promise<boolean> {
    current ??= { blob, file: await open(pathOf(blob), "w", 0o600), hash: createHash("sha256"), sizeBytes: 0 };
    if (current.blob !== blob) return false;
    current.hash.update(bytes);
    current.sizeBytes += bytes.byteLength;
    await current.file.writeFile(bytes);
    if (!last) return true;
    const { hash, sizeBytes } = current;
    await close();
    sizes.set(blob, sizeBytes);
    return blob === ID_PREFIX.blob + hash.digest("base64url");
  }

  async function close(): Promise<void> {
    const closing = current;
    current = undefined;
    await closing?.file.close();
  }

  return {
    async take(piece, bytes) {
      try {
        return await take(piece, bytes);
      } catch (error) {
        throw diskFailure(error, "the attachments of this import cannot be stored");
      }
    },
    hasAll: (blobs) =>
      blobs.every(({ blobId, sizeBytes, sha256 }) => sizes.get(blobId) === sizeBytes && sha256 === hexOf(blobId)),
    async store(blobs, naming) {
      const waiting = blobs.map((blob) => ({ ...blob, path: pathOf(blob.blobId) }));
      const result = await storeBlobs(objects, waiting, naming);
      // Files of blobs that were stored earlier are still here.
      for (const { path } of waiting) await rm(path, { force: true });
      return result;
    },
    close,
  };
}

const hexOf = (blobId: string): string => Buffer.from(blobId.slice(ID_PREFIX.blob.length), "base64url").toString("hex");
