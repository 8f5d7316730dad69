// Checks that a database is usable: that its version is supported, its clock is close to ours, and it accepts writes.
import type { PdppError } from "../../contract/errors.ts";
import type { Connection, Database } from "./connection.ts";
import { typedError, unavailable } from "./failures.ts";
import { requireKnown } from "./schema.ts";

/** The oldest supported PostgreSQL. */
const MAJOR_FLOOR = 15;

/**
 * Each process decides by its own clock when a grant or token expires and when a schedule is due. Each clock may differ
 * from the database's by this much. So a grant that has ended for one process may still be readable through another for
 * twice as long.
 */
const CLOCK_MS = 60_000;

/** Refuses unsupported databases before anything is read. */
export async function requireVersion(connection: Pick<Connection, "rows">): Promise<void> {
  const [[number]] = (await connection.rows("SELECT current_setting('server_version_num')::int")) as [[number]];
  const major = Math.floor(number / 10_000);
  if (major >= MAJOR_FLOOR) return;
  throw unavailable(
    `PostgreSQL ${major} is too old: Postern needs ${MAJOR_FLOOR} or newer`,
    `Point DATABASE_URL to PostgreSQL ${MAJOR_FLOOR} or newer.`,
  );
}

export async function requireClock(connection: Pick<Connection, "rows">, now: () => number = Date.now): Promise<void> {
  const asked = now();
  const [[theirs]] = (await connection.rows(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision",
  )) as [[number]];
  const answered = now();
  const ahead = asked - theirs;
  const behind = theirs - answered;
  if (Math.max(ahead, behind) <= CLOCK_MS) return;
  const seconds = Math.round(Math.max(ahead, behind) / 1000);
  throw unavailable(
    `this machine's clock is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the database's`,
    `Synchronise both clocks (NTP). They may differ by at most ${CLOCK_MS / 1000} s, because they decide when a grant ends.`,
  );
}

/** How long a successful write check stays valid. */
const WRITTEN_MS = 5000;

/**
 * Tests a commit that the database must sync, and a temporary file that needs free disk space (4,000 rows exceed a
 * work_mem of 64 kB). It touches no table row, so it never waits for a lock.
 */
const WRITE = `BEGIN; SET LOCAL work_mem = '64kB'; SELECT pg_logical_emit_message(true, 'postern', 'ready');
  SELECT count(*) FROM generate_series(1, 4000); COMMIT`;

/** Checks that the database still accepts writes, at most every few seconds. */
export class WriteCheck {
  readonly #database: Database;
  #written = Number.NEGATIVE_INFINITY;

  constructor(database: Database) {
    this.#database = database;
  }

  async require(): Promise<void> {
    if (performance.now() < this.#written + WRITTEN_MS) return;
    await this.#database.session(async (connection) => {
      try {
        await connection.script(WRITE);
      } catch (error) {
        connection.post("ROLLBACK");
        throw typedError(error);
      }
    });
    this.#written = performance.now();
  }
}

/** Without writes there can be no audit entry, so nothing may be read either. */
export async function requireUsable(connection: Connection): Promise<void> {
  const [[isReadOnly]] = (await connection.rows(
    "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'",
  )) as [[boolean]];
  if (isReadOnly) throw typedError(Object.assign(new Error("read-only"), { code: "25006" })) as PdppError;
  await requireKnown(connection);
  await requireClock(connection);
}
