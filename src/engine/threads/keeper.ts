// The keeper: moves journals and write-ahead logs into their databases in the background, so that no commit has to.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { FILES, openAuditLog } from "../../store/sqlite/sqlite-store.ts";

/** Past this a log is emptied even if writers must wait for it. */
const WAL_MAX_BYTES = 256 * 1024 * 1024;
/** Many lines share a transaction this way, and a power cut takes no more than the lines of this time; whoever reads the log gathers first. */
const GATHER_MS = 1000;

const { home } = workerData as { home: string };
const audit = openAuditLog(home);
const databases = [FILES.records, FILES.audit].map((name) => {
  const path = join(home, name);
  return { path, database: new DatabaseSync(path, { timeout: 1000 }), moved: -1 };
});
let synced = 0;
let later: NodeJS.Timeout | undefined;

parentPort!.on("message", (message: "checkpoint" | "close") => keep(message === "close"));

function keep(closing: boolean): void {
  const wait = synced + GATHER_MS - Date.now();
  if (closing || wait <= 0) {
    clearTimeout(later);
    later = undefined;
    audit.sync();
    synced = Date.now();
    // The last call of a busy second may be the last one of the day: its line is synced all the same.
  } else later ??= setTimeout(() => keep(false), wait).unref();
  for (const kept of databases) {
    // A checkpoint syncs twice, whether there is something to move or not.
    const version = kept.database.prepare("PRAGMA data_version").get()!.data_version as number;
    if (!closing && version === kept.moved) continue;
    const mode = closing || walBytes(kept.path) > WAL_MAX_BYTES ? "RESTART" : "PASSIVE";
    kept.database.exec(`PRAGMA wal_checkpoint(${mode})`);
    kept.moved = version;
    if (closing) kept.database.close();
  }
  if (!closing) return;
  audit.close();
  parentPort!.close();
}

function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
