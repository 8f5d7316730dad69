// The best hand-written statements on PostgreSQL: one for the query and one for its audit row. There is no engine, no
// grant check and no explicit snapshot, because a single statement is a snapshot. A purpose-built indexed table stands
// in for the engine's projections.
import { randomUUID } from "node:crypto";
import pg from "pg";
import type { PostgresHome } from "../postgres-home.ts";
import { runSql } from "../postgres-home.ts";

export interface BarePostgres {
  point(id: string): Promise<string>;
  newest(limit: number): Promise<string>;
  filtered(account: string, limit: number): Promise<string>;
  search(word: string, limit: number): Promise<string>;
  close(): Promise<void>;
}

/** The expressions that the statements filter by, computed once and indexed. */
const INDEXED = `
  CREATE TABLE bench_indexed AS
    SELECT subject_id, stream_no, version, ord, id, data::json ->> 'account' AS account,
      to_tsvector('simple', data::json ->> 'text') AS words FROM record;
  CREATE INDEX ON bench_indexed (subject_id, stream_no, account, ord, id);
  CREATE INDEX ON bench_indexed USING gin (words);
  ANALYZE bench_indexed`;

export async function barePostgres({ database }: PostgresHome, connections: number): Promise<BarePostgres> {
  const { url, subject } = database;
  await runSql(url, INDEXED);
  // Prepared statements, rows as arrays, and default planner settings, because the planner has statistics for these
  // tables.
  const pool = new pg.Pool({ connectionString: url, max: connections, keepAlive: true });
  const journal = randomUUID();
  let seq = 0;

  async function ask(name: string, text: string, ...values: unknown[]): Promise<string> {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<string[]>({ name, text, values, rowMode: "array" });
      const items = rows.map(([id, data, snippet]) => {
        const more = snippet === undefined ? "" : `,"snippet":${JSON.stringify(snippet)}`;
        return `{"id":${JSON.stringify(id)},"data":${data}${more}}`;
      });
      const body = `[${items.join(",")}]`;
      await client.query({
        name: "audit",
        text: "INSERT INTO audit_line (subject_id, journal, seq, mark, body) VALUES ($1, $2, $3, $4, $5)",
        values: [subject, journal, ++seq, "", auditBody(name, rows.length, body.length)],
      });
      return body;
    } finally {
      client.release();
    }
  }

  return {
    point: (id) =>
      ask("point", "SELECT id, data FROM record WHERE subject_id = $1 AND stream_no = 1 AND id = $2", subject, id),
    newest: (limit) =>
      ask(
        "newest",
        `SELECT id, data FROM record WHERE subject_id = $1 AND stream_no = 1 AND data IS NOT NULL AND ord >= ''
         ORDER BY ord DESC, id DESC LIMIT $2`,
        subject,
        limit,
      ),
    filtered: (account, limit) =>
      ask(
        "filtered",
        `SELECT record.id, record.data FROM (
           SELECT subject_id, version, ord, id FROM bench_indexed WHERE subject_id = $1 AND stream_no = 1 AND account = $2
           ORDER BY ord DESC, id DESC LIMIT $3) AS found JOIN record USING (subject_id, version)
         ORDER BY found.ord DESC, found.id DESC`,
        subject,
        account,
        limit,
      ),
    search: (word, limit) =>
      ask(
        "search",
        `SELECT record.id, record.data, ts_headline('simple', record.data::json ->> 'text', plainto_tsquery('simple', $2))
         FROM (SELECT subject_id, version, ts_rank(words, plainto_tsquery('simple', $2)) AS rank FROM bench_indexed
           WHERE subject_id = $1 AND words @@ plainto_tsquery('simple', $2) ORDER BY rank DESC, version LIMIT $3) AS found
         JOIN record USING (subject_id, version) ORDER BY rank DESC, version`,
        subject,
        word,
        limit,
      ),
    async close() {
      await pool.end();
      await runSql(url, "DROP TABLE bench_indexed");
      // These lines belong to no real journal, so the audit log must not find them.
      await runSql(url, `DELETE FROM audit_line WHERE journal = '${journal}'`);
    },
  };
}

const auditBody = (action: string, records: number, bytes: number): string =>
  JSON.stringify({
    at: Date.now(),
    subject_id: "owner",
    actor: "client",
    client_id: "bench",
    grant_id: "grt_bench",
    action,
    connection_id: "cin_bench",
    stream: "transactions",
    records,
    bytes,
    outcome: "ok",
    request_id: `req_${randomUUID()}`,
  });
