// Tables of one index: directories with their totals, their entries packed into leaves, and the history of the totals.
import { DatabaseSync } from "node:sqlite";
import { migrate } from "../store/sqlite/schema.ts";

/** Element n migrates an index from version n to n + 1. Never edit a released one; add another. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;

  -- Directories that were read, and known ones that were left out. Ids are ascending, so a parent's id is smaller than its children's.
  CREATE TABLE dir (
    id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name BLOB NOT NULL, depth INTEGER NOT NULL, state INTEGER NOT NULL,
    -- Numbers that were given to its entries so far.
    numbered INTEGER NOT NULL,
    -- Sums may exceed what an integer holds exactly (sparse files): SQLite keeps whole REALs as short as integers.
    own_files INTEGER NOT NULL, own_dirs INTEGER NOT NULL, own_size REAL NOT NULL, own_allocated REAL NOT NULL,
    own_biggest REAL NOT NULL, own_newest REAL NOT NULL, own_problems INTEGER NOT NULL,
    -- Files with several names that are counted here.
    linked_size REAL, linked_allocated REAL,
    files INTEGER NOT NULL, dirs INTEGER NOT NULL, size REAL NOT NULL, allocated REAL NOT NULL,
    biggest REAL NOT NULL, newest REAL NOT NULL, problems INTEGER NOT NULL
  ) STRICT;
  -- The identities of directories when they were read (write/identity.ts), a thousand per value. A rescan compares nothing else.
  CREATE TABLE identity (chunk INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
  -- key = directory id * 4096 + leaf number.
  CREATE TABLE leaf (key INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
  -- All files that are larger than large_above in meta.
  CREATE TABLE large (
    size REAL NOT NULL, dir INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (size DESC, dir, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX large_by_dir ON large (dir);
  -- The names of files that have several. The file counts only at the smallest (dir, number).
  CREATE TABLE several (
    dev INTEGER NOT NULL, ino INTEGER NOT NULL, dir INTEGER NOT NULL, number INTEGER NOT NULL,
    size REAL NOT NULL, allocated REAL NOT NULL, PRIMARY KEY (dev, ino, dir, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX several_by_dir ON several (dir);
  CREATE TABLE problem (dir INTEGER NOT NULL, no INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (dir, no))
    STRICT, WITHOUT ROWID;
  -- Links to directories in this index.
  CREATE TABLE followed (
    dir INTEGER NOT NULL, number INTEGER NOT NULL, target INTEGER NOT NULL, PRIMARY KEY (dir, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE scan (
    no INTEGER PRIMARY KEY, job_id TEXT NOT NULL, mode TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
    files INTEGER NOT NULL, dirs INTEGER NOT NULL, size REAL NOT NULL, allocated REAL NOT NULL,
    problems INTEGER NOT NULL, read_dirs INTEGER NOT NULL
  ) STRICT;
  -- The totals of a directory before a scan changed them. NULL if the directory did not exist before. name is set if it was removed.
  CREATE TABLE past (
    dir INTEGER NOT NULL, scan INTEGER NOT NULL, files INTEGER, dirs INTEGER, size REAL, allocated REAL,
    parent INTEGER, name BLOB, PRIMARY KEY (dir, scan)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX past_by_scan ON past (scan);
  `,
  // The few directories that were not read (STATE). Every listing checks whether there are any below it (S-16).
  "CREATE INDEX dir_unread ON dir (id, parent) WHERE state NOT IN (1, 5)",
  `
  -- The size and time of a file before a scan found it changed (S-22). NULL if the file did not exist before.
  CREATE TABLE past_file (
    dir INTEGER NOT NULL, number INTEGER NOT NULL, scan INTEGER NOT NULL, size REAL, time REAL, PRIMARY KEY (dir, number, scan)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX past_file_by_scan ON past_file (scan);
  `,
];

const PAGE_BYTES = 8192;

export interface OpenIndexOptions {
  /** Set only by the one thread that scans into the index. */
  write?: boolean;
  /** The maximum size of the file in pages. Tests use it to simulate a full disk. */
  pages?: number;
}

export function openIndex(path: string, { write = false, pages }: OpenIndexOptions = {}): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000, readOnly: !write });
  database.exec("PRAGMA trusted_schema = OFF");
  // If the disk fails under a memory-mapped file, the whole process dies (SIGBUS). Reading is as fast without mapping,
  // measured with a million nodes.
  database.exec("PRAGMA mmap_size = 0");
  if (!write) {
    database.exec("PRAGMA cache_size = -8192");
    return database;
  }
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  database.exec("PRAGMA journal_mode = WAL");
  // The index can be rebuilt from the disk, so a commit need not wait for the device.
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec("PRAGMA wal_autocheckpoint = 8192");
  database.exec("PRAGMA cache_size = -32768");
  if (pages !== undefined) database.exec(`PRAGMA max_page_count = ${pages}`);
  migrate(database, MIGRATIONS);
  return database;
}

/** The leaves of one directory have consecutive keys. */
const LEAF_KEYS = 4096;
export const leafKey = (dir: number, part: number): number => dir * LEAF_KEYS + part;
export const dirOfLeaf = (key: number): number => Math.floor(key / LEAF_KEYS);
export const lastLeafKey = (dir: number): number => leafKey(dir, LEAF_KEYS - 1);
