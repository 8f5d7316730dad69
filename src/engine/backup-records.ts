// The records of a backup and the blobs they refer to, of one moment, while the owner's data goes on changing.
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copyTables, readOwner, writeOwner } from "../store/copy/copy-owner.ts";
import type { HomeLocation } from "../store/place.ts";
import { listBlobs as listBlobsInDatabase } from "../store/postgres/maintenance.ts";
import type { BlobRow } from "../store/rows.ts";
import { copyDatabase, listBlobs } from "../store/sqlite/maintenance.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { syncDirectory } from "../store/sync-directory.ts";
import type { BackupFile } from "./backup-manifest.ts";
import { blobName } from "./blob-files.ts";
import { objectsAt } from "./move.ts";
import { moveBlobs } from "./move-blobs.ts";
import { homeObjects, openObjects } from "./objects-place.ts";

/** Each time a blob was deleted between the copy of the records and its own: rare, and rarer each time. */
const ATTEMPTS = 5;

export interface CopiedBlobs {
  files: BackupFile[];
  /** Blobs that the home itself has lost. */
  missing: string[];
}

/**
 * Blobs come and go with their records: one that went meanwhile means that the records must be copied again. From a database
 * the audit log and the key come with the records.
 */
export async function copyRecords(
  place: HomeLocation,
  aside: string,
  onProgress: (text: string) => void,
): Promise<CopiedBlobs> {
  const records = join(aside, FILES.records);
  const to = openObjects(homeObjects(aside));
  const from = objectsAt(place);
  for (const storage of from) await storage.check();
  const copied = new Set<string>();
  for (let attempt = 1; ; attempt++) {
    onProgress("records");
    for (const suffix of ["", "-wal", "-shm"]) await rm(records + suffix, { force: true });
    await copyRows(place, aside, onProgress);
    const rows = listBlobs(records);
    onProgress("blobs");
    // A blob the home has lost must not keep the rest from being saved; it is said.
    const { missing } = await moveBlobs([rows], {
      from,
      to,
      onProgress: (done) => {
        if (done % 100 === 0) onProgress(`blobs ${done} of ${rows.length}`);
      },
    });
    const lost = new Set(missing);
    const kept = rows.filter(({ blobId }) => !lost.has(blobId));
    for (const { blobId, generation } of kept) copied.add(blobName(blobId, generation));
    if (missing.length > 0 && attempt < ATTEMPTS) {
      const present = new Set((await presentBlobs(place)).map(({ blobId }) => blobId));
      if (missing.some((blobId) => !present.has(blobId))) continue;
    }
    const files = kept.map(fileOf);
    const wanted = new Set(files.map(({ path }) => path));
    for (const path of copied) if (!wanted.has(path)) await rm(join(aside, path));
    for (const folder of new Set(files.map(({ path }) => dirname(join(aside, path))))) await syncDirectory(folder);
    return { files, missing };
  }
}

const copyRows = (
  { home, database, objects }: HomeLocation,
  aside: string,
  onProgress: (text: string) => void,
): Promise<void> =>
  database === undefined
    ? copyDatabase(join(home, FILES.records), join(aside, FILES.records))
    : readOwner({ home, database, objects }, (owner) =>
        writeOwner({ home: aside }, owner.subject, (target) =>
          copyTables(owner, target, (_step, table, rows) => onProgress(`${table} ${rows}`)),
        ),
      );

const presentBlobs = async ({ home, database }: HomeLocation): Promise<BlobRow[]> =>
  database === undefined ? listBlobs(join(home, FILES.records)) : listBlobsInDatabase(database.url, database.subject);

const fileOf = ({ blobId, generation, sizeBytes, sha256 }: BlobRow): BackupFile => ({
  path: blobName(blobId, generation),
  bytes: sizeBytes,
  sha256,
});
