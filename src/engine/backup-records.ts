// The records of a backup and the blobs they refer to, of one moment, while the home goes on changing.
import { mkdir, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { copyDatabase, listBlobs } from "../store/sqlite/maintenance.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import type { BlobRow } from "../store/store.ts";
import type { BackupFile } from "./backup-manifest.ts";
import { blobPath } from "./blob-files.ts";
import { copyFile, eachOf, syncDirectory } from "./copy-file.ts";

const BLOBS_AT_ONCE = 8;
/** Each time a blob was deleted between the copy of the records and its own: rare, and rarer each time. */
const ATTEMPTS = 5;

export interface CopiedBlobs {
  files: BackupFile[];
  /** Blobs that the home itself has lost. */
  missing: string[];
}

/** Blobs come and go with their records: one that went meanwhile means that the records must be copied again. */
export async function copyRecords(
  home: string,
  aside: string,
  onProgress: (text: string) => void,
): Promise<CopiedBlobs> {
  const records = join(aside, FILES.records);
  const copied = new Map<string, BackupFile>();
  for (let attempt = 1; ; attempt++) {
    onProgress("records");
    for (const suffix of ["", "-wal", "-shm"]) await rm(records + suffix, { force: true });
    await copyDatabase(join(home, FILES.records), records);
    const rows = listBlobs(records);
    onProgress("blobs");
    const missing = await copyBlobs(home, aside, rows, copied, onProgress);
    if (missing.length > 0 && attempt < ATTEMPTS) {
      const present = new Set(listBlobs(join(home, FILES.records)).map(({ blobId }) => blobId));
      if (missing.some((blobId) => !present.has(blobId))) continue;
    }
    const wanted = new Set(rows.map(({ blobId }) => blobId));
    for (const blobId of copied.keys()) {
      if (!wanted.has(blobId)) await rm(blobPath(aside, blobId));
    }
    const files = rows.flatMap(({ blobId }) => copied.get(blobId) ?? []);
    return { files, missing: missing.sort() };
  }
}

async function copyBlobs(
  home: string,
  aside: string,
  rows: readonly BlobRow[],
  copied: Map<string, BackupFile>,
  onProgress: (text: string) => void,
): Promise<string[]> {
  const missing: string[] = [];
  const left = rows.filter(({ blobId }) => !copied.has(blobId));
  const folders = new Set(left.map(({ blobId }) => dirname(blobPath(aside, blobId))));
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  let done = 0;
  await eachOf(left, BLOBS_AT_ONCE, async ({ blobId, sha256 }) => {
    const to = blobPath(aside, blobId);
    const digest = await copyFile(blobPath(home, blobId), to).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (digest?.sha256 === sha256) {
      copied.set(blobId, { path: to.slice(aside.length + 1).replaceAll(sep, "/"), ...digest });
    } else {
      // A blob the home has lost must not keep the rest from being saved; it is said.
      missing.push(blobId);
      await rm(to, { force: true });
    }
    if (++done % 100 === 0) onProgress(`blobs ${done} of ${left.length}`);
  });
  for (const folder of folders) await syncDirectory(folder);
  return missing;
}
