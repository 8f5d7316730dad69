// Opens a home's database files: sets pragmas, requires a safe SQLite version, and turns SQLite's failures into our
// errors.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { PdppError } from "../../contract/errors.ts";
import { damaged } from "../damage.ts";
import { defineSums } from "./row-sums.ts";
import { migrate } from "./schema.ts";

/** In older versions, WAL can lose acknowledged writes. */
export const SQLITE_FLOOR = [3, 51, 3] as const;

export interface OpenOptions {
  path: string;
  migrations: readonly string[];
  /**
   * With FULL, a commit is on the disk when it returns. With NORMAL, it survives a crash of the process but not of the
   * machine.
   */
  synchronous: "FULL" | "NORMAL";
  cacheMegabytes?: number;
  limits?: DatabaseLimits;
  /** Keeps a copy of the file before a migration, because its data cannot be rebuilt. */
  keepCopy?: true;
}

/** Limits of the machine, which tests make small. */
export interface DatabaseLimits {
  /** How long to wait for another connection's lock. */
  busyMilliseconds?: number;
  /** The maximum size of the file. */
  pages?: number;
  /** The maximum memory for the page cache. Defaults to 16 MB. */
  cacheMegabytes?: number;
  /** If the log exceeds this, a commit moves it into the file. Defaults to 0, because a separate thread does that. */
  logPages?: number;
}

export function openDatabase(options: OpenOptions): DatabaseSync {
  const { path, migrations, synchronous, limits = {} } = options;
  const cacheMegabytes = options.cacheMegabytes ?? limits.cacheMegabytes ?? 16;
  return withTypedErrors(() => {
    const database = new DatabaseSync(path, { timeout: limits.busyMilliseconds ?? 10_000 });
    requireVersion(database);
    // Applies only to a new file. Half-kilobyte records waste space in 4 KB pages. With 8 KB pages, the file is 5 %
    // smaller and ingest is 50 % faster.
    database.exec("PRAGMA page_size = 8192");
    database.exec("PRAGMA journal_mode = WAL");
    // A server's checkpoints run in their own thread, because in the writer's thread they would slow down one commit in
    // a hundred.
    database.exec(`PRAGMA wal_autocheckpoint = ${limits.logPages ?? 0}`);
    database.exec(`PRAGMA synchronous = ${synchronous}`);
    database.exec(`PRAGMA cache_size = -${cacheMegabytes * 1024}`);
    // If the disk fails under a memory-mapped file, the whole process dies (SIGBUS). Without mapping, a failed read
    // fails only one call.
    database.exec("PRAGMA mmap_size = 0");
    database.exec("PRAGMA trusted_schema = OFF");
    if (limits.pages !== undefined) database.exec(`PRAGMA max_page_count = ${limits.pages}`);
    // A page with a cell outside its bounds is damaged. Without this setting, SQLite trusts it.
    database.exec("PRAGMA cell_size_check = ON");
    defineSums(database);
    migrate(database, migrations, options.keepCopy ? path : undefined);
    return database;
  });
}

/** True if this SQLite version can be trusted with acknowledged writes. */
export function sqliteIsSafe(version: string): boolean {
  const parts = version.split(".").map(Number);
  const differs = SQLITE_FLOOR.findIndex((floor, index) => (parts[index] ?? 0) !== floor);
  return differs === -1 || (parts[differs] ?? 0) > SQLITE_FLOOR[differs]!;
}

function requireVersion(database: DatabaseSync): void {
  const version = database.prepare("SELECT sqlite_version() AS version").get()!.version as string;
  if (!sqliteIsSafe(version)) {
    throw new PdppError(
      "store_unavailable",
      `SQLite ${version} is too old: Postern needs ${SQLITE_FLOOR.join(".")} or newer`,
      {
        next_step: "Use a newer Node 24 release.",
      },
    );
  }
}

/** Prepares a statement that returns rows as arrays, which cost half as much as objects on hot paths. */
export function prepareArrays(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

const SQLITE_CODES: Record<number, "storage_full" | "storage_failed" | "store_unavailable" | "store_damaged"> = {
  5: "store_unavailable", // BUSY
  6: "store_unavailable", // LOCKED
  10: "storage_failed", // IOERR
  11: "store_damaged", // CORRUPT
  13: "storage_full", // FULL
  14: "store_unavailable", // CANTOPEN
  26: "store_damaged", // NOTADB
};

const SQLITE_READONLY = 8;
const READ_ONLY_STEP =
  "Make the disk writable and allow this user to write to the home. `pdpp backup`, `pdpp export` and `pdpp move` work from a read-only home.";

export function withTypedErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw typedError(error);
  }
}

/** SQLite's messages for a damaged schema, or for text that should be JSON. */
const FOREIGN_SCHEMA = /^(no such (table|column|index)|malformed JSON|table \w+ has no column)/;

export function typedError(error: unknown): unknown {
  if (error instanceof PdppError || !(error instanceof Error)) return error;
  const { errcode, code, syscall } = error as { errcode?: number; code?: string; syscall?: string };
  if (code === "ENOSPC" || code === "EDQUOT") return new PdppError("storage_full", "the disk is full");
  if (code === "EIO") return new PdppError("storage_failed", `the disk reports an error: ${syscall} ${code}`);
  if (code === "EROFS" || (errcode !== undefined && (errcode & 0xff) === SQLITE_READONLY))
    return new PdppError("store_unavailable", "the home cannot be written to: its disk or its files are read-only", {
      next_step: READ_ONLY_STEP,
    });
  // Omit the path, because callers do not need to know where the home is.
  if (syscall !== undefined)
    return new PdppError("store_unavailable", `the store's files cannot be used: ${syscall} ${code}`);
  const typed = code === "ERR_SQLITE_ERROR" && errcode !== undefined ? SQLITE_CODES[errcode & 0xff] : undefined;
  // The database contains a number that no row of ours has, or lacks a table that every home has.
  if (code === "ERR_OUT_OF_RANGE" || (errcode === 1 && FOREIGN_SCHEMA.test(error.message)))
    return damaged(error.message);
  if (typed === "store_damaged") return damaged(error.message);
  return typed === undefined ? error : new PdppError(typed, `the store reports: ${error.message}`);
}
