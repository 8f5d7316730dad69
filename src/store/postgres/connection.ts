// Connections to PostgreSQL: a pool per process or thread, prepared statements, and a time limit on every wait.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { isLost, isTemporary, typedError } from "./failures.ts";
import { Statement } from "./statement.ts";
import { type PostgresValue, parserOf, storable } from "./stored-text.ts";

export interface PoolOptions {
  /** The maximum number of connections. */
  connections?: number;
  /** How long to wait for a connection, or for another writer of the same owner. */
  timeoutMs?: number;
  /** Called once when the database is unavailable and we start to wait for it. */
  onWait?: (why: string) => void;
}

/** The application name of sessions that read and write. */
export const APPLICATION = "postern";

const CONNECTIONS = 4;
const ASIDE = 2;
const CONNECTION_TIMEOUT_MS = 10_000;
/** The delays between attempts to reach a database that is restarting. */
const RETRY_MS = [50, 100, 200, 400, 800];
/**
 * After this much silence, the system probes the other side, and ends the connection 10 s later if nothing responds.
 */
export const KEEP_ALIVE_MS = 5000;
/** PostgreSQL ends statements that take longer. If it does not respond, we give up a little later. */
const STATEMENT_MS = 120_000;
const SILENCE_MS = 5000;
const PAUSED_WRITE_MS = 8000;
/** Begins a write transaction. If its process stalls in the middle, others wait no longer than `pausedMs`. */
export const beginWriting = (pausedMs = PAUSED_WRITE_MS): string =>
  `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${pausedMs};`;

const ANSWER_MS = STATEMENT_MS + SILENCE_MS;
/** How often connections are checked for silence. */
const WATCH_MS = 1000;

const SETTINGS = {
  // A process that hangs in a transaction must not block the owner's other processes permanently.
  idle_in_transaction_session_timeout: 60_000,
  statement_timeout: STATEMENT_MS,
  // Every statement uses an index, in index order, and most have a LIMIT that the planner does not know. With its
  // estimates for new tables, it would sort a whole stream for each page.
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  plan_cache_mode: "force_generic_plan",
};

const settings = (all: Record<string, string | number>): string =>
  Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");

/** In pg, settings in the URL take precedence over ours, so they are removed and appended to ours. */
function addressAnd(url: string, ours: Record<string, string | number>): pg.ClientConfig {
  const address = URL.parse(url);
  const theirs = address?.searchParams.get("options");
  address?.searchParams.delete("options");
  return {
    connectionString: theirs === null || address === null ? url : address.href,
    options: `${settings(ours)} ${theirs ?? ""}`.trim(),
  };
}

export class Database {
  readonly url: string;
  readonly #options: PoolOptions;
  readonly #pool: pg.Pool;
  readonly #timeoutMs: number;
  readonly #held = new Set<Connection>();
  readonly #watch: NodeJS.Timeout;
  #aside: Database | undefined;
  #isAway = false;

  constructor(url: string, options: PoolOptions = {}) {
    const { connections = CONNECTIONS, timeoutMs = CONNECTION_TIMEOUT_MS } = options;
    this.url = url;
    this.#options = options;
    this.#timeoutMs = timeoutMs;
    this.#pool = new pg.Pool({
      ...addressAnd(url, { lock_timeout: timeoutMs, ...SETTINGS }),
      max: connections,
      types: { getTypeParser: parserOf } as pg.CustomTypesConfig,
      connectionTimeoutMillis: timeoutMs,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      // Send statements that do not depend on each other together.
      pipeline: true,
      application_name: APPLICATION,
    });
    // A broken idle connection leaves the pool, and the next caller gets another one.
    this.#pool.on("error", () => undefined);
    // If a connection is ended as soon as it is ready, it breaks before any caller has it.
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
    // Use one shared timer, because a timer per statement would be a large part of the statement's cost.
    this.#watch = setInterval(() => {
      for (const connection of this.#held) connection.giveUpIfSilent();
    }, WATCH_MS).unref();
  }

  /**
   * Runs `work` on one connection. If no connection can be made, or one breaks before it has answered `opening`
   * (statements that change nothing), nothing has happened yet, so this retries until the time limit.
   */
  async session<T>(work: (connection: Connection, opened: unknown[][]) => Promise<T>, opening?: string): Promise<T> {
    const deadline = performance.now() + this.#timeoutMs;
    for (;;) {
      const connection = this.#hold(await this.#connect(deadline), ANSWER_MS);
      try {
        const opened = opening === undefined ? [] : await this.#open(connection, opening, deadline);
        if (opened !== undefined) return await work(connection, opened);
      } finally {
        connection.release();
      }
    }
  }

  /**
   * Runs `work` on one connection without retries. Use it only for fast statements, because it soon gives up on a
   * silent connection.
   */
  async once<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.#connect(performance.now() + this.#timeoutMs);
    const connection = this.#hold(client, this.#timeoutMs + SILENCE_MS);
    try {
      return await work(connection);
    } finally {
      connection.release();
    }
  }

  #hold(client: pg.PoolClient, answerMs: number): Connection {
    const connection = new Connection(client, answerMs, () => this.#held.delete(connection));
    this.#held.add(connection);
    return connection;
  }

  /** Returns undefined if the connection broke and there is time for another attempt. */
  async #open(connection: Connection, opening: string, deadline: number): Promise<unknown[][] | undefined> {
    try {
      return await connection.script(opening, this.#timeoutMs + SILENCE_MS);
    } catch (error) {
      if (connection.isBroken && performance.now() < deadline) return undefined;
      connection.post("ROLLBACK");
      throw error;
    }
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    for (let tried = 0; ; tried++) {
      try {
        const client = await this.#pool.connect();
        this.#isAway = false;
        return client;
      } catch (error) {
        const pause = RETRY_MS[Math.min(tried, RETRY_MS.length - 1)]!;
        const typed = typedError(error);
        if (!isTemporary(error) || this.#isAway || performance.now() + pause > deadline) {
          // One caller has already waited. Until the database is back, the others fail immediately.
          this.#isAway = true;
          throw typed;
        }
        if (tried === 0) this.#options.onWait?.((typed as Error).message);
        await wait(pause);
      }
    }
  }

  /** Separate connections for callers that already have one. With a single pool, they could all wait for each other. */
  get aside(): Database {
    this.#aside ??= new Database(this.url, { ...this.#options, connections: ASIDE });
    return this.#aside;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#aside?.close()]);
    clearInterval(this.#watch);
  }
}

