// The keeper: moves journals and write-ahead logs into their databases in the background, so that no commit has to.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { type GatheringLog, openAuditLog, type Place } from "../../store/place.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";

/** Past this a log is emptied even if writers must wait for it. */
const WAL_MAX_BYTES = 256 * 1024 * 1024;
/** Many lines share a transaction this way; whoever reads the audit log gathers first. */
const GATHER_MS = 1000;

const place = workerData as Place;
const audit: GatheringLog = await openAuditLog(place);
/** PostgreSQL keeps its own logs short. */
const files = place.database === undefined ? [FILES.records, FILES.audit] : [];
const databases = files.map((name) => {
  const path = join(place.home, name);
  return { path, database: new DatabaseSync(path, { timeout: 1000 }), moved: -1 };
});
let gathered = 0;
let turn: Promise<void> = Promise.resolve();

parentPort!.on("message", (message: "checkpoint" | "close") => {
  turn = turn.then(() => keep(message === "close"));
});

async function keep(closing: boolean): Promise<void> {
  if (closing || Date.now() - gathered >= GATHER_MS) {
    await gather();
    gathered = Date.now();
  }
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
  await audit.close();
  parentPort!.close();
}

async function gather(): Promise<void> {
  try {
    await audit.gather();
  } catch (error) {
    // A database that is away for a moment; the lines wait where they are.
    if (place.database === undefined) throw error;
  }
}

function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
