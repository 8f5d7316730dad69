// Talking to PostgreSQL: a pool for one process or thread, prepared statements, nothing that waits without an end.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { isLost, isPassing, typedError } from "./failures.ts";

export interface DatabaseOptions {
  /** How many connections at most. */
  connections?: number;
  /** How long to wait for a connection, and for another writer of the same owner. */
  patienceMs?: number;
  /** Told once, when it is not there and is waited for. */
  onWait?: (why: string) => void;
}

const CONNECTIONS = 4;
const ASIDE = 2;
const PATIENCE_MS = 10_000;
/** Between tries to reach a database that just restarts. */
const RETRY_MS = [50, 100, 200, 400, 800];
/** The system asks an other side that is quiet for so long whether it is there, and ends the connection 10 s later if not. */
export const KEEP_ALIVE_MS = 5000;
/** PostgreSQL ends what takes longer. One that says nothing any more is given up a little later. */
const STATEMENT_MS = 120_000;
const SILENCE_MS = 5000;

const SETTINGS = {
  // A process that hangs in a transaction must not stop the others of its owner for good.
  idle_in_transaction_session_timeout: 60_000,
  statement_timeout: STATEMENT_MS,
  // Every statement follows an index, in its order, and most have a LIMIT that the planner does not know: from what it
  // guesses of new tables it would rather sort a whole stream for each page.
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  plan_cache_mode: "force_generic_plan",
};

const settings = (all: Record<string, string | number>): string =>
  Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");

/** Settings that the address brings along stand behind ours: pg would take them instead of ours. */
function addressAnd(url: string, ours: Record<string, string | number>): pg.ClientConfig {
  const address = URL.parse(url);
  const theirs = address?.searchParams.get("options");
  address?.searchParams.delete("options");
  return {
    connectionString: theirs === null || address === null ? url : address.href,
    options: `${settings(ours)} ${theirs ?? ""}`.trim(),
  };
}

/** Counters are far below 2^53: they come as numbers. */
const TYPES = {
  getTypeParser(oid: number) {
    return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, "text");
  },
} as pg.CustomTypesConfig;

export class Database {
  readonly url: string;
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;
  readonly #patienceMs: number;
  #aside: Database | undefined;
  #isAway = false;

  constructor(url: string, options: DatabaseOptions = {}) {
    const { connections = CONNECTIONS, patienceMs = PATIENCE_MS } = options;
    this.url = url;
    this.#options = options;
    this.#patienceMs = patienceMs;
    this.#pool = new pg.Pool({
      ...addressAnd(url, { lock_timeout: patienceMs, ...SETTINGS }),
      max: connections,
      types: TYPES,
      connectionTimeoutMillis: patienceMs,
      query_timeout: STATEMENT_MS + SILENCE_MS,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      // What is asked without waiting for an answer travels together.
      pipeline: true,
      application_name: "postern",
    });
    // A connection that breaks while nobody uses it leaves the pool; whoever comes next gets another one.
    this.#pool.on("error", () => undefined);
  }

  /**
   * Runs on one connection. While none can be reached, or one breaks before it has answered `opening` (statements that change
   * nothing yet), nothing has happened: that is tried again, as long as patience lasts.
   */
  async session<T>(work: (connection: Connection, opened: unknown[][]) => Promise<T>, opening?: string): Promise<T> {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      const connection = new Connection(await this.#connect(deadline));
      try {
        const opened = opening === undefined ? [] : await this.#open(connection, opening, deadline);
        if (opened !== undefined) return await work(connection, opened);
      } finally {
        connection.release();
      }
    }
  }

  /** Runs on one connection whatever becomes of it, and asks nothing that may take long: one that says nothing is given up soon. */
  async once<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.#connect(performance.now() + this.#patienceMs);
    const connection = new Connection(client, this.#patienceMs + SILENCE_MS);
    try {
      return await work(connection);
    } finally {
      connection.release();
    }
  }

  /** undefined: the connection broke, and there is time for another. */
  async #open(connection: Connection, opening: string, deadline: number): Promise<unknown[][] | undefined> {
    try {
      return await connection.script(opening, this.#patienceMs + SILENCE_MS);
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
        if (!isPassing(error) || this.#isAway || performance.now() + pause > deadline) {
          // One was patient for all: until it is back, whoever comes is told at once.
          this.#isAway = true;
          throw typed;
        }
        if (tried === 0) this.#options.onWait?.((typed as Error).message);
        await wait(pause);
      }
    }
  }

  /** Connections for whoever has one already and needs another meanwhile: of one pool alone all could wait for each other. */
  get aside(): Database {
    this.#aside ??= new Database(this.url, { ...this.#options, connections: ASIDE });
    return this.#aside;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#aside?.close()]);
  }
}

