// Moves blobs from one object storage to another.
import { BLOBS, type OwnerReader } from "../store/copy/tables.ts";
import type { ObjectStorage } from "../store/objects.ts";
import { blobName } from "./blob-files.ts";
import { eachOf } from "./copy-file.ts";

const BLOBS_AT_ONCE = 8;

interface Blob {
  blobId: string;
  generation: string | null;
  sizeBytes: number;
  sha256: string;
}

export interface MovedBlobs {
  /** How many blobs are at the target now. */
  present: number;
  /** Blobs that the source has lost, or whose bytes are wrong. */
  missing: string[];
}

export interface MoveBlobsOptions {
  /** Searched in order. */
  from: readonly ObjectStorage[];
  to: ObjectStorage;
  /** Called before each blob is stored, so that a failed move can remove it again. */
  onPut?: (name: string) => void;
  onProgress?: (done: number) => void;
}

export async function moveBlobs(
  batches: AsyncIterable<Blob[]> | Iterable<Blob[]>,
  { from, to, onPut = () => {}, onProgress = () => {} }: MoveBlobsOptions,
): Promise<MovedBlobs> {
  const missing: string[] = [];
  let present = 0;
  for await (const blobs of batches) {
    await eachOf(blobs, BLOBS_AT_ONCE, async ({ blobId, generation, sizeBytes, sha256 }) => {
      const name = blobName(blobId, generation);
      // A name contains the digest, so an object with that name has the same bytes.
      if ((await to.size(name)) === sizeBytes || (await moveOne(name, sha256))) present++;
      else missing.push(blobId);
      onProgress(present + missing.length);
    });
  }
  return { present, missing: missing.sort() };

  async function moveOne(name: string, sha256: string): Promise<boolean> {
    for (const storage of from) {
      const bytes = await storage.open(name);
      if (bytes === undefined) continue;
      onPut(name);
      const stored = await to.put(name, bytes);
      if (stored.sha256 === sha256) return true;
      await to.delete([name]);
    }
    return false;
  }
}

/** The blobs that an owner's records refer to. */
export async function* blobsOf(owner: OwnerReader): AsyncGenerator<Blob[]> {
  for await (const batch of owner.batches(BLOBS)) {
    yield batch.map(([blobId, generation, , sizeBytes, sha256]) => ({
      blobId: blobId as string,
      generation: generation as string | null,
      sizeBytes: sizeBytes as number,
      sha256: sha256 as string,
    }));
  }
}
