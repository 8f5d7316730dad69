// Whether something changed, for whoever waits for it: PostgreSQL tells, on a connection of its own.
import pg from "pg";
import type { Pulse } from "../place.ts";
import { KEEP_ALIVE_MS } from "./connection.ts";
import { CHANNEL } from "./postgres-store.ts";

/** After a connection broke. What was missed meanwhile is looked for at once. */
const AGAIN_MS = 500;
/** Nobody says when a network is gone: a connection that only listens would wait for good. */
const BEAT_MS = 10_000;
const BOUND_MS = 5000;

export function openPulse(url: string, subject: string): Pulse {
  let beats = 0;
  let client: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const opened = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: BOUND_MS,
      query_timeout: BOUND_MS,
      application_name: "postern listening",
    });
    client = opened;
    opened.on("error", () => lost(opened));
    opened.on("end", () => lost(opened));
    opened.on("notification", ({ payload }) => {
      if (payload === subject) beats++;
    });
    await opened.connect();
    await opened.query(`LISTEN ${CHANNEL}`);
    beats++;
    beat(opened);
  }

  function beat(which: pg.Client): void {
    if (closed || client !== which) return;
    again = setTimeout(() => {
      which.query("SELECT 1").then(
        () => beat(which),
        () => lost(which),
      );
    }, BEAT_MS).unref();
  }

  function lost(which: pg.Client): void {
    if (closed || client !== which) return;
    client = undefined;
    clearTimeout(again);
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
    feel: () => beats,
    close() {
      closed = true;
      clearTimeout(again);
      client?.end().catch(() => undefined);
    },
  };
}
