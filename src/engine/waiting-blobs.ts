// Blobs that a parser found, as files in a folder of its run, until the batch that refers to them is stored.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BlobFile, blobFileOf } from "./blob-files.ts";

export const waitingPath = (folder: string, blobId: string): string => join(folder, blobId);

/** In the parser's thread, which has no way to the storage. */
export function addWaitingBlob(folder: string, bytes: Uint8Array): BlobFile {
  const blob = blobFileOf(bytes);
  const path = waitingPath(folder, blob.blobId);
  if (existsSync(path)) return blob;
  try {
    writeFileSync(path, bytes, { mode: 0o600, flag: "wx" });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return blob;
}
