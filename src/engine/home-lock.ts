// One server per home: an exclusive lock that the operating system releases with the process, however it ends.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PdppError } from "../contract/errors.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";

export interface HomeLock {
  release(): void;
}

/** undefined when another process holds it. */
export function tryLockHome(home: string): HomeLock | undefined {
  const database = new DatabaseSync(join(home, FILES.lock), { timeout: 0 });
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
  const lock = tryLockHome(home);
  if (lock === undefined) throw new PdppError("home_in_use", `another server runs on ${home}`);
  return lock;
}
