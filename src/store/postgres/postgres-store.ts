// The store of one owner in a PostgreSQL database that many owners and processes share. A writer locks the owner's row
// in `home`, so versions follow commit order, and a reader's snapshot never has a gap in the feed. Readers never wait.
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { PdppError } from "../../contract/errors.ts";
import { newId } from "../../contract/ids.ts";
import type { Awaitable, Era, ReadOptions, ReadView, Store, WriteOptions, WriteView } from "../store.ts";
import { tableReadsOf, tableWritesOf } from "../tables/tables.ts";
import { auditLog, type ClosingAuditLog } from "./audit-log.ts";
import { beginWriting, type Connection, type Database } from "./connection.ts";
import { typedError, unavailable } from "./failures.ts";
import { requireUsable, WriteCheck } from "./fitness.ts";
import { OptimisticConnection, type ReadConnection, type RowCache } from "./optimistic-read.ts";
import { recordReads } from "./record-rows.ts";
import { recordWrites } from "./record-writes.ts";
import { openSegments } from "./segments.ts";
import { endingSilentWriters } from "./silent-writers.ts";
import { tableReads, tableWrites } from "./tables.ts";
import { dropUnusedBlobs, ownBlobs } from "./unused-blobs.ts";

/** The channel for notifications. Their payload is the owner whose data has changed. */
export const CHANNEL = "postern";

const KEY_BYTES = 32;

/** Creates an owner with its own key. */
export async function putOwner(connection: Connection, now = Date.now()): Promise<string> {
  const subject = newId("subject");
  await connection.run(
    "INSERT INTO home (subject_id, key, created_at) VALUES ($1, $2, $3)",
    subject,
    randomBytes(KEY_BYTES),
    now,
  );
  return subject;
}

export interface PostgresStoreOptions {
  /**
   * True if only this process writes for this owner and announces nothing before it closes, so redoable writes need not
   * be synced.
   */
  alone?: boolean;
  /** A process that stalls for longer in the middle of a write loses that write. */
  pausedWriteMs?: number | undefined;
  /** Receives messages for the operator. */
  onFailure?: (failure: unknown) => void;
  /** Releases the connections when the store is closed. */
  release?: () => Promise<void>;
}

export async function openPostgresStore(
  database: Database,
  subject: string,
  options: PostgresStoreOptions = {},
): Promise<Store> {
  const row = await database.session((connection) =>
    connection.row("SELECT key FROM home WHERE subject_id = $1", subject),
  );
  if (row === undefined) throw new PdppError("not_found", `the database has no owner ${JSON.stringify(subject)}`);
  const { length } = row[0] as Buffer;
  if (length !== KEY_BYTES) {
    throw new PdppError("key_missing", `the key of this owner is damaged: it has ${length} bytes, not ${KEY_BYTES}`, {
      next_step: "Restore this owner's row in the table home from a backup of the database.",
    });
  }
  return new PostgresStore(database, subject, createSecretKey(row[0] as Buffer), options);
}

interface OwnerHead {
  epoch: number;
  version: number;
  eras: string | null;
  writes: number;
  term: number;
}

/** The owner's head at the last read, and rows cached since then. */
interface LastRead {
  head: OwnerHead;
  kept: RowCache;
  /** True if two reads in a row found the same head. */
  isCalm: boolean;
}

interface Pending {
  work: (view: WriteView) => Awaitable<unknown>;
  redoable: boolean;
  term: number | undefined;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

class PostgresStore implements Store {
  readonly audit: ClosingAuditLog;
  readonly segments;
  readonly key: KeyObject;
  readonly #database: Database;
  readonly #subject: string;
  readonly #options: PostgresStoreOptions;
  readonly #head: string;
  readonly #writeCheck: WriteCheck;
  #seen: LastRead | undefined;
  #pending: Pending[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor(database: Database, subject: string, key: KeyObject, options: PostgresStoreOptions) {
    this.#database = database;
    this.#subject = subject;
    this.#options = options;
    this.key = key;
    // These are needed during a read, so they use separate connections.
    this.#writeCheck = new WriteCheck(database.aside);
    this.audit = auditLog(database.aside, subject, key);
    this.segments = openSegments(database.aside, subject);
    // Sent in one round trip with BEGIN, so it cannot have parameters.
    this.#head = `SELECT epoch, version, eras, writes, term FROM home WHERE subject_id = '${subject.replaceAll("'", "''")}'`;
  }

