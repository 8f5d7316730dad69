// The blobs of an owner who is copied elsewhere: from one storage of objects into another.
import { BLOBS, type OwnerReader } from "../store/copy/tables.ts";
import type { ObjectStorage } from "../store/objects.ts";
import { blobName } from "./blob-files.ts";
import { eachOf } from "./copy-file.ts";

const BLOBS_AT_ONCE = 8;

export interface MovedBlobs {
  /** Those that are at the target now. */
  present: number;
  /** Those that the source itself has lost, or has with other bytes. */
  missing: string[];
}

/** Looks into each storage in turn. put is told of each blob before it is stored: whoever fails later takes them away again. */
export async function moveBlobs(
  owner: OwnerReader,
  from: readonly ObjectStorage[],
  to: ObjectStorage,
  { put, onProgress }: { put: (name: string) => void; onProgress: (done: number) => void },
): Promise<MovedBlobs> {
  const missing: string[] = [];
  let present = 0;
  for await (const batch of owner.batches(BLOBS)) {
    const blobs = batch.map(([blobId, , sizeBytes, sha256]) => ({
      blobId: blobId as string,
      sizeBytes: sizeBytes as number,
      sha256: sha256 as string,
    }));
    await eachOf(blobs, BLOBS_AT_ONCE, async ({ blobId, sizeBytes, sha256 }) => {
      const name = blobName(blobId);
      // Named by their digest: one that is there is the same.
      if ((await to.size(name)) === sizeBytes) present++;
      else if (await moveOne(name, sha256)) present++;
      else missing.push(blobId);
      onProgress(present + missing.length);
    });
  }
  return { present, missing: missing.sort() };

  async function moveOne(name: string, sha256: string): Promise<boolean> {
    for (const storage of from) {
      const bytes = await storage.open(name);
      if (bytes === undefined) continue;
      put(name);
      const stored = await to.put(name, bytes);
      if (stored.sha256 === sha256) return true;
      await to.delete([name]);
    }
    return false;
  }
}
