// A file lock. Only one process can hold it at a time, and the operating system releases it when the process ends,
// however that happens.
import { DatabaseSync } from "node:sqlite";

export interface FileLock {
  release(): void;
}

/** Returns undefined if another process holds the lock. Creates the file if it is missing. */
export function tryLock(path: string, waitMs = 0): FileLock | undefined {
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === 5) return undefined;
    throw error;
  }
}
