// A lock by a file: held by one process at a time, and released by the operating system with the process, however it ends.
import { DatabaseSync } from "node:sqlite";

export interface FileLock {
  release(): void;
}

/** undefined if another process holds it. The file is created if it is missing. */
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
