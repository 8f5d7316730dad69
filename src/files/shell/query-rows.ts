// Saved queries of the shell.
import { FIRST, type ListPlace, type ShellDatabase } from "./shell-database.ts";

export interface QueryRow {
  query_id: string;
  client: string;
  name: string;
  index_id: string;
  filter: string;
  set_id: string | null;
  created_at: number;
  executed_at: number | null;
  /** When an unnamed query expires. Null if it is kept. */
  expires_at: number | null;
}

export function queryRows({ database, one, count }: ShellDatabase) {
  return {
    query(queryId: string): QueryRow | undefined {
      return one("SELECT * FROM query WHERE query_id = ?", queryId);
    },

    queries(client: string, indexIds: readonly string[], limit: number, before?: ListPlace): QueryRow[] {
      return database
        .prepare(`
          SELECT * FROM query
          WHERE client = ? AND expires_at IS NULL AND (created_at, query_id) < (?, ?) AND index_id IN (SELECT value FROM json_each(?))
          ORDER BY created_at DESC, query_id DESC LIMIT ?`)
        .all(client, ...(before ?? FIRST), JSON.stringify(indexIds), limit) as unknown as QueryRow[];
    },

    queriesOf(indexId: string, limit: number): QueryRow[] {
      return database
        .prepare(
          "SELECT * FROM query WHERE index_id = ? AND expires_at IS NULL ORDER BY created_at DESC, query_id DESC LIMIT ?",
        )
        .all(indexId, limit) as unknown as QueryRow[];
    },

    countQueries(client: string): number {
      return count("SELECT count(*) AS n FROM query WHERE client = ? AND expires_at IS NULL", client);
    },

    putQuery(row: QueryRow): void {
      database
        .prepare("INSERT OR REPLACE INTO query VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .run(
          row.query_id,
          row.client,
          row.name,
          row.index_id,
          row.filter,
          row.set_id,
          row.created_at,
          row.executed_at,
          row.expires_at,
        );
    },

    /** Unnamed queries are deleted with their selection. */
    deleteQueriesOf(setId: string): void {
      database.prepare("DELETE FROM query WHERE set_id = ? AND expires_at IS NOT NULL").run(setId);
    },

    deleteQuery(queryId: string): void {
      database.prepare("DELETE FROM query WHERE query_id = ?").run(queryId);
    },
  };
}
