// Receives blobs from a parser and stores them as temporary files until a batch refers to them. Each is hashed here,
// because a hostile file may control the parser, so its names and sizes are not trusted.
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ID_PREFIX } from "../contract/ids.ts";
import { type BlobFile, type BlobNaming, storeBlobs } from "../engine/blob-files.ts";
import { diskFailure, type ObjectStorage } from "../engine/objects-place.ts";

export interface IncomingBlobs {
  /** Accepts one chunk of a blob. Returns false if the bytes do not match the name. */
  take(piece: { blob: string; last: boolean }, bytes: Uint8Array): Promise<boolean>;
  /** Returns true if all of these blobs were received from this parser, with the given size and digest. */
  hasAll(blobs: readonly BlobFile[]): boolean;
  /** Stores the blobs of a batch, then runs the write that refers to them. */
  store<T>(blobs: readonly BlobFile[], naming: BlobNaming<T>): Promise<T>;
  close(): Promise<void>;
}

interface PartialBlob {
  blob: string;
  path: string;
  file: FileHandle;
  hash: Hash;
  sizeBytes: number;
}

export function incomingBlobs(objects: ObjectStorage, folder: string): IncomingBlobs {
  let current: PartialBlob | undefined;
  let files = 0;
  const sizes = new Map<string, number>();
  /** The files of blobs that no batch has referred to yet. */
  const paths = new Map<string, string>();
  // Each arrival gets a new file, because an earlier batch may still be storing the same blob.
  const newPath = (): string => join(folder, String(files++));

  async function take({ blob, last }: { blob: string; last: boolean }, bytes: Uint8Array): Promise<boolean> {
    current ??= await begin(blob);
    if (current.blob !== blob) return false;
    current.hash.update(bytes);
    current.sizeBytes += bytes.byteLength;
    await current.file.writeFile(bytes);
    if (!last) return true;
    const { hash, path, sizeBytes } = current;
    await close();
    const earlier = paths.get(blob);
    if (earlier !== undefined) await rm(earlier, { force: true });
    paths.set(blob, path);
    sizes.set(blob, sizeBytes);
    return blob === ID_PREFIX.blob + hash.digest("base64url");
  }

  async function begin(blob: string): Promise<PartialBlob> {
    const path = newPath();
    return { blob, path, file: await open(path, "w", 0o600), hash: createHash("sha256"), sizeBytes: 0 };
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
    async store(blobs, { known, write }) {
      // The file of a blob from an earlier batch has already been moved, so any unused path will do.
      const waiting = blobs.map((blob) => ({ ...blob, path: paths.get(blob.blobId) ?? newPath() }));
      for (const { blobId } of blobs) paths.delete(blobId);
      let moved: ReadonlyMap<string, string> = new Map();
      const result = await storeBlobs(objects, waiting, {
        known,
        write(generations) {
          moved = generations;
          return write(generations);
        },
      });
      // Files of blobs that had been stored before were not moved, so delete them.
      for (const { blobId, path } of waiting) if (!moved.has(blobId)) await rm(path, { force: true });
      return result;
    },
    close,
  };
}

const hexOf = (blobId: string): string => Buffer.from(blobId.slice(ID_PREFIX.blob.length), "base64url").toString("hex");
