// Writers that stopped in the middle: a process that was paused, or whose machine is gone, keeps its owner's row until the
// database gives up on it. Who takes access away does not wait for that.
import type { Database } from "./connection.ts";

/** How long one says nothing in the middle of a write before somebody in a hurry ends it. */
const SILENT = "400 milliseconds";
const LOOK_MS = 300;

/** Those that whoever waits for this row waits for, directly or behind others. */
const END_THEM = `
  WITH RECURSIVE chain (pid) AS (
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 IN query) > 0
    UNION SELECT unnest(pg_blocking_pids(pid)) FROM chain
  )
  SELECT pg_terminate_backend(pid) FROM chain JOIN pg_stat_activity USING (pid)
  WHERE state <> 'idle' AND wait_event_type = 'Client' AND state_change < clock_timestamp() - interval '${SILENT}'`;

/** Waits for a write whose opening asks for the owner's row with `row`; whoever keeps it silently loses what it was writing. */
export async function inHurry<T>(database: Database, row: string, written: Promise<T>): Promise<T> {
  let looking: Promise<unknown> | undefined;
  const look = setInterval(() => {
    looking ??= database
      .session((connection) => connection.rows(END_THEM, row))
      // Then it takes as long as any other write.
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_MS);
  try {
    return await written;
  } finally {
    clearInterval(look);
    await looking;
  }
}
