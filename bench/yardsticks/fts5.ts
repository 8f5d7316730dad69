// SQLite FTS5 over the same texts: a content table on disk and an index next to it.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Fts5Call = { op: "top" | "count"; match: string };

const path = (home: string): string => join(home, "fts5.db");

export interface Fts5Filler {
  insert(id: string, text: string): void;
  close(): void;
}

export function fillFts5(home: string): Fts5Filler {
  const database = new DatabaseSync(path(home));
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN");
  database.exec("CREATE TABLE document (n INTEGER PRIMARY KEY, id TEXT NOT NULL, text TEXT NOT NULL)");
  const insert = database.prepare("INSERT INTO document (id, text) VALUES (?, ?)");
  return {
    insert: (id, text) => insert.run(id, text),
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
  // `rank` is bm25() computed once, so FTS5 builds snippets for the first ten only.
  const top = database.prepare(
    `SELECT document.id, snippet(words, 0, '<mark>', '</mark>', '…', 30) AS snippet, rank
     FROM words JOIN document ON document.n = words.rowid WHERE words MATCH ? ORDER BY rank LIMIT 10`,
  );
  const count = database.prepare("SELECT count(*) AS count FROM words WHERE words MATCH ?");
  return ({ op, match }) => JSON.stringify(op === "top" ? top.all(match) : count.get(match)!.count);
}
