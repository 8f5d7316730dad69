// The keeper: moves journals and write-ahead logs into their databases in the background, so that no commit has to.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { FILES, openAuditLog } from "../../store/sqlite/sqlite-store.ts";

/** Past this a log is emptied even if writers must wait for it. */
const WAL_MAX_BYTES = 256 * 1024 * 1024;

const { home } = workerData as { home: string };
const audit = openAuditLog(home);
const databases = [FILES.records, FILES.audit].map((name) => {
  const path = join(home, name);
  return { path, database: new DatabaseSync(path, { timeout: 1000 }) };
});

parentPort!.on("message", (message: "checkpoint" | "close") => {
  audit.gather();
  for (const { path, database } of databases) {
    const mode = message === "close" || walBytes(path) > WAL_MAX_BYTES ? "RESTART" : "PASSIVE";
    database.exec(`PRAGMA wal_checkpoint(${mode})`);
    if (message === "close") database.close();
  }
  if (message !== "close") return;
  audit.close();
  parentPort!.close();
});

function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