/** Opens a connection for one task. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database(url, { connections: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const shared = new Map<string, { database: Database; users: number }>();

/**
 * This thread's connections to a database, shared by all owners that it serves. They are closed with the last owner.
 */
export function sharedDatabase(url: string): { database: Database; release(): Promise<void> } {
  const held = shared.get(url) ?? { database: new Database(url), users: 0 };
  shared.set(url, held);
  held.users++;
  let released = false;
  return {
    database: held.database,
    async release() {
      if (released) return;
      released = true;
      if (--held.users > 0) return;
      shared.delete(url);
      await held.database.close();
    },
  };
}

/** A connection while a caller is using it. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #answerMs: number;
  readonly #onRelease: () => void;
  /** Rows written by the current caller. */
  changes = 0;
  #broken: Error | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** How many statements are unanswered, and when the next response is due. */
  #unanswered = 0;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(client: pg.PoolClient, answerMs: number, onRelease: () => void) {
    this.#client = client;
    this.#answerMs = answerMs;
    this.#onRelease = onRelease;
    client.on("error", this.#onError);
  }

  /** A connection can break even while it is idle. */
  readonly #onError = (error: Error): void => {
    this.#broken ??= error;
  };

  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /** Returns rows as arrays. */
  async rows(sql: string, ...values: PostgresValue[]): Promise<unknown[][]> {
    return (await this.#ask(sql, values)).found;
  }

  async row(sql: string, ...values: PostgresValue[]): Promise<unknown[] | undefined> {
    return (await this.rows(sql, ...values))[0];
  }

  /** Returns how many rows were changed. */
  async run(sql: string, ...values: PostgresValue[]): Promise<number> {
    return (await this.#ask(sql, values)).changes;
  }

  /** Returns rows that may be cached until something is written for their owner. */
  kept(sql: string, ...values: PostgresValue[]): Promise<unknown[][]> {
    return this.rows(sql, ...values);
  }

  /** Runs several statements without parameters in one round trip, and returns the rows of the last one. */
  async script(sql: string, query_timeout = ANSWER_MS): Promise<unknown[][]> {
    const query = { text: sql, rowMode: "array" as const, query_timeout };
    const results = (await this.#send(() => this.#client.query(query))) as unknown as
      | pg.QueryArrayResult
      | pg.QueryArrayResult[];
    return Array.isArray(results) ? results.at(-1)!.rows : results.rows;
  }

  /** Sends statements without waiting for their results. Later statements run after them. */
  post(sql: string): void {
    this.script(sql).catch(() => undefined);
  }

  async #ask(sql: string, values: readonly PostgresValue[]): Promise<Statement> {
    const statement = new Statement(sql, values.map(storable));
    if (this.#unanswered++ === 0) this.#dueAt = performance.now() + this.#answerMs;
    try {
      await this.#send(() => {
        this.#client.query(statement as unknown as pg.Submittable);
        return statement.answered;
      });
    } finally {
      this.#dueAt = --this.#unanswered === 0 ? Number.POSITIVE_INFINITY : performance.now() + this.#answerMs;
    }
    this.changes += statement.changes;
    return statement;
  }

  /** Ends a silent connection, so that its pending statements fail. */
  giveUpIfSilent(): void {
    if (performance.now() < this.#dueAt) return;
    this.#broken ??= new Error("Query read timeout");
    // Destroy the socket, as pg does on a timeout, because `end` would wait for the responses.
    (this.#client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  }

  /**
   * A broken connection gets no more statements, because a query that follows an unanswered one would wait just as
   * long.
   */
  #send<T>(query: () => Promise<T>): Promise<T> {
    const asked = this.#broken === undefined ? query() : Promise.reject(this.#broken);
    const noted = asked.catch((error: Error) => {
      if (isLost(error)) this.#broken ??= error;
      // Report the original cause, because later statements only report that the connection was closed.
      throw typedError(this.#broken ?? error);
    });
    this.#last = noted.catch(() => undefined);
    return noted;
  }

  /** Returns the connection to the pool once all statements are answered, or closes it if it is broken. */
  release(): void {
    void this.#last.then(() => {
      this.#onRelease();
      this.#client.release(this.#broken);
      this.#client.off("error", this.#onError);
    });
  }
}

/** Commits all of the work or none of it. */
export async function transaction<T>(connection: Connection, begin: string, work: () => Promise<T>): Promise<T> {
  await connection.script(begin);
  try {
    const result = await work();
    await connection.script("COMMIT");
    return result;
  } catch (error) {
    await connection.script("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