  async read<T>(work: (view: ReadView) => Awaitable<T>, { repeatable = false }: ReadOptions = {}): Promise<T> {
    if (repeatable && this.#seen?.isCalm) {
      const seen = this.#seen;
      const looked = await this.#database.once((connection) => this.#readOptimistically(connection, seen, work));
      if (looked !== undefined) return looked.value;
    }
    return this.#database.session(async (connection, [row]) => {
      try {
        const head = headFrom(row);
        this.#look(head);
        return await work(this.#reads(connection, connection, head));
      } finally {
        connection.post("COMMIT");
      }
    }, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${this.#head}`);
  }

  #look(head: OwnerHead): void {
    if (this.#seen?.head.writes === head.writes) this.#seen.isCalm = true;
    else this.#seen = { head, kept: new Map(), isCalm: false };
  }

  /** Returns undefined if the rows do not form one state or the connection broke. */
  async #readOptimistically<T>(connection: Connection, seen: LastRead, work: (view: ReadView) => Awaitable<T>) {
    const optimistic = new OptimisticConnection(connection, seen.head.writes, seen.kept);
    // Reading the feed changes later results, so it must start only in a transaction, where it is sure to finish.
    const follow = (): never => {
      throw optimistic.overtaken();
    };
    let outcome: { value: T } | { error: unknown };
    try {
      outcome = {
        value: await work({ ...this.#reads(connection, optimistic, seen.head), changes: follow, allChanges: follow }),
      };
      await optimistic.check(this.#subject);
    } catch (error) {
      outcome = { error };
    }
    // A read that broke may have waited for a long operation, so start the next one with a transaction.
    if (connection.isBroken) this.#seen = undefined;
    if (connection.isBroken || optimistic.isOvertaken) return undefined;
    if ("error" in outcome) throw outcome.error;
    return outcome;
  }

  write<T>(
    work: (view: WriteView) => Awaitable<T>,
    { redoable = false, term, urgent = false }: WriteOptions = {},
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#pending.push({ work, redoable, term, resolve: resolve as Pending["resolve"], reject });
    if (this.#pending.length === 1) {
      this.#queue = this.#queue.then(() => {
        const group = this.#pending.splice(0);
        const lazy = this.#options.alone === true && group.every((piece) => piece.redoable);
        const opening = `${beginWriting(this.#options.pausedWriteMs)} ${lazy ? "SET LOCAL synchronous_commit = off;" : ""} ${this.#head} FOR NO KEY UPDATE`;
        return this.#database
          .session((connection, [row]) => this.#flush(connection, row, group), opening)
          .catch((error: unknown) => {
            for (const { reject: fail } of group) fail(error);
          });
      });
    }
    return urgent ? this.#endingSilentWriters(promise) : promise;
  }

  #endingSilentWriters<T>(written: Promise<T>): Promise<T> {
    return endingSilentWriters(this.#database.url, this.#head, written, (failure) =>
      this.#options.onFailure?.(failure),
    );
  }

  /** Puts all waiting work into one transaction. Each piece has its own savepoint and fails alone. */
  async #flush(connection: Connection, row: unknown[] | undefined, group: readonly Pending[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      const head = headFrom(row);
      for (const { work, term, resolve, reject } of group) {
        const before = { ...head };
        if (group.length > 1) await connection.script("SAVEPOINT piece");
        try {
          if (term !== undefined && term !== head.term) throw unavailable("another process runs the jobs now");
          const value = await work(this.#writes(connection, head));
          if (group.length > 1) await connection.script("RELEASE piece");
          settle.push(() => resolve(value));
        } catch (error) {
          if (group.length === 1) throw error;
          await connection.script("ROLLBACK TO piece; RELEASE piece");
          Object.assign(head, before);
          settle.push(() => reject(typedError(error)));
        }
      }
      if (connection.changes > 0) await commit(connection, this.#database.aside, this.#subject, head);
      else await connection.script("COMMIT");
      for (const done of settle) done();
    } catch (error) {
      await connection.script("ROLLBACK").catch(() => undefined);
      for (const { reject } of group) reject(typedError(error));
    }
  }

  #reads(connection: Connection, asked: ReadConnection, head: OwnerHead): ReadView {
    const subject = this.#subject;
    return {
      epoch: () => head.epoch,
      version: () => head.version,
      eras: () => erasFrom(head.eras),
      subject: () => subject,
      usable: async () => {
        await requireUsable(connection);
        await this.#writeCheck.require();
      },
      ...tableReadsOf(tableReads(asked, subject)),
      ...ownBlobs(asked, subject),
      ...recordReads(asked, subject),
    };
  }

