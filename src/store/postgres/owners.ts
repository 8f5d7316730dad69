// The owners of a database that hosts many: what they are called, and whose jobs nobody looks after.
import { PdppError } from "../../contract/errors.ts";
import { type Connection, type Database, transaction, withDatabase } from "./connection.ts";
import { putOwner } from "./postgres-store.ts";
import { TABLES } from "./schema.ts";

export interface NamedOwner {
  name: string;
  subject: string;
  createdAt: number;
}

/** Held by whoever runs an owner's jobs; any number that no other lock of an owner has. */
export const JOBS_LOCK = 2;

/** As in a host name: it becomes a part of one. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function checkOwnerName(name: string): void {
  if (NAME.test(name)) return;
  throw new PdppError("invalid_request", `${JSON.stringify(name)} is no name for an owner`, {
    param: "name",
    next_step: "Use 1 to 63 small letters, digits and hyphens, as in a host name.",
  });
}

export function addOwner(database: Database, name: string): Promise<NamedOwner> {
  checkOwnerName(name);
  return database.session((connection) =>
    transaction(connection, "BEGIN", async () => {
      const createdAt = Date.now();
      const subject = await putOwner(connection, createdAt);
      const added = await connection.run(
        "INSERT INTO owner_name (name, subject_id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        name,
        subject,
      );
      if (added === 0) {
        throw new PdppError("invalid_request", `there is an owner called ${name} already`, { param: "name" });
      }
      return { name, subject, createdAt };
    }),
  );
}

export function namedOwners(database: Database): Promise<NamedOwner[]> {
  return database.session(async (connection) => {
    const rows = await connection.rows(
      "SELECT name, subject_id, created_at FROM owner_name JOIN home USING (subject_id) ORDER BY name",
    );
    return rows.map(([name, subject, createdAt]) => ({
      name: name as string,
      subject: subject as string,
      createdAt: createdAt as number,
    }));
  });
}

export function ownerNamed(database: Database, name: string): Promise<string | undefined> {
  return database.session(async (connection) => {
    const row = await connection.row("SELECT subject_id FROM owner_name WHERE name = $1", name);
    return row?.[0] as string | undefined;
  });
}

/** Owners whose jobs nobody looks after and who have something to do, the longest overdue first. */
export function unwatchedOwners(database: Database, limit: number): Promise<string[]> {
  return database.session(async (connection) => {
    const rows = await connection.rows(
      `SELECT name FROM job_watch JOIN owner_name USING (subject_id)
       WHERE look_at <= ${NOW} ORDER BY look_at LIMIT $1`,
      limit,
    );
    return rows.map(([name]) => name as string);
  });
}

/** Some server shall see whether there is a job to run; who has the owner open does anyway. */
export const lookAfter = (url: string, subject: string): Promise<void> =>
  withDatabase(url, (database) =>
    database.session(async (connection) => {
      await connection.run(
        `INSERT INTO job_watch (subject_id, look_at) SELECT subject_id, ${NOW} FROM owner_name WHERE subject_id = $1
         ON CONFLICT (subject_id) DO UPDATE SET look_at = least(job_watch.look_at, excluded.look_at)`,
        subject,
      );
    }),
  );

/** By the database's clock: those of processes differ. */
export const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** In a transaction: one of an owner's servers holds this lock; while it is held here no server runs the owner's jobs. */
export async function requireUnserved(connection: Connection, subject: string): Promise<void> {
  const row = await connection.row("SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2))", subject, JOBS_LOCK);
  if (row![0] === true) return;
  throw new PdppError("home_in_use", `a server works for the owner ${subject} on this database`, {
    next_step: "Stop its servers first: what they write from now on would be lost.",
  });
}

/** All that the database has of an owner, at once. Refused while somebody works for it. */
export function removeOwner(database: Database, subject: string): Promise<void> {
  return database.session((connection) =>
    transaction(connection, "BEGIN", async () => {
      await requireUnserved(connection, subject);
      for (const table of TABLES) await connection.run(`DELETE FROM ${table} WHERE subject_id = $1`, subject);
    }),
  );
}
