// One server per home: an exclusive lock that the operating system releases with the process, however it ends.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PdppError } from "../contract/errors.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";

export interface HomeLock {
  release(): void;
}

/** A command that happens to run holds the lock for a moment; a server that starts waits that long. */
const PATIENCE_MS = 1500;

/** undefined when another process holds it. */
export const tryLockHome = (home: string, waitMs = 0): HomeLock | undefined => tryLock(join(home, FILES.lock), waitMs);

/** The same by any file, which is made. */
export function tryLock(path: string, waitMs = 0): HomeLock | undefined {
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

export function lockHome(home: string): HomeLock {
  const lock = tryLockHome(home, PATIENCE_MS);
  if (lock === undefined) throw new PdppError("home_in_use", `another server or command works on ${home}`);
  return lock;
}
