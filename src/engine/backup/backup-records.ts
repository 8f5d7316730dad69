// A backup's records and the blobs they refer to, as of one moment, while the owner's data continues to change.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { copyTables, readOwner, writeOwner } from "../../store/copy/copy-owner.ts";
import type { ObjectStorage } from "../../store/objects.ts";
import type { HomeLocation } from "../../store/place.ts";
import { listBlobs as listBlobsInDatabase } from "../../store/postgres/maintenance.ts";
import type { BlobRow } from "../../store/rows.ts";
import { blobsIn, countIn, type HomeCounts, listBlobs, problemsIn } from "../../store/sqlite/maintenance.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import { type StillOptions, withStillDatabase } from "../../store/sqlite/still-database.ts";
import { blobName } from "../blob-files.ts";
import { objectsAt } from "../move.ts";
import type { ChunkStore } from "./chunk-store.ts";
import { PIECE_BYTES, piecesOf } from "./chunks.ts";
import { requireSound } from "./damaged.ts";
import type { ManifestFile } from "./manifest.ts";

/**
 * The maximum number of times that the records are copied. They are copied again if a blob is deleted after the records
 * were copied but before the blob itself was. That is rare, and rarer at each attempt.
 */
const ATTEMPTS = 5;

export interface PutRecords {
  file: ManifestFile;
  counts: HomeCounts;
  blobBytes: number;
  /** Blobs that the home itself has lost. */
  missing: string[];
}

interface PutOptions {
  /** The directory that contains records.db. */
  source: string;
  still: StillOptions;
  chunks: ChunkStore;
  /** If true, SQLite checks the database first. */
  check: boolean;
}

/**
 * Blobs are deleted together with their records. If a blob disappeared during the copy, the records are copied again.
 */
export async function putRecords(
  place: HomeLocation & { onProgress?: (text: string) => void },
  { source, still, chunks, check }: PutOptions,
): Promise<PutRecords> {
  const { onProgress = () => {} } = place;
  const from = objectsAt(place);
  for (const storage of from) await storage.check();
  for (let attempt = 1; ; attempt++) {
    onProgress("records");
    const { file, counts, rows } = await withStillDatabase(join(source, FILES.records), still, async (one) => {
      if (check) requireSound(problemsIn(one.connection), FILES.records);
      const [counts, rows] = [countIn(one.connection), blobsIn(one.connection)];
      return { file: await chunks.putDatabase(FILES.records, one), counts, rows };
    });
    onProgress("blobs");
    const missing: string[] = [];
    for (const [done, row] of rows.entries()) {
      if (done % 100 === 99) onProgress(`blobs ${done + 1} of ${rows.length}`);
      // A lost blob must not stop the backup. The report lists it.
      if (!(await putBlob(row, from, chunks))) missing.push(row.blobId);
    }
    if (missing.length > 0 && attempt < ATTEMPTS) {
      const present = new Set((await presentBlobs(place)).map(({ blobId }) => blobId));
      if (missing.some((blobId) => !present.has(blobId))) {
        // A new copy shows a later state of the owner's data, so all of it has to be backed up again.
        if (place.database !== undefined) await copyOwnerAside(place, source, onProgress);
        continue;
      }
    }
    const lost = new Set(missing);
    const blobBytes = rows.reduce((sum, { blobId, sizeBytes }) => sum + (lost.has(blobId) ? 0 : sizeBytes), 0);
    return { file, counts: { ...counts, blobs: rows.length - missing.length }, missing: missing.sort(), blobBytes };
  }
}

/** Returns false if the blob's bytes are missing or wrong. */
async function putBlob(row: BlobRow, from: readonly ObjectStorage[], chunks: ChunkStore): Promise<boolean> {
  const ids = piecesOf(row, chunks.names);
  if (chunks.hasAll(ids)) return true;
  for (const storage of from) {
    const bytes = await storage.open(blobName(row.blobId, row.generation));
    if (bytes === undefined) continue;
    const digest = createHash("sha256");
    let [index, length] = [0, 0];
    for await (const piece of pieces(bytes)) {
      digest.update(piece);
      length += piece.length;
      if (index < ids.length) await chunks.put(ids[index++]!, piece);
    }
    if (length === row.sizeBytes && digest.digest("hex") === row.sha256) return true;
    chunks.discard(ids);
  }
  return false;
}

async function* pieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    let rest = part;
    while (length + rest.byteLength >= PIECE_BYTES) {
      const taken = PIECE_BYTES - length;
      yield Buffer.concat([...held, rest.subarray(0, taken)]);
      rest = rest.subarray(taken);
      [held, length] = [[], 0];
    }
    if (rest.byteLength > 0) held.push(rest);
    length += rest.byteLength;
  }
  if (length > 0) yield Buffer.concat(held);
}

/** Copies an owner out of a database. The audit log and the key are included. */
export async function copyOwnerAside(
  { home, database, objects }: HomeLocation,
  scratch: string,
  onProgress: (text: string) => void,
): Promise<void> {
  for (const name of [FILES.records, FILES.audit, FILES.key, FILES.journals, FILES.projections])
    for (const suffix of ["", "-wal", "-shm"]) await rm(join(scratch, name) + suffix, { recursive: true, force: true });
  await readOwner({ home, database, objects }, (owner) =>
    writeOwner({ home: scratch }, owner.subject, (target) =>
      copyTables(owner, target, (_step, table, rows) => onProgress(`${table} ${rows}`)),
    ),
  );
}

const presentBlobs = async ({ home, database }: HomeLocation): Promise<BlobRow[]> =>
  database === undefined ? listBlobs(join(home, FILES.records)) : listBlobsInDatabase(database.url, database.subject);
