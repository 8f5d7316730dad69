// Object names for blobs: the digest of the bytes and a generation, so that no name is ever reused (0023).
import { createHash, hash, randomBytes } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import { diskFailure, type ObjectStorage } from "../store/objects.ts";
import { eachOf } from "./copy-file.ts";

export const BLOBS_FOLDER = "blobs";

/** `generation` is null for an object that predates generations and is named by its digest alone. */
export function blobName(blobId: string, generation: string | null): string {
  const digest = blobId.slice(ID_PREFIX.blob.length);
  if (!/^[A-Za-z0-9_-]{43}$/.test(digest))
    throw new PdppError("blob_not_found", `there is no blob ${JSON.stringify(blobId)}`);
  const suffix = generation === null ? "" : `.${generation}`;
  return `${BLOBS_FOLDER}/${digest.slice(0, 2)}/${digest}${suffix}`;
}

/** Returns undefined if this is not the name of a blob object. */
export function blobOfName(name: string): { blobId: string; generation: string | null } | undefined {
  const [, digest, generation = null] = /^blobs\/..\/([A-Za-z0-9_-]{43})(?:\.([0-9a-z]+-[\w-]+))?$/.exec(name) ?? [];
  return digest === undefined ? undefined : { blobId: ID_PREFIX.blob + digest, generation };
}

/** Starts with the time, so that an object's name shows its age. */
const newGeneration = (): string => `${Date.now().toString(36)}-${randomBytes(9).toString("base64url")}`;

/** When a generation was created, in milliseconds. */
export const generationTime = (generation: string): number => Number.parseInt(generation.split("-")[0]!, 36);

/** A blob's path in a folder, which is a home or a backup of one. */
export const blobPath = (folder: string, blobId: string, generation: string | null): string =>
  join(folder, blobName(blobId, generation));

export interface BlobFile {
  blobId: string;
  sizeBytes: number;
  sha256: string;
}

/** A local file that will be stored as a blob. */
export interface WaitingBlob extends BlobFile {
  path: string;
}

export const blobFileOf = (bytes: Uint8Array): BlobFile => fileOf(hash("sha256", bytes, "buffer"), bytes.byteLength);

const fileOf = (digest: Buffer, sizeBytes: number): BlobFile => ({
  blobId: ID_PREFIX.blob + digest.toString("base64url"),
  sizeBytes,
  sha256: digest.toString("hex"),
});

export interface BlobNaming<T> {
  /** Returns the existing rows of these blobs. */
  known(blobIds: string[]): Promise<{ blobId: string; generation: string | null }[]>;
  /**
   * Runs the write that refers to the blobs. If a blob has a generation in the map, its bytes are stored under that
   * generation. All others had a row a moment ago; if one has no row now, the write must fail with `blob_not_found` and
   * change nothing.
   */
  write(generations: ReadonlyMap<string, string>): Promise<T>;
}

const STORED_AT_ONCE = 16;

/**
 * Stores bytes under names that were never used before, then runs the write that refers to them. Blobs that have a row
 * are not stored again. If a removal deletes such a blob between the check and the write, it is stored like a new one.
 */
export async function storeBlobs<T>(
  objects: ObjectStorage,
  blobs: readonly WaitingBlob[],
  { known, write }: BlobNaming<T>,
): Promise<T> {
  const waiting = [...new Map(blobs.map((blob) => [blob.blobId, blob])).values()];
  const rows = waiting.length === 0 ? [] : await known(waiting.map(({ blobId }) => blobId));
  const present = new Map(rows.map(({ blobId, generation }) => [blobId, generation]));
  const generations = new Map<string, string>();

  async function storeNew({ blobId, path, ...expected }: WaitingBlob): Promise<void> {
    if (!existsSync(path)) throw removedMeanwhile(blobId);
    const generation = newGeneration();
    await objects.adopt(blobName(blobId, generation), path, expected);
    generations.set(blobId, generation);
  }

  await eachOf(waiting, STORED_AT_ONCE, async (blob) => {
    const generation = present.get(blob.blobId);
    if (generation === undefined) return storeNew(blob);
    // If the disk lost the stored object, it is restored from the local file.
    const name = blobName(blob.blobId, generation);
    if ((await objects.size(name)) === undefined && existsSync(blob.path))
      await objects.put(name, createReadStream(blob.path), blob);
  });
  try {
    return await write(generations);
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "blob_not_found") throw error;
    await eachOf(
      waiting.filter(({ blobId }) => !generations.has(blobId)),
      STORED_AT_ONCE,
      storeNew,
    );
    return await write(generations);
  }
}

/**
 * The error for a blob whose file was already moved by an earlier batch of the import, so its bytes cannot be stored
 * again.
 */
const removedMeanwhile = (blobId: string): PdppError =>
  new PdppError("store_unavailable", `the bytes of ${blobId} were removed before a record referred to them`, {
    next_step: "Try again: an import resumes where it stopped.",
  });

/** Stores one byte stream. `naming` is called after the last byte, when the blob's digest is known. */
export async function storeBlob<T>(
  objects: ObjectStorage,
  bytes: AsyncIterable<Uint8Array>,
  naming: (blob: BlobFile) => BlobNaming<T>,
): Promise<T> {
  const folder = join(objects.aside, BLOBS_FOLDER);
  const path = join(folder, `.incoming-${randomBytes(9).toString("base64url")}`);
  const digesting = createHash("sha256");
  let sizeBytes = 0;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(path, "wx", 0o600);
    try {
      for await (const part of bytes) {
        digesting.update(part);
        sizeBytes += part.byteLength;
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
    const blob = fileOf(digesting.digest(), sizeBytes);
    return await storeBlobs(objects, [{ ...blob, path }], naming(blob));
  } catch (error) {
    throw diskFailure(error, "the blob was not stored");
  } finally {
    // If the folder itself could not be created, there is nothing to remove.
    await rm(path, { force: true }).catch(() => undefined);
  }
}