  #writes(connection: Connection, head: OwnerHead): WriteView {
    const subject = this.#subject;
    const bumpEpoch = (): void => void head.epoch++;
    return {
      ...this.#reads(connection, connection, head),
      ...tableWritesOf(tableWrites(connection, subject), bumpEpoch),
      ...dropUnusedBlobs(connection, subject),
      ...recordWrites(connection, subject, head),
    };
  }

  async close(): Promise<void> {
    await this.#queue;
    // If this fails because the database is unavailable, the lines stay in the journal until another server gathers
    // them.
    await this.audit.close().catch(() => undefined);
    await this.#options.release?.();
  }
}

/** How long to keep checking whether a commit succeeded. */
const OUTCOME_MS = 10_000;
const OUTCOME_PAUSE_MS = 100;

/**
 * Commits a transaction that wrote something, and notifies listeners. If the connection breaks before the commit is
 * answered, the outcome is unknown, so this queries the database, because a caller that sees a failure may send the
 * write again.
 */
async function commit(connection: Connection, aside: Database, subject: string, head: OwnerHead): Promise<void> {
  const marks = await connection.row(
    `UPDATE home SET epoch = $2, version = $3, writes = writes + 1 WHERE subject_id = $1
     RETURNING pg_current_xact_id()::text, pg_postmaster_start_time()::text, pg_notify($4, $1)`,
    subject,
    head.epoch,
    head.version,
    CHANNEL,
  );
  try {
    await connection.script("COMMIT");
  } catch (error) {
    // An error from the database is a definite outcome.
    if (!connection.isBroken) throw error;
    const outcome = await outcomeOf(aside, marks as [string, string]).catch(() => undefined);
    if (outcome === "committed") return;
    if (outcome === "aborted") throw error;
    throw unavailable(
      "the connection to the database was lost during this write, so it is unknown whether it was stored",
      "Check whether it was stored before you send it again. Records can safely be sent again.",
    );
  }
}

/**
 * Returns undefined if the outcome is unknown. After a restart, another copy of the database may answer, in which the
 * number belongs to another transaction.
 */
async function outcomeOf(aside: Database, [xid, started]: readonly [string, string]): Promise<string | undefined> {
  const deadline = performance.now() + OUTCOME_MS;
  for (;;) {
    const row = await aside.session((connection) =>
      connection.row("SELECT pg_xact_status($1::text::xid8), pg_postmaster_start_time()::text", xid),
    );
    const [status, startedNow] = row as [string | null, string];
    if (startedNow !== started) return undefined;
    if (status !== "in progress") return status ?? undefined;
    if (performance.now() > deadline) return undefined;
    await wait(OUTCOME_PAUSE_MS);
  }
}

function headFrom(row: unknown[] | undefined): OwnerHead {
  if (row === undefined) throw new PdppError("not_found", "the database no longer has this owner");
  return {
    epoch: row[0] as number,
    version: row[1] as number,
    eras: row[2] as string | null,
    writes: row[3] as number,
    term: row[4] as number,
  };
}

/** A home that was never restored has one era. */
const erasFrom = (stored: string | null): Era[] =>
  stored === null ? [{ name: "", until: null }] : (JSON.parse(stored) as Era[]);
