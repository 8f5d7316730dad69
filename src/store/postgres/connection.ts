// Talking to PostgreSQL: a pool for one process or thread, prepared statements, and its failures as ours.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { PdppError } from "../../contract/errors.ts";

/** The oldest PostgreSQL that is tested for. */
const MAJOR_FLOOR = 15;

export interface DatabaseOptions {
  /** How many connections at most. */
  connections?: number;
  /** How long to wait for a connection, and for another writer of the same owner. */
  patienceMs?: number;
  /** Told of a connection that broke while nobody used it. */
  onBroken?: (error: Error) => void;
}

const CONNECTIONS = 4;
const ASIDE = 2;
const PATIENCE_MS = 10_000;
/** Tries to reach a database that just restarts: a second or two. */
const RETRY_MS = [50, 100, 200, 400, 800];

const SETTINGS = {
  // A process that hangs in a transaction must not stop the others of its owner for good.
  idle_in_transaction_session_timeout: 60_000,
  statement_timeout: 120_000,
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

  constructor(url: string, options: DatabaseOptions = {}) {
    const { connections = CONNECTIONS, patienceMs = PATIENCE_MS, onBroken } = options;
    this.url = url;
    this.#options = options;
    this.#patienceMs = patienceMs;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      types: TYPES,
      connectionTimeoutMillis: patienceMs,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
      keepAlive: true,
      application_name: "postern",
      options: settings({ lock_timeout: patienceMs, ...SETTINGS }),
    });
    // A connection that breaks while nobody uses it leaves the pool; whoever comes next gets another one.
    this.#pool.on("error", (error) => onBroken?.(error));
  }

  /** Runs on one connection. Nothing has happened yet when it cannot be reached, so that is tried again. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const connection = new Connection(client);
    try {
      return await work(connection);
    } catch (error) {
      throw typedError(error);
    } finally {
      connection.release();
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const deadline = Date.now() + this.#patienceMs;
    for (let tried = 0; ; tried++) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        const pause = RETRY_MS[Math.min(tried, RETRY_MS.length - 1)]!;
        if (!isPassing(error) || Date.now() + pause > deadline) throw typedError(error);
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

type Value = string | number | boolean | Uint8Array | null | readonly (string | number | null)[];

/** One connection while somebody has it. */
export class Connection {
  readonly #client: pg.PoolClient;
  /** Rows that were written since somebody has it. */
  changes = 0;
  #broken: Error | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient) {
    this.#client = client;
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

  /** Several statements without parameters in one trip; the rows of the last one. */
  async script(sql: string): Promise<unknown[][]> {
    const asked = this.#watched(this.#client.query({ text: sql, rowMode: "array" }));
    const results = (await asked) as unknown as pg.QueryArrayResult | pg.QueryArrayResult[];
    const last = Array.isArray(results) ? results.at(-1)! : results;
    return last.rows.map((row) => row.map(plain));
  }

  /** Sent without waiting for its answer; whatever is asked next comes behind it. */
  post(sql: string): void {
    this.#watched(this.#client.query(sql)).catch(() => undefined);
  }

  async #ask(sql: string, values: readonly Value[]): Promise<pg.QueryArrayResult> {
    const query = { name: nameOf(sql), text: sql, values: values.map(storable), rowMode: "array" as const };
    const result = await this.#watched(this.#client.query(query));
    if (result.command !== "SELECT") this.changes += result.rowCount ?? 0;
    for (const row of result.rows) for (let at = 0; at < row.length; at++) row[at] = plain(row[at]);
    return result;
  }

  #watched<T>(asked: Promise<T>): Promise<T> {
    const noted = asked.catch((error: Error) => {
      if (isLost(error)) this.#broken = error;
      throw error;
    });
    this.#last = noted.catch(() => undefined);
    return noted;
  }

  /** Back to the pool once all that was asked is answered; a broken one goes. */
  release(): void {
    void this.#last.then(() => this.#client.release(this.#broken));
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

/** Refuses what this code was not written for, before anything is read. */
export async function requireVersion(connection: Connection): Promise<void> {
  const [[number]] = (await connection.rows("SELECT current_setting('server_version_num')::int")) as [[number]];
  const major = Math.floor(number / 10_000);
  if (major >= MAJOR_FLOOR) return;
  throw new PdppError("store_unavailable", `PostgreSQL ${major} is too old: ${MAJOR_FLOOR} is the floor`, {
    next_step: `Point DATABASE_URL to PostgreSQL ${MAJOR_FLOOR} or newer.`,
  });
}

const LOST = /^(08|57P0)/;
const FULL = new Set(["53100", "54000"]);

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? "");

/** The connection is gone, or cannot be trusted with another statement. */
function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return LOST.test(code) || code === "25P03" || /^E[A-Z]+$/.test(code) || !/^[0-9A-Z]{5}$/.test(code);
}

/** Shutting down, starting up, restarting, no room: over in a moment, as a rule. */
function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT"].includes(code)) return true;
  if (code === "53300" || LOST.test(code)) return true;
  return /terminated|timeout exceeded|Connection ended/i.test((error as Error).message ?? "");
}

const SAID: Record<string, string> = {
  "25006": "the database takes no writes now (it is read-only)",
  "53300": "the database has no connection left",
  "55P03": "another process of this owner is writing for too long",
  "57014": "the database took too long",
  "28P01": "the database does not accept the password",
  "28000": "the database does not accept the user",
  "3D000": "there is no such database",
  "42501": "the database does not allow this user to do that",
};

export function typedError(error: unknown): unknown {
  if (error instanceof PdppError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (FULL.has(code)) return new PdppError("storage_full", "the database has no room left");
  const said = SAID[code];
  // Without the address: whoever asks need not know where the database is.
  if (said !== undefined) return new PdppError("store_unavailable", said);
  if (isLost(error) || isPassing(error)) {
    const broken = /^[A-Z0-9]+$/.test(code) ? ` (${code})` : "";
    const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
    if (!isOurs) return new PdppError("store_unavailable", `the database cannot be reached${broken}`);
  }
  return error;
}
