// What the shell remembers: where each session stands, selections of nodes, saved queries, and the connection of each root.
// Every method waits for SQLite: in a server only the files thread calls them.
import { DatabaseSync } from "node:sqlite";
import type { NodeKind } from "../../contract/files.ts";
import { openDatabase, prepareArrays } from "../../store/sqlite/database.ts";
import type { RecordsTarget } from "../sync/records-sink.ts";

/** Element n brings it from version n to n + 1. Never edit one that was released; add another. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE root_connection (root_id TEXT PRIMARY KEY, connection_id TEXT NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
  -- client: whose it is; the owner's is ''. One per client stands in where none is named.
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
  -- Size and kind are of when it was added.
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
  -- text: the owner wants what is in the files as records, too. asked: what its records were last to be made of.
  ALTER TABLE root_connection ADD COLUMN text INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE root_connection ADD COLUMN asked TEXT;
  `,
  `
  -- size: all bytes of a selection, each once; NULL: to be found out. entries_key: what its entries are kept under, so
  -- that others can be gathered meanwhile; NULL: its own id.
  ALTER TABLE resource_set ADD COLUMN size REAL;
  ALTER TABLE resource_set ADD COLUMN entries_key TEXT;
  `,
];

export interface SessionRow {
  session_id: string;
  client: string;
  standing_in: number;
  cwd: string;
  index_id: string | null;
  node_id: string | null;
  units: string;
  page: number;
  used_at: number;
}

export interface SetRow {
  set_id: string;
  client: string;
  name: string;
  index_id: string;
  created_at: number;
  updated_at: number;
  /** All its bytes, each once; null: not found out since it changed. */
  size: number | null;
}

export interface SetTotals {
  entries: number;
  files: number;
  dirs: number;
  /** Of all entries, also where one lies in another. */
  sum: number;
}

export interface QueryRow {
  query_id: string;
  client: string;
  name: string;
  index_id: string;
  filter: string;
  set_id: string | null;
  created_at: number;
  executed_at: number | null;
}

export interface SetEntry {
  nodeId: string;
  kind: NodeKind;
  size: number;
}

/** What the records of a root were last to be made of: this scan of this index, with texts or without. */
export interface RecordsAsked {
  indexId: string;
  scan: number;
  text: boolean;
  /** The declaration that its streams were opened under. */
  declared: string;
}

/** Where a page of selections or queries ended. */
export type ListPlace = [createdAt: number, id: string];
const FIRST: ListPlace = [Number.MAX_SAFE_INTEGER, ""];

export interface Forgotten {
  resourceSets: number;
  queries: number;
}

/** Sessions of one client that are remembered. */
const SESSIONS_KEPT = 200;

