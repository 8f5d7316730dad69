// The shell's state: sessions, selections, saved queries, and the connection of each root. Removing a root removes all
// of them.
import type { TextChoice } from "../../contract/owner-file-lens.ts";
import type { RecordsTarget } from "../sync/records-sink.ts";
import { queryRows } from "./query-rows.ts";
import { selectionRows } from "./selection-rows.ts";
import { sessionRows } from "./session-rows.ts";
import { openShellDatabase, type ShellDatabase } from "./shell-database.ts";

/** The input for a root's records: a scan of an index, with or without texts. */
export interface RecordsAsked {
  indexId: string;
  scan: number;
  text: boolean;
  /** The name of the recognition used for pictures. Absent if recognition was not used. */
  recognition?: string;
  /** The version of the declaration under which the streams were opened. */
  declared: string;
}

const WITH_PHOTOS = 2;

export interface RemovedCounts {
  resourceSets: number;
  queries: number;
}

export type ShellStore = ReturnType<typeof openShellStore>;

export function openShellStore(path: string) {
  const shell = openShellDatabase(path);
  return { ...rootRows(shell), ...sessionRows(shell), ...selectionRows(shell), ...queryRows(shell) };
}

function rootRows({ database, one, transaction }: ShellDatabase) {
  /** Removes the selections and saved queries of deleted indexes. Sessions inside them move to the top level. */
  function forget(indexIds: readonly string[]): RemovedCounts {
    const gone = { resourceSets: 0, queries: 0 };
    const change = (sql: string, indexId: string): number => Number(database.prepare(sql).run(indexId).changes);
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

  return {
    connectionOf(rootId: string): string | undefined {
      const row = database.prepare("SELECT connection_id FROM root_connection WHERE root_id = ?").get(rootId);
      return row?.connection_id as string | undefined;
    },

    setConnection(rootId: string, connectionId: string): void {
      database
        .prepare(`
          INSERT INTO root_connection (root_id, connection_id) VALUES (?, ?)
          ON CONFLICT (root_id) DO UPDATE SET connection_id = excluded.connection_id, asked = NULL`)
        .run(rootId, connectionId);
    },

    /** Returns the target only for the index that a root's records are made from. */
    recordsTarget(indexId: string, gentle: boolean): RecordsTarget | undefined {
      const row = one<{ connection_id: string; text: number }>(
        "SELECT connection_id, text FROM root_connection WHERE asked ->> 'indexId' = ?",
        indexId,
      );
      if (row === undefined) return undefined;
      return { connectionId: row.connection_id, text: row.text > 0, photos: row.text === WITH_PHOTOS, gentle };
    },

    wantsText(rootId: string): TextChoice {
      const row = one<{ text: number }>("SELECT text FROM root_connection WHERE root_id = ?", rootId);
      return row?.text === WITH_PHOTOS ? "photos" : row?.text === 1;
    },

    setText(rootId: string, wish: TextChoice): void {
      const stored = wish === "photos" ? WITH_PHOTOS : Number(wish);
      database.prepare("UPDATE root_connection SET text = ? WHERE root_id = ?").run(stored, rootId);
    },

    asked(rootId: string): RecordsAsked | undefined {
      const row = one<{ asked: string | null }>("SELECT asked FROM root_connection WHERE root_id = ?", rootId);
      return row?.asked === undefined || row.asked === null ? undefined : (JSON.parse(row.asked) as RecordsAsked);
    },

    setAsked(rootId: string, asked: RecordsAsked | undefined): void {
      database
        .prepare("UPDATE root_connection SET asked = ? WHERE root_id = ?")
        .run(asked === undefined ? null : JSON.stringify(asked), rootId);
    },

    /** Removes a root with everything that belongs to its indexes, and returns the counts. */
    forgetRoot(rootId: string, indexIds: readonly string[]): RemovedCounts {
      return transaction(() => {
        database.prepare("DELETE FROM root_connection WHERE root_id = ?").run(rootId);
        return forget(indexIds);
      });
    },

    forgetIndexes(indexIds: readonly string[]): RemovedCounts {
      return transaction(() => forget(indexIds));
    },

    close(): void {
      database.close();
    },
  };
}
