// Removes an owner with all their data in the database, even while multi-owner servers are serving them.
import { setTimeout as wait } from "node:timers/promises";
import { PdppError } from "../../contract/errors.ts";
import { type Connection, type Database, transaction } from "./connection.ts";
import { EVERYBODY, putName } from "./directory.ts";
import { HOLDING, JOBS_LOCK, requireUnserved } from "./owners.ts";
import { TABLES } from "./schema.ts";

export interface RemovalOptions {
  /** How long servers have to release the owner. */
  timeoutMs: number;
  onWait?: () => void;
  signal?: AbortSignal;
}

/**
 * Removes everything that the database has for an owner. The name is removed first, because multi-owner servers close
 * an owner without a name. If a server does not close the owner in time, the owner remains and keeps the name.
 */
export async function removeOwner(
  database: Database,
  subject: string,
  { timeoutMs, onWait, signal }: RemovalOptions,
): Promise<void> {
  const name = await database.session((connection) =>
    connection.row("DELETE FROM owner_name WHERE subject_id = $1 RETURNING name", subject),
  );
  const until = performance.now() + timeoutMs;
  try {
    for (let waits = false; ; waits = true) {
      const holder = await database.session((connection) => removeUnserved(connection, subject));
      if (holder === undefined) return;
      if (!holder.many || performance.now() > until || signal?.aborted) throw stillServed(subject, holder);
      if (!waits) onWait?.();
      await wait(200);
    }
  } catch (error) {
    // If another owner has taken the name in the meantime, this owner remains without one and can be given another.
    if (name !== undefined)
      await database.session((connection) => putName(connection, subject, name[0] as string)).catch(() => undefined);
    throw error;
  }
}

/** Returns undefined if the owner was removed, otherwise the process that is serving the owner. */
async function removeUnserved(connection: Connection, subject: string): Promise<LockHolder | undefined> {
  try {
    await transaction(connection, "BEGIN; SET LOCAL statement_timeout = 0", async () => {
      await requireUnserved(connection, subject);
      // `home` is deleted first, because writers for the owner check it.
      for (const table of TABLES) await connection.run(`DELETE FROM ${table} WHERE subject_id = $1`, subject);
      await connection.run(
        `DELETE FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'address' AND id = $1`,
        subject,
      );
    });
    return undefined;
  } catch (error) {
    if (error instanceof PdppError && error.code === "home_in_use") return holderOf(connection, subject);
    throw error;
  }
}

interface LockHolder {
  many: boolean;
  /** The address of the process's machine, if the database user may see it. */
  at: string;
}

async function holderOf(connection: Connection, subject: string): Promise<LockHolder> {
  const row = await connection.row(
    `SELECT application_name, host(client_addr) FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND objsubid = 1 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, $2)`,
    subject,
    JOBS_LOCK,
  );
  // The lock may have just been released. The next attempt will tell.
  return { many: row === undefined || row[0] === HOLDING.many, at: (row?.[1] as string | null | undefined) ?? "" };
}

function stillServed(subject: string, { many, at }: LockHolder): PdppError {
  const where = at === "" ? "" : ` from ${at}`;
  return many
    ? new PdppError("home_in_use", `a server for many owners is still serving ${subject}${where}`, {
        next_step: "Nothing was removed. It may be running a job: try again, or stop that server first.",
      })
    : new PdppError("home_in_use", `a server for this owner alone is serving ${subject}${where}`, {
        next_step:
          "Nothing was removed. Stop the servers that were started for this owner (PDPP_OWNER), then try again.",
      });
}
