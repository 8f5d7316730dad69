// File digests, stored next to the index. A digest is valid as long as the file's size and time are unchanged.
import { existsSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { openDatabase } from "../../store/sqlite/database.ts";

/** Element n migrates a digest file from version n to n + 1. Never edit a released one; add another. */
const MIGRATIONS: readonly string[] = [
  `
  -- partial is a digest of both ends of a file; whole is the SHA-256 of the whole file.
  CREATE TABLE digest (
    dir INTEGER NOT NULL, number INTEGER NOT NULL, size REAL NOT NULL, time REAL NOT NULL, partial BLOB NOT NULL, whole BLOB,
    PRIMARY KEY (dir, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX digest_by_whole ON digest (whole, size) WHERE whole IS NOT NULL;
  `,
];

export interface DigestRow {
  dir: number;
  number: number;
  size: number;
  time: number;
  partial: Uint8Array;
  whole: Uint8Array | null;
}

export type CompleteDigest = DigestRow & { whole: Uint8Array };

export class DigestStore {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;

  constructor(path: string) {
    this.#database = openDatabase({ path, migrations: MIGRATIONS, synchronous: "NORMAL", cacheMegabytes: 2 });
    this.#database.exec("PRAGMA wal_autocheckpoint = 1000");
    this.#get = this.#database.prepare("SELECT * FROM digest WHERE dir = ? AND number = ?");
  }

  get(dir: number, number: number): DigestRow | undefined {
    return this.#get.get(dir, number) as DigestRow | undefined;
  }

  /** Stores all rows in one commit. */
  put(rows: readonly DigestRow[]): void {
    const statement = this.#database.prepare("INSERT OR REPLACE INTO digest VALUES (?, ?, ?, ?, ?, ?)");
    this.#database.exec("BEGIN IMMEDIATE");
    for (const { dir, number, size, time, partial, whole } of rows)
      statement.run(dir, number, size, time, partial, whole);
    this.#database.exec("COMMIT");
  }

  all(): DigestRow[] {
    return this.#database.prepare("SELECT * FROM digest").all() as unknown as DigestRow[];
  }

  /** Returns the files that were hashed in full, ordered by directory. */
  whole(): CompleteDigest[] {
    return this.#database
      .prepare("SELECT * FROM digest WHERE whole IS NOT NULL ORDER BY dir, number")
      .all() as unknown as CompleteDigest[];
  }

  close(): void {
    this.#database.close();
  }
}

/** Returns undefined until the first digest is computed. */
export const openDigests = (path: string): DigestStore | undefined =>
  existsSync(path) ? new DigestStore(path) : undefined;
