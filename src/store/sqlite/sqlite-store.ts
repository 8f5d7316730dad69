// The embedded store: the records, audit log and key of one home directory, through node:sqlite.

import type { KeyObject } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PdppError } from "../../contract/errors.ts";
import { newId } from "../../contract/ids.ts";
import { damaged } from "../damage.ts";
import { HOME_MARKER, markHome } from "../home-marker.ts";
import type { Awaitable, ReadView, Store, WriteOptions, WriteView } from "../store.ts";
import { tableReadsOf, tableWritesOf } from "../tables/tables.ts";
import { auditLog, type GatheringAuditLog } from "./audit-log.ts";
import { type DatabaseLimits, openDatabase, typedError, withTypedErrors } from "./database.ts";
import { CHECK_FILE, noteDamage, readCheck } from "./home-check.ts";
import { headReads } from "./home-head.ts";
import { homeKey } from "./home-key.ts";
import { newestRecord, recordReads } from "./record-rows.ts";
import { recordWrites } from "./record-writes.ts";
import { BUMP_EPOCH, requireSoundTables } from "./row-sums.ts";
import { MIGRATIONS } from "./schema.ts";
import { openSegments } from "./segments.ts";
import { sqliteTables } from "./tables.ts";
import { dropUnusedBlobs, ownBlobs } from "./unused-blobs.ts";

export const FILES = {
  records: "records.db",
  audit: "audit.db",
  journals: "journals",
  projections: "projections.db",
  key: "key",
  blobs: "blobs",
  exports: "exports",
  /** Files uploaded for import. */
  uploads: "uploads",
  /** Backups that the server made on request. */
  backups: "backups",
  /** How often to back up, and where. */
  backupPlan: "backup-plan.json",
  lock: "lock.db",
  /** Written and removed to check whether the disk accepts writes. */
  probe: "probe",
  /** The findings of the last check of records.db (home-check.ts). */
  check: CHECK_FILE,
  /** The address of the running server. */
  address: "address",
  marker: HOME_MARKER,
} as const;

/**
 * Creates the home directory, its key and its default subject. Only its owner can read its files, regardless of which
 * thread writes them.
 */
export function prepareHome(home: string): void {
  prepareFolder(home);
  homeKey(home);
  const store = openSqliteStore(home);
  store.close();
}

