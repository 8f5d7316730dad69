// Reads a home's database files for backup and doctor without opening them as a store: copies, checks and counts.
import { randomBytes } from "node:crypto";
import { backup, DatabaseSync } from "node:sqlite";
import type { BlobRow } from "../rows.ts";
import type { Era } from "../store.ts";
import { typedError, withTypedErrors } from "./database.ts";
import { BUMP_EPOCH, defineSums, insertInto } from "./row-sums.ts";

/** Copies all pages in one step. In WAL mode this is one snapshot, and writers neither wait for it nor restart it. */
const WHOLE = 2 ** 31 - 1;

/** Makes a consistent copy of one database file while others write to it. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = openReadOnly(from);
  try {
    await backup(source, to, { rate: WHOLE });
  } catch (error) {
    throw typedError(error);
  } finally {
    source.close();
  }
}

export interface SqliteCheck {
  /** The format in which the file was written. */
  format: number;
  /** The problems that SQLite found, in SQLite's words. */
  problems: string[];
}

export function checkDatabase(path: string): SqliteCheck {
  const database = openReadOnly(path);
  try {
    const format = database.prepare("PRAGMA user_version").get()!.user_version as number;
    return { format, problems: problemsIn(database) };
  } catch (error) {
    return { format: 0, problems: [(error as Error).message] };
  } finally {
    database.close();
  }
}

/** Returns the problems that SQLite finds, in SQLite's words. */
export const problemsIn = (database: DatabaseSync): string[] =>
  database
    .prepare("PRAGMA quick_check(5)")
    .all()
    .map((row) => row.quick_check as string)
    .filter((line) => line !== "ok");

export const pageBytes = (database: DatabaseSync): number =>
  database.prepare("PRAGMA page_size").get()!.page_size as number;

export interface HomeCounts {
  sources: number;
  connections: number;
  streams: number;
  records: number;
  grants: number;
  tokens: number;
  blobs: number;
}

export const countHome = (recordsPath: string): HomeCounts => reading(recordsPath, countIn);

export function countIn(records: DatabaseSync): HomeCounts {
  const one = (sql: string) => Object.values(records.prepare(sql).get()!)[0] as number;
  return {
    sources: one("SELECT count(*) FROM source"),
    connections: one("SELECT count(*) FROM connection"),
    streams: one("SELECT count(*) FROM stream"),
    records: one("SELECT coalesce(sum(live), 0) FROM stream"),
    grants: one("SELECT count(*) FROM access_grant WHERE revoked_at IS NULL"),
    tokens: one("SELECT count(*) FROM token"),
    blobs: one("SELECT count(*) FROM blob"),
  };
}

/** Returns the owner of the data, or null if the home has not been opened yet. */
export const ownerOfHome = (recordsPath: string): string | null =>
  reading(recordsPath, (database) => {
    const row = database.prepare("SELECT subject_id FROM subject ORDER BY rowid LIMIT 1").get();
    return (row?.subject_id as string | undefined) ?? null;
  });

export const listBlobs = (recordsPath: string): BlobRow[] => reading(recordsPath, blobsIn);

export const blobsIn = (records: DatabaseSync): BlobRow[] =>
  records
    // Select all columns, because a backup of an older format has no generations.
    .prepare("SELECT * FROM blob ORDER BY blob_id")
    .all()
    .map((row) => ({
      blobId: row.blob_id as string,
      generation: (row.generation ?? null) as string | null,
      mimeType: row.mime_type as string,
      sizeBytes: row.size_bytes as number,
      sha256: row.sha256 as string,
    }));

export const streamNames = (recordsPath: string): Map<number, string> =>
  reading(
    recordsPath,
    (database) =>
      new Map(
        database
          .prepare("SELECT stream_no, name FROM stream")
          .all()
          .map((row) => [row.stream_no as number, row.name as string]),
      ),
  );

export const entriesIn = (audit: DatabaseSync): number =>
  audit.prepare("SELECT count(*) AS count FROM entry").get()!.count as number;

/** Counts the stored segments of all projections. Reading them is up to the projections. */
export function countSegments(projectionsPath: string): number {
  return reading(
    projectionsPath,
    (database) => database.prepare("SELECT count(*) AS count FROM segment").get()!.count as number,
  );
}

/** A copy of the log has no journals, so their absence must not be reported. */
export function forgetJournals(auditPath: string): void {
  withTypedErrors(() => {
    const database = new DatabaseSync(auditPath);
    try {
      database.exec("DELETE FROM journal WHERE state <> 'changed'");
    } finally {
      database.close();
    }
  });
}

/** Starts a new era of the feed, so that new versions are not confused with lost ones. */
export function beginEra(recordsPath: string): void {
  withTypedErrors(() => {
    const database = new DatabaseSync(recordsPath);
    defineSums(database);
    try {
      const stored = database.prepare("SELECT value FROM meta WHERE key = 'eras'").get()?.value as string | undefined;
      const version = database.prepare("SELECT value FROM meta WHERE key = 'version'").get()!.value as number;
      const eras = erasFrom(stored).map((era) => (era.until === null ? { ...era, until: version } : era));
      eras.push({ name: randomBytes(6).toString("base64url"), until: null });
      database.prepare(`INSERT OR REPLACE ${insertInto("meta")}`).run("eras", JSON.stringify(eras));
      database.exec(BUMP_EPOCH);
    } finally {
      database.close();
    }
  });
}

/** A home that was never restored has one era. */
export const erasFrom = (stored: string | undefined): Era[] =>
  stored === undefined ? [{ name: "", until: null }] : (JSON.parse(stored) as Era[]);

function reading<T>(path: string, work: (database: DatabaseSync) => T): T {
  return withTypedErrors(() => {
    const database = openReadOnly(path);
    try {
      return work(database);
    } finally {
      database.close();
    }
  });
}

export function openReadOnly(path: string): DatabaseSync {
  return withTypedErrors(() => new DatabaseSync(path, { readOnly: true, timeout: 10_000 }));
}