/** A few connections for one errand. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database(url, { connections: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const shared = new Map<string, { database: Database; users: number }>();

/** The connections of this thread to a database, for all owners that it serves; they end with the last one. */
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

export type Value = string | number | boolean | Uint8Array | null | readonly (string | number | null)[];

/** One connection while somebody has it. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #timeoutMs: number | undefined;
  /** Rows that were written since somebody has it. */
  changes = 0;
  #broken: Error | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient, timeoutMs?: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    client.on("error", this.#onError);
  }

  /** It may break while nothing is asked of it. */
  readonly #onError = (error: Error): void => {
    this.#broken ??= error;
  };

  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /** Rows as arrays. */
  async rows(sql: string, ...values: Value[]): Promise<unknown[][]> {
    return (await this.#ask(sql, values)).rows as unknown[][];
  }

  async row(sql: string, ...values: Value[]): Promise<unknown[] | undefined> {
    return (await this.rows(sql, ...values))[0];
  }

  /** How many rows it changed. */
  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#ask(sql, values)).rowCount ?? 0;
  }

  /** Rows that may be remembered until something is written for their owner. */
  kept(sql: string, ...values: Value[]): Promise<unknown[][]> {
    return this.rows(sql, ...values);
  }

  /** Several statements without parameters in one trip; the rows of the last one. */
  async script(sql: string, query_timeout?: number): Promise<unknown[][]> {
    const query = { text: sql, rowMode: "array" as const, ...(query_timeout && { query_timeout }) };
    const results = (await this.#send(() => this.#client.query(query))) as unknown as
      | pg.QueryArrayResult
      | pg.QueryArrayResult[];
    const last = Array.isArray(results) ? results.at(-1)! : results;
    return last.rows.map((row) => row.map(plain));
  }

  /** Sent without waiting for its answer; whatever is asked next comes behind it. */
  post(sql: string): void {
    this.#send(() => this.#client.query(sql)).catch(() => undefined);
  }

  async #ask(sql: string, values: readonly Value[]): Promise<pg.QueryArrayResult> {
    const query = {
      name: nameOf(sql),
      text: sql,
      values: values.map(storable),
      rowMode: "array" as const,
      ...(this.#timeoutMs && { query_timeout: this.#timeoutMs }),
    };
    const result = await this.#send(() => this.#client.query(query));
    if (result.command !== "SELECT") this.changes += result.rowCount ?? 0;
    for (const row of result.rows) for (let at = 0; at < row.length; at++) row[at] = plain(row[at]);
    return result;
  }

  /** Nothing more is asked of a broken one: a query behind one that is never answered would wait as long again. */
  #send<T>(query: () => Promise<T>): Promise<T> {
    const asked = this.#broken === undefined ? query() : Promise.reject(this.#broken);
    const noted = asked.catch((error: Error) => {
      if (isLost(error)) this.#broken ??= error;
      throw typedError(error);
    });
    this.#last = noted.catch(() => undefined);
    return noted;
  }

  /** Back to the pool once all that was asked is answered; a broken one goes. */
  release(): void {
    void this.#last.then(() => {
      this.#client.release(this.#broken);
      this.#client.off("error", this.#onError);
    });
  }
}

/** Statements are few and fixed: each is parsed and planned once per connection. */
const names = new Map<string, string>();
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(sql, name);
  }
  return name;
}

/** PostgreSQL's texts hold no NUL. It and the sign that stands for it are written as two, in the same order as before. */
const UNSTORABLE = /[\0\u0001]/;

function storable(value: Value): unknown {
  if (typeof value === "string") return UNSTORABLE.test(value) ? escaped(value) : value;
  if (Array.isArray(value)) return value.map((each: string | number | null) => storable(each));
  return value;
}

const escaped = (text: string): string =>
  text.replace(/[\0\u0001]/g, (sign) => (sign === "\0" ? "\u0001\u0001" : "\u0001\u0002"));

function plain(value: unknown): unknown {
  return typeof value === "string" && value.includes("\u0001")
    ? value.replace(/\u0001[\u0001\u0002]/g, (pair) => (pair[1] === "\u0001" ? "\0" : "\u0001"))
    : value;
}

/** All of the work, or nothing of it. */
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
