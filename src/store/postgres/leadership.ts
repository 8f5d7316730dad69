// Who runs an owner's jobs: of all processes one, the holder of a lock in the database. The lock goes with its
// connection, so that nobody's clock decides, and a process that dies or loses touch hands over at once.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { failureText } from "../../contract/errors.ts";
import type { Leadership, LeadershipOptions } from "../place.ts";

/** How soon another process takes over. */
const TRY_MS = 500;
/** The leader asks the database this often whether it still is, and PostgreSQL asks for a machine that vanished. */
const BEAT_MS = 2000;
const ALIVE = `SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3`;
/** A database that says nothing for so long is gone. Before PostgreSQL gives the lock to another process, who has it has let go. */
const BOUND_MS = 5000;
/** Any number that no other lock of an owner has. */
export const JOBS_LOCK = 2;

export function lead(url: string, subject: string, { gained, lost, log }: LeadershipOptions): Leadership {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let leads = false;
  let closed = false;
  /** One after the other: whoever gains it has let go of it before. */
  let turn: Promise<void> = Promise.resolve();

  function change(now: boolean): void {
    if (leads === now) return;
    leads = now;
    turn = turn.then(now ? gained : lost).catch((error: Error) => log(`jobs: ${failureText(error)}`));
  }

  function drop(which: pg.Client): void {
    if (client !== which) return;
    client = undefined;
    change(false);
    which.end().catch(() => undefined);
  }

  async function beat(): Promise<void> {
    let mine = client;
    if (mine === undefined) {
      mine = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: BOUND_MS,
        query_timeout: BOUND_MS,
        application_name: "postern jobs",
      });
      client = mine;
      mine.on("error", () => drop(mine!));
      mine.on("end", () => drop(mine!));
      await mine.connect();
      await mine.query(ALIVE);
    }
    if (leads) {
      await mine.query("SELECT 1");
      return;
    }
    const { rows } = await mine.query<{ got: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended($1, $2)) AS got",
      [subject, JOBS_LOCK],
    );
    if (rows[0]!.got && client === mine && !closed) change(true);
  }

  function next(): void {
    if (closed) return;
    timer = setTimeout(run, leads ? BEAT_MS : TRY_MS).unref();
  }

  function run(): void {
    const before = client;
    beat()
      .catch(() => {
        const broken = client ?? before;
        if (broken !== undefined) drop(broken);
      })
      .finally(next);
  }

  run();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      change(false);
      await turn;
      // One that says nothing any more does not say goodbye either.
      await Promise.race([client?.end().catch(() => undefined), wait(1000, undefined, { ref: false })]);
    },
  };
}
