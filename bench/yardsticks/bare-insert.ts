// Bare batch inserts into the record table and its indexes: rows are ready in memory, 32 per statement, with a synced
// commit per megabyte.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { MIGRATIONS } from "../../src/store/sqlite/schema.ts";
import type { BenchRecord } from "../data.ts";

const ROWS = 32;
const COMMIT_BYTES = 1024 * 1024;

export interface BareInsert {
  insert(records: readonly BenchRecord[]): void;
  close(): void;
}

export function bareInsert(folder: string): BareInsert {
  const path = join(folder, "bare.db");
  const drop = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  };
  drop();
  const database: DatabaseSync = openDatabase({ path, migrations: MIGRATIONS.records, synchronous: "FULL" });
  // SQLite's default, because a hand-written program has no checkpoint thread.
  database.exec("PRAGMA wal_autocheckpoint = 1000");
  const statement = (rows: number) =>
    database.prepare(
      `INSERT INTO record (version, stream_no, id, ord, emitted_at, ingested_at, data, origin) VALUES ${Array(rows).fill("(?, ?, ?, ?, ?, ?, ?, ?)").join(", ")}`,
    );
  const many = statement(ROWS);
  const one = statement(1);
  let version = 0;
  return {
    insert(records) {
      for (let start = 0; start < records.length; ) {
        database.exec("BEGIN IMMEDIATE");
        for (let bytes = 0; bytes < COMMIT_BYTES && start < records.length; ) {
          const rows = records.length - start >= ROWS ? ROWS : 1;
          const values: (string | number | null)[] = [];
          for (const { id, data, bookedAt, emittedAt } of records.slice(start, start + rows)) {
            values.push(++version, 1, id, bookedAt, emittedAt, emittedAt, data, null);
            bytes += data.length;
          }
          (rows === ROWS ? many : one).run(...values);
          start += rows;
        }
        database.exec("COMMIT");
      }
    },
    close() {
      database.close();
      drop();
    },
  };
}
