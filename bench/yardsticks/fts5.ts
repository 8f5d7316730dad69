// SQLite FTS5 over the same texts: a content table on disk and an index next to it. A search returns the same facts as
// ours: the number of matches and, for each hit, its source, id, times, length, snippet and score.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type BenchDocument, DOCUMENT_DECLARATION } from "../search-data.ts";

export type Fts5Call = { op: "top" | "count"; match: string };

const path = (home: string): string => join(home, "fts5.db");

export interface Fts5Filler {
  /** `connection` is an index in the list of connections. */
  insert(document: BenchDocument, connection: number): void;
  close(): void;
}

export function fillFts5(home: string, connections: readonly string[]): Fts5Filler {
  const database = new DatabaseSync(path(home));
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN");
  database.exec(
    `CREATE TABLE connection (n INTEGER PRIMARY KEY, id TEXT NOT NULL, display_name TEXT NOT NULL);
     CREATE TABLE document (n INTEGER PRIMARY KEY, connection INTEGER NOT NULL, id TEXT NOT NULL,
       emitted_at TEXT NOT NULL, written_at TEXT NOT NULL, text TEXT NOT NULL)`,
  );
  const connect = database.prepare("INSERT INTO connection (n, id, display_name) VALUES (?, ?, ?)");
  for (const [n, id] of connections.entries()) connect.run(n, id, DOCUMENT_DECLARATION.display!.name);
  const insert = database.prepare(
    "INSERT INTO document (connection, id, emitted_at, written_at, text) VALUES (?, ?, ?, ?, ?)",
  );
  return {
    insert: ({ id, writtenAt, text }, connection) => insert.run(connection, id, writtenAt, writtenAt, text),
    close() {
      database.exec("CREATE VIRTUAL TABLE words USING fts5(text, content = 'document', content_rowid = 'n')");
      database.exec("INSERT INTO words (words) VALUES ('rebuild')");
      database.exec("COMMIT");
      database.close();
    },
  };
}

/** Runs a call and returns JSON text. */
export function fts5Statements(home: string): (call: Fts5Call) => string {
  const database = new DatabaseSync(path(home), { readOnly: true });
  database.exec("PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824");
  // `rank` is bm25() computed once, so FTS5 builds snippets for the first ten only. CROSS JOIN fixes the order of the
  // tables, so that only these ten are looked up.
  const top = database.prepare(
    `SELECT connection.id AS connection_id, display_name, document.id, emitted_at, written_at,
       length(document.text) AS length, snippet(words, 0, '<mark>', '</mark>', '…', 30) AS snippet, rank
     FROM words CROSS JOIN document ON document.n = words.rowid
       CROSS JOIN connection ON connection.n = document.connection
     WHERE words MATCH ? ORDER BY rank LIMIT 10`,
  );
  const counted = database.prepare("SELECT count(*) AS count FROM words WHERE words MATCH ?");
  const count = (match: string) => counted.get(match)!.count as number;
  return ({ op, match }) => JSON.stringify(op === "top" ? { count: count(match), hits: top.all(match) } : count(match));
}
