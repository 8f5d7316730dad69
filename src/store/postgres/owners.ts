// Owners from the view of servers for many owners: names, due jobs without a leader, and which owners are served.
import { PdppError } from "../../contract/errors.ts";
import { type Connection, type Database, withDatabase } from "./connection.ts";

/** Held by the leader of an owner; a number that no other lock of an owner uses. */
export const JOBS_LOCK = 2;
/** The application name of the connection that holds the locks: for one owner, or for many. */
export const HOLDING = { one: "postern jobs", many: "postern jobs of many" } as const;

export function ownerNamed(database: Database, name: string): Promise<string | undefined> {
  return database.session(async (connection) => {
    const row = await connection.row("SELECT subject_id FROM owner_name WHERE name = $1", name);
    return row?.[0] as string | undefined;
  });
}

/** The owners of these names; unknown names are left out. */
export function ownersNamed(database: Database, names: readonly string[]): Promise<Map<string, string>> {
  return database.session(async (connection) => {
    const rows = await connection.rows("SELECT name, subject_id FROM owner_name WHERE name = ANY ($1::text[])", names);
    return new Map(rows as [string, string][]);
  });
}

/**
 * Owners with a due job and no leader, the longest overdue first. The caller takes them over: other processes do not
 * get them meanwhile, and one that cannot be opened moves behind the others.
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

/** Asks some server to check for jobs; a server with the owner open does that anyway. */
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
 * By the database's clock, because those of processes differ. Constant within a statement, so that an index can be
 * used.
 */
export const NOW = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint";

/** How long a claim on an owner's jobs is valid; and how long while a process is about to claim them. */
export const WATCHED_MS = 45_000;
const TAKEN_MS = 10_000;

/** In a transaction: a server of an owner holds this lock; while it is held here, no server runs the owner's jobs. */
export async function requireUnserved(connection: Connection, subject: string): Promise<void> {
  const row = await connection.row("SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2))", subject, JOBS_LOCK);
  if (row![0] === true) return;
  throw new PdppError("home_in_use", `a server works for the owner ${subject} on this database`, {
    next_step: "Stop its servers first: what they write from now on would be lost.",
  });
}
