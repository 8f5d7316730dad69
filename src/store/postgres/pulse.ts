// Whether something changed, for whoever waits for it: PostgreSQL tells, on a connection of its own.
import pg from "pg";
import { CHANNEL } from "./postgres-store.ts";

/** After a connection broke. What was missed meanwhile is looked for at once. */
const AGAIN_MS = 500;

export interface Listener {
  close(): Promise<void>;
}

/** Calls with each owner whose data changed; with none when anything may have. */
export function listen(url: string, changed: (subject: string | undefined) => void): Listener {
  let client: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const opened = new pg.Client({ connectionString: url, keepAlive: true, application_name: "postern listening" });
    client = opened;
    opened.on("error", () => lost(opened));
    opened.on("end", () => lost(opened));
    opened.on("notification", ({ payload }) => changed(payload));
    await opened.connect();
    await opened.query(`LISTEN ${CHANNEL}`);
    changed(undefined);
  }

  function lost(which: pg.Client): void {
    if (closed || client !== which) return;
    client = undefined;
    which.end().catch(() => undefined);
    again = setTimeout(start, AGAIN_MS).unref();
  }

  function start(): void {
    const trying = connect();
    const mine = client!;
    trying.catch(() => lost(mine));
  }

  start();
  return {
    async close() {
      closed = true;
      clearTimeout(again);
      await client?.end().catch(() => undefined);
    },
  };
}
