// The audit log in the database. A read appends its lines to the process's own journal in one statement. Later the
// lines are gathered, numbered and chained.
import { hash as hashOf, type KeyObject, randomBytes } from "node:crypto";
import { auditChain, follow, GENESIS } from "../audit-chain.ts";
import { holderOf } from "../audit-sums.ts";
import { auditRow, marksOf } from "../audit-terms.ts";
import type { AuditEntry, AuditLog } from "../store.ts";
import { auditPage } from "./audit-index.ts";
import { addTotals, totalsOf } from "./audit-totals.ts";
import { auditVerifier } from "./audit-verify.ts";
import { beginWriting, type Connection, type Database, transaction } from "./connection.ts";

export interface ClosingAuditLog extends AuditLog {
  close(): Promise<void>;
}

export function auditLog(database: Database, subject: string, key: KeyObject, now = Date.now): ClosingAuditLog {
  const { link, seal } = auditChain(key);
  const secret = key.export().toString("base64url");
  /**
   * The lines of a journal are numbered and marked, so that none can be changed, or removed from the middle, unnoticed.
   */
  const markOf = (journal: string, seq: number, body: string): string =>
    hashOf("sha256", `${secret}\n${journal}\n${seq}\n${body}\n${secret}`, "base64url");
  let own = newJournal();

  interface PendingEntries {
    bodies: string[];
    epoch: number | undefined;
    settle: PromiseWithResolvers<boolean>;
  }
  let waiting: PendingEntries | undefined;
  let writing: Promise<void> = Promise.resolve();

  /**
   * Runs one statement at a time, so that a journal has no gaps. Lines that arrive meanwhile are sent with the next
   * statement.
   */
  function append(entries: readonly AuditEntry[], epoch?: number): Promise<boolean> {
    if (entries.length === 0) return Promise.resolve(true);
    if (waiting === undefined || waiting.epoch !== epoch) {
      const next: PendingEntries = { bodies: [], epoch, settle: Promise.withResolvers() };
      waiting = next;
      writing = writing.then(async () => {
        if (waiting === next) waiting = undefined;
        await write(next).then(next.settle.resolve, next.settle.reject);
      });
    }
    for (const entry of entries) waiting.bodies.push(JSON.stringify(entry));
    return waiting.settle.promise;
  }

  async function write({
    bodies,
    epoch = null,
  }: {
    bodies: readonly string[];
    epoch?: number | null;
  }): Promise<boolean> {
    const from = own.seq + 1;
    try {
      const written = await database.session((connection) =>
        bodies.length === 1
          ? appendOne(connection, from, bodies[0]!, epoch)
          : appendAll(connection, from, bodies, epoch),
      );
      if (written === 0) return false;
      own.seq += bodies.length;
      return true;
    } catch (error) {
      // We do not know whether the lines arrived. Start a new journal, so that later lines do not follow a gap.
      own = newJournal();
      throw error;
    }
  }

  /** Most reads arrive alone, and a single line is cheaper to send and to plan. */
  const appendOne = (connection: Connection, seq: number, body: string, epoch: number | null) =>
    connection.run(
      `INSERT INTO audit_line (subject_id, journal, seq, mark, body)
       SELECT $1, $2, $3, $4, $5 FROM home WHERE subject_id = $1 AND ($6::bigint IS NULL OR epoch = $6)`,
      subject,
      own.name,
      seq,
      markOf(own.name, seq, body),
      body,
      epoch,
    );

  const appendAll = (connection: Connection, from: number, bodies: readonly string[], epoch: number | null) =>
    connection.run(
      `INSERT INTO audit_line (subject_id, journal, seq, mark, body)
       SELECT $1, $2, line.* FROM home, unnest($3::bigint[], $4::text[], $5::text[]) AS line
       WHERE subject_id = $1 AND ($6::bigint IS NULL OR epoch = $6)`,
      subject,
      own.name,
      bodies.map((_, at) => from + at),
      bodies.map((body, at) => markOf(own.name, from + at, body)),
      bodies,
      epoch,
    );

  /** Sent as the opening statement, so that we do not wait longer than usual for an unresponsive database. */
  const waits = `SELECT 1 FROM audit_line WHERE subject_id = '${subject.replaceAll("'", "''")}' LIMIT 1`;
  const gather = (): Promise<void> =>
    database.session(async (connection, [line]) => {
      // The process that is gathering will finish soon or has stalled, so do not keep a connection waiting for it.
      const begin = `${beginWriting()} SET LOCAL lock_timeout = '2s'`;
      if (line !== undefined) await transaction(connection, begin, () => gatherLines(connection));
    }, waits);

  async function gatherLines(connection: Connection): Promise<void> {
    // One process gathers at a time. Others find the same lines, wait here until they are deleted, and take the rest.
    const lines = (await connection.rows(
      "DELETE FROM audit_line WHERE subject_id = $1 RETURNING journal, seq, mark, body",
      subject,
    )) as [string, number, string, string][];
    if (lines.length === 0) return;
    lines.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]));
    const places = await journalPlaces(connection, [...new Set(lines.map(([journal]) => journal))]);
    const bodies: string[] = [];
    for (const [journal, seq, mark, body] of lines) {
      const place = places.get(journal)!;
      const isGenuine = mark === markOf(journal, seq, body);
      if (!isGenuine || seq !== place.seq + 1) place.changed = true;
      // A line after a gap still records a completed read.
      if (isGenuine) bodies.push(body);
      place.seq = seq;
    }
    const journals = [...places];
    await connection.run(
      `INSERT INTO audit_journal (subject_id, journal, seq, changed, gathered_at)
       SELECT $1, u.*, $5 FROM unnest($2::text[], $3::bigint[], $4::boolean[]) AS u
       ON CONFLICT (subject_id, journal) DO UPDATE
         SET seq = excluded.seq, changed = excluded.changed, gathered_at = excluded.gathered_at`,
      subject,
      journals.map(([journal]) => journal),
      journals.map(([, { seq }]) => seq),
      journals.map(([, { changed }]) => String(changed)),
      now(),
    );
    if (bodies.length > 0) await chain(connection, bodies);
  }

  async function journalPlaces(connection: Connection, journals: string[]) {
    const rows = await connection.rows(
      "SELECT journal, seq, changed FROM audit_journal WHERE subject_id = $1 AND journal = ANY ($2::text[])",
      subject,
      journals,
    );
    const places = new Map(journals.map((journal) => [journal, { seq: 0, changed: false }]));
    for (const [journal, seq, changed] of rows)
      places.set(journal as string, { seq: seq as number, changed: changed as boolean });
    return places;
  }

  async function chain(connection: Connection, bodies: readonly string[]): Promise<void> {
    const end = await head(connection);
    let { n, hash } = end;
    const order = { newest: end.newest, late: end.late };
    const entries = bodies.map((body) => ({ body, entry: JSON.parse(body) as AuditEntry, n: 0, hash: GENESIS }));
    for (const line of entries.sort((a, b) => a.entry.at - b.entry.at)) {
      line.n = ++n;
      hash = link(hash, n, line.body);
      line.hash = hash;
      follow(order, line.entry.at);
    }
    await connection.run(
      `INSERT INTO audit_entry (subject_id, n, at, grant_id, body, hash)
       SELECT $1, u.n, u.at, u.grant_id, u.body, decode(u.hash, 'hex')
       FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[]) AS u (n, at, grant_id, body, hash)`,
      subject,
      entries.map((line) => line.n),
      entries.map(({ entry }) => entry.at),
      entries.map(({ entry }) => holderOf(entry)),
      entries.map(({ body }) => body),
      entries.map((line) => line.hash.toString("hex")),
    );
    await addTotals(
      connection,
      subject,
      entries.map(({ entry }) => entry),
    );
    const marks = marksOf(entries);
    await connection.run(
      `INSERT INTO audit_mark (subject_id, part, term, block)
       SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bigint[]) ON CONFLICT DO NOTHING`,
      subject,
      marks.map(({ part }) => part),
      marks.map(({ term }) => term),
      marks.map(({ block }) => block),
    );
    await connection.run(
      `INSERT INTO audit_head (subject_id, n, hash, seal, newest, late) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (subject_id) DO UPDATE SET n = excluded.n, hash = excluded.hash, seal = excluded.seal,
         newest = excluded.newest, late = excluded.late`,
      subject,
      n,
      hash,
      seal(n, hash),
      order.newest,
      order.late,
    );
  }

  async function head(connection: Connection) {
    const row = await connection.row(
      "SELECT n, encode(hash, 'hex'), encode(seal, 'hex'), newest, late FROM audit_head WHERE subject_id = $1",
      subject,
    );
    if (row === undefined) return { n: 0, hash: GENESIS, seal: undefined, newest: 0, late: 0 };
    return {
      n: row[0] as number,
      hash: Buffer.from(row[1] as string, "hex"),
      seal: Buffer.from(row[2] as string, "hex"),
      newest: row[3] as number,
      late: row[4] as number,
    };
  }

  const verify = auditVerifier(database, subject, key, head);

  return {
    append,
    gather,
    // A commit is already on the disk when it returns.
    sync: gather,
    async list(query) {
      await gather();
      return database.session((connection) => auditPage(connection, subject, query));
    },
    async uses(ids, recent) {
      await gather();
      return database.session(async (connection) => {
        const uses = new Map();
        for (const id of ids) {
          const rows = await connection.rows(
            "SELECT n, body FROM audit_entry WHERE subject_id = $1 AND grant_id = $2 ORDER BY n DESC LIMIT $3",
            subject,
            id,
            recent,
          );
          uses.set(id, {
            totals: await totalsOf(connection, subject, id),
            recent: rows.map(([n, body]) => auditRow(n as number, body as string)),
          });
        }
        return uses;
      });
    },
    async verify(options) {
      await gather();
      return verify(options);
    },
    async close() {
      await writing;
      if (own.seq === 0) return;
      await gather();
      // A journal's progress is stored for as long as its process may write to it, because its next line is expected
      // even after a long pause. Only the process itself knows that no more lines will follow.
      await database.session((connection) =>
        connection.run(
          "DELETE FROM audit_journal WHERE subject_id = $1 AND journal = $2 AND seq = $3 AND NOT changed",
          subject,
          own.name,
          own.seq,
        ),
      );
    },
  };
}

const newJournal = () => ({ name: randomBytes(12).toString("base64url"), seq: 0 });
