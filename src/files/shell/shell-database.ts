// The shell's database and the helpers that write its tables. Every method waits for SQLite, so in a server only the
// files thread calls them.
import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../store/sqlite/database.ts";

/** Element n migrates the database from version n to n + 1. Never edit a released one; add another. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE root_connection (root_id TEXT PRIMARY KEY, connection_id TEXT NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
  -- client is the app that the session belongs to, or '' for the owner. standing_in is 1 for the session that an app uses by default.
  CREATE TABLE session (
    session_id TEXT PRIMARY KEY, client TEXT NOT NULL, standing_in INTEGER NOT NULL, cwd TEXT NOT NULL, index_id TEXT,
    node_id TEXT, units TEXT NOT NULL, page INTEGER NOT NULL, used_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX session_by_client ON session (client, used_at);
  CREATE TABLE resource_set (
    set_id TEXT PRIMARY KEY, client TEXT NOT NULL, name TEXT NOT NULL, index_id TEXT NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX resource_set_by_client ON resource_set (client, created_at);
  -- size and kind are as they were when the entry was added.
  CREATE TABLE set_entry (
    set_id TEXT NOT NULL, node_id TEXT NOT NULL, kind TEXT NOT NULL, size REAL NOT NULL, PRIMARY KEY (set_id, node_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE query (
    query_id TEXT PRIMARY KEY, client TEXT NOT NULL, name TEXT NOT NULL, index_id TEXT NOT NULL, filter TEXT NOT NULL,
    set_id TEXT, created_at INTEGER NOT NULL, executed_at INTEGER
  ) STRICT;
  CREATE INDEX query_by_client ON query (client, created_at);
  `,
  `
  -- text is above 0 if the owner also wants the text of the files as records. asked is the last request for what the records contain.
  ALTER TABLE root_connection ADD COLUMN text INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE root_connection ADD COLUMN asked TEXT;
  `,
  `
  -- size is the number of bytes in a selection, each counted once, or NULL if it is not known yet. entries_key is the key of the
  -- selection's entries, so that new entries can be collected beside them. NULL means its own id.
  ALTER TABLE resource_set ADD COLUMN size REAL;
  ALTER TABLE resource_set ADD COLUMN entries_key TEXT;
  `,
  // 1 if the session chose which index of its root to use. Otherwise it uses the fullest (S-16).
  "ALTER TABLE session ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0",
  `
  -- totals contains the totals of the selection and the number of scans of its index at that time. NULL if the selection changed since.
  ALTER TABLE resource_set DROP COLUMN size;
  ALTER TABLE resource_set ADD COLUMN totals TEXT;
  -- Entries are listed by size, largest first.
  CREATE INDEX set_entry_by_size ON set_entry (set_id, size DESC, node_id, kind);
  `,
  `
  -- chat is a digest of the app's own id for the chat (S-23). Each chat has one session.
  ALTER TABLE session ADD COLUMN chat TEXT;
  CREATE INDEX session_by_chat ON session (client, chat) WHERE chat IS NOT NULL;
  -- expires_at is set for unnamed queries and selections, which are not listed.
  ALTER TABLE query ADD COLUMN expires_at INTEGER;
  ALTER TABLE resource_set ADD COLUMN expires_at INTEGER;
  `,
];

/** The position at which a page of selections or queries ended. */
export type ListPlace = [createdAt: number, id: string];
export const FIRST: ListPlace = [Number.MAX_SAFE_INTEGER, ""];

export interface ShellDatabase {
  path: string;
  database: DatabaseSync;
  one<T>(sql: string, ...values: string[]): T | undefined;
  count(sql: string, value: string): number;
  transaction<T>(work: () => T): T;
  /** Runs in a transaction that survives a process crash, but maybe not a power cut. */
  unsynced<T>(work: () => T): T;
}

export function openShellDatabase(path: string): ShellDatabase {
  const database = openDatabase({
    path,
    migrations: MIGRATIONS,
    synchronous: "FULL",
    cacheMegabytes: 4,
    keepCopy: true,
  });
  database.exec("PRAGMA wal_autocheckpoint = 1000");

  function transaction<T>(work: () => T): T {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }

  return {
    path,
    database,
    transaction,
    one: <T>(sql: string, ...values: string[]) => database.prepare(sql).get(...values) as unknown as T | undefined,
    count: (sql, value) => database.prepare(sql).get(value)!.n as number,
    unsynced(work) {
      database.exec("PRAGMA synchronous = NORMAL");
      try {
        return transaction(work);
      } finally {
        database.exec("PRAGMA synchronous = FULL");
      }
    },
  };
}
