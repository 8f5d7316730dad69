// Stalled writers: a paused process, or one whose machine has disappeared, keeps its owner's row locked until the
// database gives up on it. Revocations do not wait for that.
import { APPLICATION, Database } from "./connection.ts";
import { unavailable } from "./failures.ts";

/** How long a writer may be silent before an urgent write ends it. */
const SILENT = "400 milliseconds";
const LOOK_MS = 150;

/**
 * Terminates the stalled sessions that block this row, directly or through others in its lock queue. Only row locks are
 * considered, because a migration in the queue locks the whole table and also waits for other owners' writers. Stalled
 * sessions are selected first, because with a combined condition PostgreSQL would terminate the whole chain.
 */
const END_THEM = `
  WITH RECURSIVE chain (pid) AS (
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 IN query) > 0
    UNION SELECT unnest(pg_blocking_pids(pid)) FROM chain JOIN pg_stat_activity USING (pid)
    WHERE wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple')
  ), silent AS MATERIALIZED (
    SELECT pid, client_addr FROM chain JOIN pg_stat_activity USING (pid)
    WHERE application_name = '${APPLICATION}' AND state <> 'idle' AND wait_event_type = 'Client'
      AND state_change < clock_timestamp() - interval '${SILENT}'
  )
  SELECT pid, host(client_addr), pg_terminate_backend(pid) FROM silent`;

/**
 * Waits for a write that begins by locking the owner's row with `row`. A stalled session that holds the lock loses its
 * write. If terminating it is not permitted, this takes as long as any other write.
 */
export async function endingSilentWriters<T>(
  url: string,
  row: string,
  written: Promise<T>,
  tell: (failure: unknown) => void,
): Promise<T> {
  // Use a separate connection, because all others of this process may be waiting for a stalled writer.
  let database: Database | undefined;
  let failed = false;
  let looking = false;
  const look = setInterval(async () => {
    if (looking) return;
    looking = true;
    database ??= new Database(url, { connections: 1 });
    try {
      const ended = await database.session((connection) => connection.rows(END_THEM, row));
      for (const [pid, address, done] of ended) if (done) tell(endedOne(pid as number, address as string | null));
    } catch (error) {
      if (!failed) tell(error);
      failed = true;
    } finally {
      looking = false;
    }
  }, LOOK_MS);
  try {
    return await written;
  } finally {
    clearInterval(look);
    void database?.close().catch(tell);
  }
}

const endedOne = (pid: number, address: string | null): Error =>
  unavailable(
    `the database session ${pid}${address === null ? "" : ` from ${address}`} stalled in the middle of a write and was terminated, so that a revocation need not wait; its write is rolled back`,
  );