export class ShellStore {
  readonly #path: string;
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#path = path;
    this.#database = openDatabase({ path, migrations: MIGRATIONS, synchronous: "FULL", cacheMegabytes: 4 });
    this.#database.exec("PRAGMA wal_autocheckpoint = 1000");
  }

  connectionOf(rootId: string): string | undefined {
    const row = this.#database.prepare("SELECT connection_id FROM root_connection WHERE root_id = ?").get(rootId);
    return row?.connection_id as string | undefined;
  }

  setConnection(rootId: string, connectionId: string): void {
    this.#database
      .prepare(`
        INSERT INTO root_connection (root_id, connection_id) VALUES (?, ?)
        ON CONFLICT (root_id) DO UPDATE SET connection_id = excluded.connection_id, asked = NULL`)
      .run(rootId, connectionId);
  }

  /** Of the index that a root's records are made of. */
  recordsTarget(indexId: string, gentle: boolean): RecordsTarget | undefined {
    const row = this.#one<{ connection_id: string; text: number }>(
      "SELECT connection_id, text FROM root_connection WHERE asked ->> 'indexId' = ?",
      indexId,
    );
    return row === undefined ? undefined : { connectionId: row.connection_id, text: row.text === 1, gentle };
  }

  wantsText(rootId: string): boolean {
    return this.#one<{ text: number }>("SELECT text FROM root_connection WHERE root_id = ?", rootId)?.text === 1;
  }

  setText(rootId: string, text: boolean): void {
    this.#database.prepare("UPDATE root_connection SET text = ? WHERE root_id = ?").run(Number(text), rootId);
  }

  asked(rootId: string): RecordsAsked | undefined {
    const row = this.#one<{ asked: string | null }>("SELECT asked FROM root_connection WHERE root_id = ?", rootId);
    return row?.asked === undefined || row.asked === null ? undefined : (JSON.parse(row.asked) as RecordsAsked);
  }

  setAsked(rootId: string, asked: RecordsAsked | undefined): void {
    this.#database
      .prepare("UPDATE root_connection SET asked = ? WHERE root_id = ?")
      .run(asked === undefined ? null : JSON.stringify(asked), rootId);
  }

  /** With all that hangs on its indexes; tells how much that was. */
  forgetRoot(rootId: string, indexIds: readonly string[]): Forgotten {
    return this.#transaction(() => {
      this.#database.prepare("DELETE FROM root_connection WHERE root_id = ?").run(rootId);
      return this.#forget(indexIds);
    });
  }

  forgetIndexes(indexIds: readonly string[]): Forgotten {
    return this.#transaction(() => this.#forget(indexIds));
  }

  session(sessionId: string): SessionRow | undefined {
    return this.#one("SELECT * FROM session WHERE session_id = ?", sessionId);
  }

  standIn(client: string): SessionRow | undefined {
    return this.#one("SELECT * FROM session WHERE client = ? AND standing_in = 1", client);
  }

  /** Not synced: after a power cut a session may stand where it stood before. */
  putSession(row: SessionRow): void {
    this.#unsynced(() => {
      this.#database
        .prepare("INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .run(
          row.session_id,
          row.client,
          row.standing_in,
          row.cwd,
          row.index_id,
          row.node_id,
          row.units,
          row.page,
          row.used_at,
        );
      this.#database
        .prepare(
          "DELETE FROM session WHERE standing_in = 0 AND session_id IN (SELECT session_id FROM session WHERE client = ? ORDER BY used_at DESC LIMIT -1 OFFSET ?)",
        )
        .run(row.client, SESSIONS_KEPT);
    });
  }

  set(setId: string): SetRow | undefined {
    return this.#one("SELECT * FROM resource_set WHERE set_id = ?", setId);
  }

  /** Of these indexes, newest first; `before` is where the page before ended. */
  sets(client: string, indexIds: readonly string[], limit: number, before?: ListPlace): SetRow[] {
    return this.#database
      .prepare(`
        SELECT * FROM resource_set
        WHERE client = ? AND (created_at, set_id) < (?, ?) AND index_id IN (SELECT value FROM json_each(?))
        ORDER BY created_at DESC, set_id DESC LIMIT ?`)
      .all(client, ...(before ?? FIRST), JSON.stringify(indexIds), limit) as unknown as SetRow[];
  }

  /** Everybody's of one index, newest first. */
  setsOf(indexId: string, limit: number): SetRow[] {
    return this.#database
      .prepare("SELECT * FROM resource_set WHERE index_id = ? ORDER BY created_at DESC, set_id DESC LIMIT ?")
      .all(indexId, limit) as unknown as SetRow[];
  }

  countSets(client: string): number {
    return this.#count("SELECT count(*) AS n FROM resource_set WHERE client = ?", client);
  }

  /** `key`: what its entries were gathered under, if they were. */
  putSet(row: SetRow, key: string | null = null): void {
    this.#database
      .prepare("INSERT INTO resource_set VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .run(row.set_id, row.client, row.name, row.index_id, row.created_at, row.updated_at, row.size, key);
  }

  /** Its entries stay, unseen, under the key that this answers: `discard` removes them. */
  deleteSet(setId: string): string {
    const key = this.#key(setId);
    this.#database.prepare("DELETE FROM resource_set WHERE set_id = ?").run(setId);
    return key;
  }

  totals(setId: string): SetTotals {
    const row = this.#database
      .prepare(
        "SELECT count(*) AS entries, count(*) FILTER (WHERE kind = 'dir') AS dirs, coalesce(sum(size), 0) AS sum FROM set_entry WHERE set_id = ?",
      )
      .get(this.#key(setId)) as { entries: number; dirs: number; sum: number };
    return { ...row, files: row.entries - row.dirs };
  }

  /** Unless it changed since. */
  setSize({ set_id, updated_at }: SetRow, size: number): void {
    this.#database
      .prepare("UPDATE resource_set SET size = ? WHERE set_id = ? AND updated_at = ?")
      .run(size, set_id, updated_at);
  }

  /** In one transaction: all of them, or none. */
  addEntries(setId: string, entries: readonly SetEntry[], now: number): void {
    const insert = this.#database.prepare("INSERT OR REPLACE INTO set_entry VALUES (?, ?, ?, ?)");
    this.#transaction(() => {
      const key = this.#key(setId);
      for (const { nodeId, kind, size } of entries) insert.run(key, nodeId, kind, size);
      this.#touch(setId, now);
    });
  }

  removeEntries(setId: string, nodeIds: readonly string[], now: number): void {
    const remove = this.#database.prepare("DELETE FROM set_entry WHERE set_id = ? AND node_id = ?");
    this.#transaction(() => {
      const key = this.#key(setId);
      for (const nodeId of nodeIds) remove.run(key, nodeId);
      this.#touch(setId, now);
    });
  }

  /** All of it, or nothing. */
  changeSet(
    { set_id }: SetRow,
    { add, remove, name }: { add: readonly SetEntry[]; remove: readonly string[]; name: string },
    now: number,
  ): void {
    const insert = this.#database.prepare("INSERT OR REPLACE INTO set_entry VALUES (?, ?, ?, ?)");
    const drop = this.#database.prepare("DELETE FROM set_entry WHERE set_id = ? AND node_id = ?");
    this.#transaction(() => {
      const key = this.#key(set_id);
      for (const { nodeId, kind, size } of add) insert.run(key, nodeId, kind, size);
      for (const nodeId of remove) drop.run(key, nodeId);
      this.#database
        .prepare("UPDATE resource_set SET name = ?, updated_at = ?, size = NULL WHERE set_id = ?")
        .run(name, now, set_id);
    });
  }

  /** Entries of a selection that is still being filled: no call sees them yet. They are on the disk with the next synced commit. */
  gather(key: string, entries: readonly SetEntry[]): void {
    const insert = this.#database.prepare("INSERT OR REPLACE INTO set_entry VALUES (?, ?, ?, ?)");
    this.#unsynced(() => {
      for (const { nodeId, kind, size } of entries) insert.run(key, nodeId, kind, size);
    });
  }

  /** What was gathered takes the place of what was in it, at once; answers what that was kept under. */
  replaceEntries(setId: string, key: string, size: number, now: number): string {
    const before = this.#key(setId);
    this.#database
      .prepare("UPDATE resource_set SET entries_key = ?, size = ?, updated_at = ? WHERE set_id = ?")
      .run(key, size, now, setId);
    return before;
  }

  /** Some of what nobody sees any more; false when nothing is left. */
  discard(key: string): boolean {
    return this.#unsynced(() => {
      const { changes } = this.#database
        .prepare(
          "DELETE FROM set_entry WHERE set_id = ?1 AND node_id IN (SELECT node_id FROM set_entry WHERE set_id = ?1 LIMIT 5000)",
        )
        .run(key);
      return changes > 0;
    });
  }

  /** The entries of each of these selections by node, all as they are now, however long it takes to read them. */
  snapshot(setIds: readonly string[]): { entries: Iterator<SetEntry>[]; close(): void } {
    const database = new DatabaseSync(this.#path, { readOnly: true });
    database.exec("BEGIN");
    const entries = setIds.map((setId) => {
      const statement = prepareArrays(
        database,
        `SELECT node_id, kind, size FROM set_entry
         WHERE set_id = (SELECT coalesce(entries_key, set_id) FROM resource_set WHERE set_id = ?) ORDER BY node_id`,
      );
      return entriesFrom(statement.iterate(setId) as unknown as Iterable<[string, NodeKind, number]>);
    });
    return { entries, close: () => database.close() };
  }

  /** By node, after the last one of the page before. */
  entries(setId: string, limit: number, after = ""): SetEntry[] {
    return this.#database
      .prepare("SELECT node_id, kind, size FROM set_entry WHERE set_id = ? AND node_id > ? ORDER BY node_id LIMIT ?")
      .all(this.#key(setId), after, limit)
      .map((row) => ({ nodeId: row.node_id as string, kind: row.kind as NodeKind, size: row.size as number }));
  }

  largest(setId: string, limit: number): SetEntry[] {
    return this.#database
      .prepare("SELECT node_id, kind, size FROM set_entry WHERE set_id = ? ORDER BY size DESC, node_id LIMIT ?")
      .all(this.#key(setId), limit)
      .map((row) => ({ nodeId: row.node_id as string, kind: row.kind as NodeKind, size: row.size as number }));
  }

  query(queryId: string): QueryRow | undefined {
    return this.#one("SELECT * FROM query WHERE query_id = ?", queryId);
  }

  queries(client: string, indexIds: readonly string[], limit: number, before?: ListPlace): QueryRow[] {
    return this.#database
      .prepare(`
        SELECT * FROM query
        WHERE client = ? AND (created_at, query_id) < (?, ?) AND index_id IN (SELECT value FROM json_each(?))
        ORDER BY created_at DESC, query_id DESC LIMIT ?`)
      .all(client, ...(before ?? FIRST), JSON.stringify(indexIds), limit) as unknown as QueryRow[];
  }

  queriesOf(indexId: string, limit: number): QueryRow[] {
    return this.#database
      .prepare("SELECT * FROM query WHERE index_id = ? ORDER BY created_at DESC, query_id DESC LIMIT ?")
      .all(indexId, limit) as unknown as QueryRow[];
  }

  countQueries(client: string): number {
    return this.#count("SELECT count(*) AS n FROM query WHERE client = ?", client);
  }

  putQuery(row: QueryRow): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO query VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .run(row.query_id, row.client, row.name, row.index_id, row.filter, row.set_id, row.created_at, row.executed_at);
  }

  deleteQuery(queryId: string): void {
    this.#database.prepare("DELETE FROM query WHERE query_id = ?").run(queryId);
  }

  close(): void {
    this.#database.close();
  }

  /** Selections and saved queries of indexes that are gone; whoever stood there stands at the top. */
  #forget(indexIds: readonly string[]): Forgotten {
    const gone = { resourceSets: 0, queries: 0 };
    const change = (sql: string, indexId: string): number => Number(this.#database.prepare(sql).run(indexId).changes);
    for (const indexId of indexIds) {
      change(
        "DELETE FROM set_entry WHERE set_id IN (SELECT coalesce(entries_key, set_id) FROM resource_set WHERE index_id = ?)",
        indexId,
      );
      gone.resourceSets += change("DELETE FROM resource_set WHERE index_id = ?", indexId);
      gone.queries += change("DELETE FROM query WHERE index_id = ?", indexId);
      change("UPDATE session SET cwd = '/', index_id = NULL, node_id = NULL WHERE index_id = ?", indexId);
    }
    return gone;
  }

  #key(setId: string): string {
    const row = this.#one<{ entries_key: string | null }>(
      "SELECT entries_key FROM resource_set WHERE set_id = ?",
      setId,
    );
    return row?.entries_key ?? setId;
  }

  #touch(setId: string, now: number): void {
    this.#database.prepare("UPDATE resource_set SET updated_at = ?, size = NULL WHERE set_id = ?").run(now, setId);
  }

  #one<T>(sql: string, ...values: string[]): T | undefined {
    return this.#database.prepare(sql).get(...values) as unknown as T | undefined;
  }

  #count(sql: string, value: string): number {
    return this.#database.prepare(sql).get(value)!.n as number;
  }

  /** In a transaction that a crash of the process does not lose, but a power cut may. */
  #unsynced<T>(work: () => T): T {
    this.#database.exec("PRAGMA synchronous = NORMAL");
    try {
      return this.#transaction(work);
    } finally {
      this.#database.exec("PRAGMA synchronous = FULL");
    }
  }

  #transaction<T>(work: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}

function* entriesFrom(rows: Iterable<[nodeId: string, kind: NodeKind, size: number]>): Generator<SetEntry> {
  for (const [nodeId, kind, size] of rows) yield { nodeId, kind, size };
}
