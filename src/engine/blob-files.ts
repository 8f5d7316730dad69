// Blob files: content-addressed, hashed while they stream, complete or absent.
import { createHash, hash, randomBytes } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import { diskFailure, type ObjectStorage } from "../store/objects.ts";

const FOLDER = "blobs";

/** What its object is called. */
export function blobName(blobId: string): string {
  const name = blobId.slice(ID_PREFIX.blob.length);
  if (!/^[A-Za-z0-9_-]{43}$/.test(name))
    throw new PdppError("blob_not_found", `no blob is called ${JSON.stringify(blobId)}`);
  return `${FOLDER}/${name.slice(0, 2)}/${name}`;
}

/** Where it is in a folder: a home, or a backup of one. */
export const blobPath = (folder: string, blobId: string): string => join(folder, blobName(blobId));

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

/** Written aside, then named by its digest: a name that exists is whole. */
export async function storeBlob(objects: ObjectStorage, bytes: AsyncIterable<Uint8Array>): Promise<StoredBlobFile> {
  const folder = join(objects.aside, FOLDER);
  const aside = join(folder, `.incoming-${randomBytes(9).toString("base64url")}`);
  const digesting = createHash("sha256");
  let sizeBytes = 0;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(aside, "wx", 0o600);
    try {
      for await (const part of bytes) {
        digesting.update(part);
        sizeBytes += part.byteLength;
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
    const stored = named(digesting.digest(), sizeBytes);
    await keepBlob(objects, stored, aside);
    return stored;
  } catch (error) {
    throw diskFailure(error, "the blob was not stored");
  } finally {
    // In a folder that is none there is nothing to remove.
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/** The file at `path` becomes the blob, unless that is there already. */
export async function keepBlob(objects: ObjectStorage, blob: StoredBlobFile, path: string): Promise<void> {
  const { blobId, sizeBytes, sha256 } = blob;
  const name = blobName(blobId);
  if ((await objects.size(name)) === undefined) await objects.adopt(name, path, { sizeBytes, sha256 });
}
