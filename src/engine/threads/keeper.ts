// The keeper moves journals and write-ahead logs into their databases in the background, so that commits do not have
// to, and checks all of records.db twice a day.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { failureText } from "../../contract/errors.ts";
import type { GatheringAuditLog } from "../../store/sqlite/audit-log.ts";
import { withTypedErrors } from "../../store/sqlite/database.ts";
import { readCheck } from "../../store/sqlite/home-check.ts";
import { FILES, openAuditLog } from "../../store/sqlite/sqlite-store.ts";
import { Sweep } from "../../store/sqlite/sweep.ts";
import { answerCalls } from "./thread-calls.ts";
import { lowerThreadPriority } from "./thread-priority.ts";

/** A write-ahead log longer than this is emptied even if writers have to wait. */
const WAL_MAX_BYTES = 256 * 1024 * 1024;
/**
 * Waiting this long lets many entries share a transaction. A power cut loses at most the entries of this period.
 * Readers of the log collect pending entries first.
 */
const GATHER_MS = 1000;

/** How often all rows are checked. */
const SWEEP_MS = 12 * 3_600_000;
/** The delay before the first slice, so that short commands do not start a check. */
const SWEEP_SOON_MS = 5000;
/**
 * The pause between two slices when the server is idle, and when it is in use. Even in use, 80 million records are
 * checked per day.
 */
const SLICE_MS = { idle: 100, busy: 500 } as const;
const IDLE_MS = 1000;
/** How soon a finding is rechecked. */
const RECHECK_MS = 60_000;

/** A home was used. The first message about a home opens it. */
export interface KeeperNews {
  home: string;
}
/** Answered when everything of the home is in its databases and the home is closed. */
export interface KeeperRequest {
  close: string;
}
/** For the server's log. */
export interface KeeperFailure {
  home: string;
  failure: string;
}

lowerThreadPriority();
const homes = new Map<string, KeptHome>();

const thread = answerCalls<KeeperRequest, void, KeeperNews, KeeperFailure>({
  answer: ({ close }) => attempt(close, () => keptHome(close).close()),
  onNews: ({ home }) => attempt(home, () => keptHome(home).used()),
  onClose() {
    for (const [home, kept] of homes) attempt(home, () => kept.close());
  },
});

function keptHome(home: string): KeptHome {
  const kept = homes.get(home) ?? new KeptHome(home);
  homes.set(home, kept);
  return kept;
}

/** Reports a failure and releases the home, so that the next use opens it again. */
function attempt(home: string, work: () => void): void {
  try {
    withTypedErrors(work);
  } catch (error) {
    homes.get(home)?.release();
    thread.tell({ home, failure: failureText(error) });
  }
}

/** The connections and timers of one home. */
class KeptHome {
  readonly #home: string;
  readonly #audit: GatheringAuditLog;
  readonly #databases: { path: string; database: DatabaseSync; moved: number }[];
  #synced = 0;
  #later: NodeJS.Timeout | undefined;
  #active = 0;
  #sweep: Sweep | undefined;
  #sweeping: NodeJS.Timeout;
  /**
   * A disk may have been damaged while no server was running, so each start checks all rows, even after a recent check.
   */
  #isCheckedSinceStart = false;

  constructor(home: string) {
    this.#home = home;
    this.#audit = openAuditLog(home);
    this.#databases = [FILES.records, FILES.audit].map((name) => {
      const path = join(home, name);
      return { path, database: new DatabaseSync(path, { timeout: 1000 }), moved: -1 };
    });
    this.#sweeping = this.#sweepIn(SWEEP_SOON_MS);
  }

  used(): void {
    this.#active = Date.now();
    this.#keep(false);
  }

  close(): void {
    this.#keep(true);
    this.release();
  }

  /** Closes the connections and stops the timers. */
  release(): void {
    homes.delete(this.#home);
    clearTimeout(this.#later);
    clearTimeout(this.#sweeping);
    this.#sweep?.close();
    for (const { database } of this.#databases) if (database.isOpen) database.close();
    this.#audit.close();
  }

  #sweepIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => attempt(this.#home, () => this.#sweepSlice()), ms).unref();
  }

  /** Checks one slice, unless the last check was recent and found nothing. */
  #sweepSlice(): void {
    const { checkedAt, damage } = readCheck(this.#home);
    const isRecent = checkedAt !== null && Date.now() < checkedAt + SWEEP_MS;
    const isDue = !this.#isCheckedSinceStart || damage !== null || !isRecent;
    if (this.#sweep === undefined && isDue) this.#sweep = new Sweep(this.#home);
    if (this.#sweep !== undefined && !this.#sweep.step()) {
      this.#sweep = undefined;
      this.#isCheckedSinceStart = true;
    }
    const isBusy = Date.now() - this.#active < IDLE_MS;
    this.#sweeping = this.#sweepIn(this.#sweep === undefined ? RECHECK_MS : SLICE_MS[isBusy ? "busy" : "idle"]);
  }

  #keep(closing: boolean): void {
    const wait = this.#synced + GATHER_MS - Date.now();
    if (closing || wait <= 0) {
      clearTimeout(this.#later);
      this.#later = undefined;
      this.#audit.sync();
      this.#synced = Date.now();
      // The last call of a busy second may be the last one of the day, so its entry must still be synced.
    } else this.#later ??= setTimeout(() => attempt(this.#home, () => this.#keep(false)), wait).unref();
    for (const kept of this.#databases) {
      // Skipped if nothing changed, because a checkpoint syncs twice even if there is nothing to move.
      const version = kept.database.prepare("PRAGMA data_version").get()!.data_version as number;
      if (!closing && version === kept.moved) continue;
      const mode = closing || walBytes(kept.path) > WAL_MAX_BYTES ? "RESTART" : "PASSIVE";
      kept.database.exec(`PRAGMA wal_checkpoint(${mode})`);
      kept.moved = version;
    }
  }
}

function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
