// A database whose file does not change while it is read byte by byte, although its writers continue.
import { DatabaseSync } from "node:sqlite";
import { withTypedErrors } from "./database.ts";

export interface FrozenDatabase {
  /** Reads the frozen state. */
  connection: DatabaseSync;
  release(): void;
}

const CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)";
const ATTEMPTS = 40;
const PAUSE_MS = 50;

/**
 * Moves the log into the file while nothing can write, and starts a read transaction at that point. Until it is
 * released, SQLite writes only to the log, because a reader that needs nothing from the log holds WAL_READ_LOCK(0), and
 * no checkpoint can write without that lock. Returns undefined if an earlier reader keeps the log from being moved, or
 * a writer does not finish. Use it only in a process that has no other connection to this file, because closing the
 * file releases the locks of all its connections (POSIX).
 */
export async function freezeDatabase(path: string): Promise<FrozenDatabase | undefined> {
  const [writer, connection] = [0, 1].map(() => withTypedErrors(() => new DatabaseSync(path, { timeout: 500 })));
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (withTypedErrors(() => isFrozen(writer!, connection!)))
        return { connection: connection!, release: () => connection!.close() };
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    connection!.close();
    return undefined;
  } catch (error) {
    connection!.close();
    throw error;
  } finally {
    writer!.close();
  }
}

function isFrozen(writer: DatabaseSync, reader: DatabaseSync): boolean {
  // Move most of the log before writers have to wait.
  reader.prepare(CHECKPOINT).get();
  if (!tryExec(writer, "BEGIN IMMEDIATE")) return false;
  try {
    const { busy, log, checkpointed } = reader.prepare(CHECKPOINT).get()!;
    if (busy !== 0 || log !== checkpointed) return false;
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM sqlite_schema").get();
    return true;
  } finally {
    writer.exec("ROLLBACK");
  }
}

const SQLITE_BUSY = 5;

function tryExec(database: DatabaseSync, sql: string): boolean {
  try {
    database.exec(sql);
    return true;
  } catch (error) {
    if ((((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_BUSY) return false;
    throw error;
  }
}
