// Owners as seen by multi-owner servers: names, due jobs without a leader, and which owners are being served.
import { PdppError } from "../../contract/errors.ts";
import { type Connection, type Database, withDatabase } from "./connection.ts";

/** The lock of an owner's leader. No other lock of an owner uses this number. */
export const JOBS_LOCK = 2;
/** The application name of the connection that holds the locks, for one owner or for many. */
export const HOLDING = { one: "postern jobs", many: "postern jobs of many" } as const;

export function ownerNamed(database: Database, name: string): Promise<string | undefined> {
  return database.session(async (connection) => {
    const row = await connection.row("SELECT subject_id FROM owner_name WHERE name = $1", name);
    return row?.[0] as string | undefined;
  });
}

/** Returns the owners with these names. Unknown names are omitted. */
export function ownersNamed(database: Database, names: readonly string[]): Promise<Map<string, string>> {
  return database.session(async (connection) => {
    const rows = await connection.rows("SELECT name, subject_id FROM owner_name WHERE name = ANY ($1::text[])", names);
    return new Map(rows as [string, string][]);
  });
}

/**
 * Returns owners with a due job and no leader, the longest overdue first. The caller takes them over, so other
 * processes do not get them in the meantime. An owner that cannot be opened moves behind the others.
 */
export function takeUnwatched(database: Database, limit: number): Promise<string[]> {
  return database.session(async (connection) => {
    const rows = await connection.rows(
      `UPDATE job_watch SET look_at = ${NOW} + ${TAKEN_MS} FROM (
         SELECT subject_id, name FROM job_watch JOIN owner_name USING (subject_id) WHERE look_at <= ${NOW}
         ORDER BY look_at LIMIT $1 FOR UPDATE OF job_watch SKIP LOCKED
       ) AS due WHERE job_watch.subject_id = due.subject_id RETURNING name`,
      limit,
    );
    return rows.map(([name]) => name as string);
  });
}

/** Asks one of the servers to check for jobs. A server that has the owner open checks anyway. */
export const requestJobCheck = (url: string, subject: string): Promise<void> =>
  withDatabase(url, (database) =>
    database.session(async (connection) => {
      await connection.run(
        `INSERT INTO job_watch (subject_id, look_at) SELECT subject_id, ${NOW} FROM owner_name WHERE subject_id = $1
         ON CONFLICT (subject_id) DO UPDATE SET look_at = least(job_watch.look_at, excluded.look_at)`,
        subject,
      );
    }),
  );

/**
 * Uses the database's clock, because the clocks of processes differ. It is constant within a statement, so that an
 * index can be used.
 */
export const NOW = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint";

/** How long a claim on an owner's jobs is valid, and how long a process has to make one after taking over. */
export const WATCHED_MS = 45_000;
const TAKEN_MS = 10_000;

/** Takes the lock that an owner's server holds. Until this transaction ends, no server can run the owner's jobs. */
export async function requireUnserved(connection: Connection, subject: string): Promise<void> {
  const row = await connection.row("SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2))", subject, JOBS_LOCK);
  if (row![0] === true) return;
  throw new PdppError("home_in_use", `a server is serving the owner ${subject} from this database`, {
    next_step: "Stop the owner's servers first, because anything they write from now on would be lost.",
  });
}
