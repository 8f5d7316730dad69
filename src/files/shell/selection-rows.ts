// Selections of the shell. A selection is a list of nodes in one index.
import { DatabaseSync } from "node:sqlite";
import type { NodeKind } from "../../contract/files.ts";
import { prepareArrays } from "../../store/sqlite/database.ts";
import type { GatheredTotals } from "../read/gathered.ts";
import { FIRST, type ListPlace, type ShellDatabase } from "./shell-database.ts";

export interface SetRow {
  set_id: string;
  client: string;
  name: string;
  index_id: string;
  created_at: number;
  updated_at: number;
  /** KnownTotals as JSON. Null if the selection has changed since they were computed. */
  totals: string | null;
  /** When an unnamed selection expires. Null if it is kept. */
  expires_at: number | null;
}

export interface KnownTotals extends GatheredTotals {
  /** How many scans the index had at the time. A later scan may change the totals. */
  scans: number;
}

/** The last entry of a page. */
export type EntryPosition = [size: number, nodeId: string];

export interface SetEntry {
  nodeId: string;
  kind: NodeKind;
  size: number;
}

export function selectionRows({ path, database, one, count, transaction, unsynced }: ShellDatabase) {
  function keyOf(setId: string): string {
    const row = one<{ entries_key: string | null }>("SELECT entries_key FROM resource_set WHERE set_id = ?", setId);
    return row?.entries_key ?? setId;
  }

  function touch(setId: string, now: number): void {
    database.prepare("UPDATE resource_set SET updated_at = ?, totals = NULL WHERE set_id = ?").run(now, setId);
  }

  return {
    set(setId: string): SetRow | undefined {
      return one("SELECT * FROM resource_set WHERE set_id = ?", setId);
    },

    /** Returns the selections of these indexes, newest first. `before` is where the previous page ended. */
    sets(client: string, indexIds: readonly string[], limit: number, before?: ListPlace): SetRow[] {
      return database
        .prepare(`
          SELECT * FROM resource_set
          WHERE client = ? AND expires_at IS NULL AND (created_at, set_id) < (?, ?) AND index_id IN (SELECT value FROM json_each(?))
          ORDER BY created_at DESC, set_id DESC LIMIT ?`)
        .all(client, ...(before ?? FIRST), JSON.stringify(indexIds), limit) as unknown as SetRow[];
    },

    /** Returns the selections of one index from all apps, newest first. */
    setsOf(indexId: string, limit: number): SetRow[] {
      return database
        .prepare(
          "SELECT * FROM resource_set WHERE index_id = ? AND expires_at IS NULL ORDER BY created_at DESC, set_id DESC LIMIT ?",
        )
        .all(indexId, limit) as unknown as SetRow[];
    },

    countSets(client: string): number {
      return count("SELECT count(*) AS n FROM resource_set WHERE client = ? AND expires_at IS NULL", client);
    },

    /** `key` is the key under which the entries were gathered, if they were gathered in steps. */
    putSet(row: SetRow, key: string | null = null): void {
      database
        .prepare("INSERT INTO resource_set VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .run(
          row.set_id,
          row.client,
          row.name,
          row.index_id,
          row.created_at,
          row.updated_at,
          key,
          row.totals,
          row.expires_at,
        );
    },

    /** Returns all expired selections, and this app's oldest unnamed selections beyond the number to keep. */
    expired(client: string, now: number, kept: number): string[] {
      const rows = database
        .prepare(`
          SELECT set_id FROM resource_set WHERE expires_at <= ?1
          UNION SELECT set_id FROM (
            SELECT set_id FROM resource_set WHERE client = ?2 AND expires_at IS NOT NULL
            ORDER BY expires_at DESC LIMIT -1 OFFSET ?3)`)
        .all(now, client, kept);
      return rows.map(({ set_id }) => set_id as string);
    },

    setExpiry(setId: string, expiresAt: number | null): void {
      database.prepare("UPDATE resource_set SET expires_at = ? WHERE set_id = ?").run(expiresAt, setId);
    },

    /** Deletes a selection. Its entries remain, invisible, under the returned key until `discard` removes them. */
    deleteSet(setId: string): string {
      const key = keyOf(setId);
      database.prepare("DELETE FROM resource_set WHERE set_id = ?").run(setId);
      return key;
    },

    /** Includes entries that were deleted from the disk. */
    countEntries(setId: string): number {
      return count("SELECT count(*) AS n FROM set_entry WHERE set_id = ?", keyOf(setId));
    },

    /** Stores the totals, unless the selection has changed in the meantime. */
    setTotals({ set_id, updated_at }: SetRow, totals: KnownTotals): void {
      database
        .prepare("UPDATE resource_set SET totals = ? WHERE set_id = ? AND updated_at = ?")
        .run(JSON.stringify(totals), set_id, updated_at);
    },

    /** Adds all entries or none, in one transaction. */
    addEntries(setId: string, entries: readonly SetEntry[], now: number): void {
      const insert = database.prepare("INSERT OR REPLACE INTO set_entry VALUES (?, ?, ?, ?)");
      transaction(() => {
        const key = keyOf(setId);
        for (const { nodeId, kind, size } of entries) insert.run(key, nodeId, kind, size);
        touch(setId, now);
      });
    },

    removeEntries(setId: string, nodeIds: readonly string[], now: number): void {
      const remove = database.prepare("DELETE FROM set_entry WHERE set_id = ? AND node_id = ?");
      transaction(() => {
        const key = keyOf(setId);
        for (const nodeId of nodeIds) remove.run(key, nodeId);
        touch(setId, now);
      });
    },

    /** Applies all changes or none. */
    changeSet(
      { set_id }: SetRow,
      { add, remove, name }: { add: readonly SetEntry[]; remove: readonly string[]; name: string },
      now: number,
    ): void {
      const insert = database.prepare("INSERT OR REPLACE INTO set_entry VALUES (?, ?, ?, ?)");
      const drop = database.prepare("DELETE FROM set_entry WHERE set_id = ? AND node_id = ?");
      transaction(() => {
        const key = keyOf(set_id);
        for (const { nodeId, kind, size } of add) insert.run(key, nodeId, kind, size);
        for (const nodeId of remove) drop.run(key, nodeId);
        database
          .prepare("UPDATE resource_set SET name = ?, updated_at = ?, totals = NULL WHERE set_id = ?")
          .run(name, now, set_id);
      });
    },

    /**
     * Stores entries of a selection that is still being filled. No call sees them yet. They reach the disk with the
     * next synced commit.
     */
    gather(key: string, entries: readonly SetEntry[]): void {
      const insert = database.prepare("INSERT OR REPLACE INTO set_entry VALUES (?, ?, ?, ?)");
      unsynced(() => {
        for (const { nodeId, kind, size } of entries) insert.run(key, nodeId, kind, size);
      });
    },

    /** Replaces the current entries with the gathered ones in one step. Returns the key of the replaced entries. */
    replaceEntries(setId: string, key: string, now: number): string {
      const before = keyOf(setId);
      database
        .prepare("UPDATE resource_set SET entries_key = ?, totals = NULL, updated_at = ? WHERE set_id = ?")
        .run(key, now, setId);
      return before;
    },

    /** Deletes some of the entries under a key. Returns false when none are left. */
    discard(key: string): boolean {
      return unsynced(() => {
        const { changes } = database
          .prepare(
            "DELETE FROM set_entry WHERE set_id = ?1 AND node_id IN (SELECT node_id FROM set_entry WHERE set_id = ?1 LIMIT 5000)",
          )
          .run(key);
        return changes > 0;
      });
    },

    /** Iterates over each selection's entries by node, all from one snapshot, no matter how long reading takes. */
    snapshot(setIds: readonly string[]): { entries: Iterator<SetEntry>[]; close(): void } {
      const database = new DatabaseSync(path, { readOnly: true });
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
    },

    nodeIds(setId: string): string[] {
      const rows = prepareArrays(database, "SELECT node_id FROM set_entry WHERE set_id = ?").all(keyOf(setId));
      return (rows as unknown as [string][]).map(([nodeId]) => nodeId);
    },

    /**
     * Returns the largest entries first, by their size when they were added, starting after the last entry of the
     * previous page.
     */
    entries(setId: string, limit: number, [size, nodeId]: EntryPosition = [Number.MAX_VALUE, ""]): SetEntry[] {
      return database
        .prepare(`
          SELECT * FROM (
            SELECT node_id, kind, size FROM set_entry WHERE set_id = ?1 AND size = ?2 AND node_id > ?3 ORDER BY node_id LIMIT ?4)
          UNION ALL SELECT * FROM (
            SELECT node_id, kind, size FROM set_entry WHERE set_id = ?1 AND size < ?2 ORDER BY size DESC, node_id LIMIT ?4)
          LIMIT ?4`)
        .all(keyOf(setId), size, nodeId, limit)
        .map((row) => ({ nodeId: row.node_id as string, kind: row.kind as NodeKind, size: row.size as number }));
    },
  };
}

function* entriesFrom(rows: Iterable<[nodeId: string, kind: NodeKind, size: number]>): Generator<SetEntry> {
  for (const [nodeId, kind, size] of rows) yield { nodeId, kind, size };
}