/** Creates only the directory. */
export function prepareFolder(home: string): void {
  process.umask(0o077);
  mkdirSync(join(home, FILES.blobs), { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
  markHome(home);
}

export function openAuditLog(home: string): GatheringAuditLog {
  const database = openDatabase({
    path: join(home, FILES.audit),
    migrations: MIGRATIONS.audit,
    synchronous: "NORMAL",
    cacheMegabytes: 2,
    keepCopy: true,
  });
  const log = auditLog(database, join(home, FILES.journals), homeKey(home));
  return {
    ...log,
    close() {
      log.close();
      database.close();
    },
  };
}

export interface StoreOptions extends DatabaseLimits {
  /**
   * True if only this process has the home open and it announces nothing before it closes, so redoable writes need not
   * be synced.
   */
  alone?: boolean;
}

export function openSqliteStore(home: string, { alone = false, ...limits }: StoreOptions = {}): Store {
  const key = homeKey(home);
  return withTypedErrors(() => {
    // An older version may have created the home without a marker.
    markHome(home);
    const records = openDatabase({
      path: join(home, FILES.records),
      migrations: MIGRATIONS.records,
      synchronous: "FULL",
      limits,
      keepCopy: true,
    });
    requireSoundTables(records);
    const segments = openSegments(join(home, FILES.projections));
    return new SqliteStore({ home, records, audit: openAuditLog(home), segments, key, alone });
  });
}

interface Pending {
  work: (view: WriteView) => Awaitable<unknown>;
  redoable: boolean;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

interface StoreParts {
  home: string;
  records: DatabaseSync;
  audit: GatheringAuditLog;
  segments: ReturnType<typeof openSegments>;
  key: KeyObject;
  alone: boolean;
}

class SqliteStore implements Store {
  readonly #home: string;
  readonly audit: GatheringAuditLog;
  readonly segments;
  readonly key: KeyObject;
  readonly #records: DatabaseSync;
  readonly #tables: ReturnType<typeof sqliteTables>;
  readonly #reads: ReadView;
  readonly #alone: boolean;
  #synchronous: "FULL" | "NORMAL" = "FULL";
  #writes: WriteView | undefined;
  #pending: Pending[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor({ home, records, audit, segments, key, alone }: StoreParts) {
    this.#home = home;
    this.#records = records;
    this.#alone = alone;
    this.key = key;
    this.segments = segments;
    this.audit = audit;
    this.#tables = sqliteTables(records);
    const head = headReads(records);
    const newest = newestRecord(records);
    this.#reads = {
      // Unlike in PostgreSQL, this needs no test write, because the writer finds out whether writes succeed, and no
      // clock check, because there is only one clock.
      usable() {
        head.version();
        newest();
        const { damage } = readCheck(home);
        if (damage !== null) throw damaged(damage.what);
      },
      ...tableReadsOf(this.#tables),
      ...head,
      ...ownBlobs(records),
      ...recordReads(records),
    };
    const subjects = records.prepare("SELECT count(*) AS count FROM subject").get()!.count as number;
    if (subjects === 0) {
      records
        .prepare(
          `INSERT INTO subject (subject_id, created_at, sum)
           SELECT ?1, ?2, row_sum('subject', ?1, ?2) WHERE NOT EXISTS (SELECT 1 FROM subject)`,
        )
        .run(newId("subject"), Date.now());
    }
  }

  read<T>(work: (view: ReadView) => Awaitable<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#exec("BEGIN");
      try {
        return await work(this.#reads);
      } catch (error) {
        throw this.#failure(error);
      } finally {
        this.#exec("COMMIT");
      }
    });
  }

  write<T>(work: (view: WriteView) => Awaitable<T>, { redoable = false }: WriteOptions = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#pending.push({ work, redoable, resolve: resolve as Pending["resolve"], reject });
    if (this.#pending.length === 1) void this.#inTurn(() => this.#flush());
    return promise;
  }

  /** Runs one piece of work at a time, because there is only one connection. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Puts all waiting work into one transaction. Each piece has its own savepoint and fails alone. */
  async #flush(): Promise<void> {
    const group = this.#pending.splice(0);
    // Under a savepoint, SQLite keeps a copy of every changed page. A single piece needs no savepoint, because it is
    // the whole transaction.
    const alone = group.length === 1;
    const settle: (() => void)[] = [];
    try {
      this.#syncWith(this.#alone && group.every(({ redoable }) => redoable) ? "NORMAL" : "FULL");
      this.#exec("BEGIN IMMEDIATE");
      for (const { work, resolve, reject } of group) {
        if (!alone) this.#exec("SAVEPOINT piece");
        try {
          const value = await work(this.#writeView());
          if (!alone) this.#exec("RELEASE piece");
          settle.push(() => resolve(value));
        } catch (error) {
          // A full disk ends the whole transaction, so there is no savepoint left to roll back to.
          if (alone || !this.#records.isTransaction) throw error;
          this.#exec("ROLLBACK TO piece");
          this.#exec("RELEASE piece");
          const failure = this.#failure(error);
          settle.push(() => reject(failure));
        }
      }
      this.#exec("COMMIT");
      for (const done of settle) done();
    } catch (error) {
      if (this.#records.isTransaction) this.#exec("ROLLBACK");
      const failure = this.#failure(error);
      for (const { reject } of group) reject(failure);
    }
  }

  /** Records damage for /readyz and `pdpp doctor`. */
  #failure(error: unknown): unknown {
    const typed = typedError(error);
    if (typed instanceof PdppError && typed.code === "store_damaged") noteDamage(this.#home, typed.message);
    return typed;
  }

  /** A commit under FULL syncs the whole log, including earlier commits made under NORMAL. */
  #syncWith(mode: "FULL" | "NORMAL"): void {
    if (this.#synchronous === mode) return;
    this.#exec(`PRAGMA synchronous = ${mode}`);
    this.#synchronous = mode;
  }

  #writeView(): WriteView {
    if (this.#writes === undefined) {
      const bump = this.#records.prepare(BUMP_EPOCH);
      const bumpEpoch = (): void => void bump.run();
      this.#writes = {
        ...this.#reads,
        ...tableWritesOf(this.#tables, bumpEpoch),
        ...dropUnusedBlobs(this.#records),
        ...recordWrites(this.#records),
      };
    }
    return this.#writes;
  }

  #exec(sql: string): void {
    try {
      this.#records.exec(sql);
    } catch (error) {
      throw typedError(error);
    }
  }

  close(): void {
    this.#records.close();
    this.audit.close();
    this.segments.close();
  }
}
