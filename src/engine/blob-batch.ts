// Blobs that are stored together, in a thread that nobody waits for: written one by one, synced side by side, then named.
import { closeSync, existsSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ObjectStorage } from "../store/objects.ts";
import { foldersWithNewNames, syncDirectory } from "../store/sync-directory.ts";
import { blobFileOf, blobPath, keepBlob, type StoredBlobFile } from "./blob-files.ts";
import { eachOf } from "./copy-file.ts";

/** Open at one time. */
const FILES_MAX = 64;
const SENT_AT_ONCE = 8;
const synced = promisify(fsync);

export interface BlobBatch {
  /** Answers what it will be called. It is there after the next `store`. */
  add(bytes: Uint8Array): Promise<StoredBlobFile>;
  /** All that was added is whole, on the disk and under its name: a record may speak of it. */
  store(): Promise<void>;
}

/**
 * `aside`: an empty folder on the same disk, removed by whoever gave it. A file that is synced as soon as it is written waits for the
 * disk alone: 2.4 ms for each of 460 attachments, against 0.6 ms here.
 */
export function blobBatch(root: string, aside: string): BlobBatch {
  let files = new Map<string, { file: number; from: string; to: string }>();
  let made = 0;
  /** From then on nothing is stored: what was added before is missing, and was promised. */
  let failed: { error: unknown } | undefined;

  async function store(): Promise<void> {
    if (failed !== undefined) throw failed.error;
    const own = [...files.values()];
    files = new Map();
    try {
      const syncs = await Promise.allSettled(own.map(({ file }) => synced(file)));
      for (const { file } of own) closeSync(file);
      for (const sync of syncs) if (sync.status === "rejected") throw sync.reason;
      const folders = new Set<string>();
      for (const { from, to } of own) {
        const folder = dirname(to);
        const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
        renameSync(from, to);
        for (const changed of foldersWithNewNames(folder, made)) folders.add(changed);
      }
      await Promise.all([...folders].map(syncDirectory));
    } catch (error) {
      failed = { error };
      throw error;
    }
  }

  return {
    async add(bytes) {
      if (failed !== undefined) throw failed.error;
      const stored = blobFileOf(bytes);
      const to = blobPath(root, stored.blobId);
      // A name that exists is whole.
      if (files.has(stored.blobId) || existsSync(to)) return stored;
      if (files.size >= FILES_MAX) await store();
      const from = join(aside, `blob-${made++}`);
      const file = openSync(from, "wx", 0o600);
      try {
        writeFileSync(file, bytes);
      } catch (error) {
        closeSync(file);
        throw error;
      }
      files.set(stored.blobId, { file, from, to });
      return stored;
    },
    store,
  };
}

/** The same for a thread that has no way to the storage: they wait in `aside`, for `sendBlobs`. */
export function waitingBlobs(aside: string): BlobBatch {
  return {
    async add(bytes) {
      const stored = blobFileOf(bytes);
      const path = join(aside, stored.blobId);
      if (existsSync(path)) return stored;
      try {
        writeFileSync(path, bytes, { mode: 0o600, flag: "wx" });
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
      return stored;
    },
    store: () => Promise.resolve(),
  };
}

/** Stores what waits, before a record speaks of it. One that does not wait any more went with a batch before. */
export async function sendBlobs(
  objects: ObjectStorage,
  aside: string,
  blobs: readonly StoredBlobFile[],
): Promise<void> {
  const waiting = new Map(blobs.map((blob) => [blob.blobId, blob]));
  await eachOf([...waiting.values()], SENT_AT_ONCE, async (blob) => {
    const path = join(aside, blob.blobId);
    if (!existsSync(path)) return;
    await keepBlob(objects, blob, path);
    rmSync(path, { force: true });
  });
}
