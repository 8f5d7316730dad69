// The keeper moves journals and write-ahead logs into their databases in the background, so that commits do not have
// to, and checks all of records.db twice a day.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { withTypedErrors } from "../../store/sqlite/database.ts";
import { readCheck } from "../../store/sqlite/home-check.ts";
import { FILES, openAuditLog } from "../../store/sqlite/sqlite-store.ts";
import { Sweep } from "../../store/sqlite/sweep.ts";
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

const { home } = workerData as { home: string };
lowerThreadPriority();
const audit = openAuditLog(home);
const databases = [FILES.records, FILES.audit].map((name) => {
  const path = join(home, name);
  return { path, database: new DatabaseSync(path, { timeout: 1000 }), moved: -1 };
});
let synced = 0;
let later: NodeJS.Timeout | undefined;

let active = 0;
let sweep: Sweep | undefined;
let sweeping = setTimeout(sweepSlice, SWEEP_SOON_MS).unref();

parentPort!.on("message", (message: "checkpoint" | "close") => {
  active = Date.now();
  withTypedErrors(() => keep(message === "close"));
});

/**
 * A disk may have been damaged while no server was running, so each start checks all rows, even after a recent check.
 */
let isCheckedSinceStart = false;

/** Checks one slice, unless the last check was recent and found nothing. */
function sweepSlice(): void {
  const { checkedAt, damage } = readCheck(home);
  const isDue = !isCheckedSinceStart || damage !== null || checkedAt === null || Date.now() >= checkedAt + SWEEP_MS;
  if (sweep === undefined && isDue) sweep = new Sweep(home);
  if (sweep !== undefined && !sweep.step()) {
    sweep = undefined;
    isCheckedSinceStart = true;
  }
  const busy = Date.now() - active < IDLE_MS;
  const wait = sweep === undefined ? RECHECK_MS : busy ? SLICE_MS.busy : SLICE_MS.idle;
  sweeping = setTimeout(sweepSlice, wait).unref();
}

function keep(closing: boolean): void {
  const wait = synced + GATHER_MS - Date.now();
  if (closing || wait <= 0) {
    clearTimeout(later);
    later = undefined;
    audit.sync();
    synced = Date.now();
    // The last call of a busy second may be the last one of the day, so its entry must still be synced.
  } else later ??= setTimeout(() => withTypedErrors(() => keep(false)), wait).unref();
  for (const kept of databases) {
    // Skipped if nothing changed, because a checkpoint syncs twice even if there is nothing to move.
    const version = kept.database.prepare("PRAGMA data_version").get()!.data_version as number;
    if (!closing && version === kept.moved) continue;
    const mode = closing || walBytes(kept.path) > WAL_MAX_BYTES ? "RESTART" : "PASSIVE";
    kept.database.exec(`PRAGMA wal_checkpoint(${mode})`);
    kept.moved = version;
    if (closing) kept.database.close();
  }
  if (!closing) return;
  clearTimeout(sweeping);
  sweep?.close();
  audit.close();
  parentPort!.close();
}

function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
