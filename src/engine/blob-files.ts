// Blob files: content-addressed, hashed while they stream, complete or absent.
import { createHash, hash, randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";

export function blobPath(home: string, blobId: string): string {
  const name = blobId.slice(ID_PREFIX.blob.length);
  if (!/^[A-Za-z0-9_-]{43}$/.test(name))
    throw new PdppError("blob_not_found", `no blob is called ${JSON.stringify(blobId)}`);
  return join(home, "blobs", name.slice(0, 2), name);
}

export async function removeBlobs(home: string, blobIds: readonly string[]): Promise<void> {
  for (const blobId of blobIds) await rm(blobPath(home, blobId), { force: true });
}

export interface StoredBlobFile {
  blobId: string;
  sizeBytes: number;
  sha256: string;
}

/** What bytes are called as a blob. */
export const blobFileOf = (bytes: Uint8Array): StoredBlobFile =>
  named(hash("sha256", bytes, "buffer"), bytes.byteLength);

const named = (digest: Buffer, sizeBytes: number): StoredBlobFile => ({
  blobId: ID_PREFIX.blob + digest.toString("base64url"),
  sizeBytes,
  sha256: digest.toString("hex"),
});

/** Written aside, synced, then named by its digest: a name that exists is whole. */
export async function storeBlob(home: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredBlobFile> {
  const aside = join(home, "blobs", `.incoming-${randomBytes(9).toString("base64url")}`);
  const digesting = createHash("sha256");
  let sizeBytes = 0;
  try {
    const file = await open(aside, "wx", 0o600);
    try {
      for await (const part of bytes) {
        digesting.update(part);
        sizeBytes += part.byteLength;
        await file.writeFile(part);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const stored = named(digesting.digest(), sizeBytes);
    const path = blobPath(home, stored.blobId);
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    if (await stat(path).catch(() => undefined)) await rm(aside);
    else await rename(aside, path);
    return stored;
  } catch (error) {
    await rm(aside, { force: true });
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new PdppError("storage_full", "the disk is full; the blob was not stored");
    throw error;
  }
}
