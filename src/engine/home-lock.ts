// One server per home: an exclusive lock that the operating system releases when the process ends, however it ends.
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { markHome } from "../store/home-marker.ts";
import { type FileLock, tryLock } from "../store/sqlite/file-lock.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";

export { tryLock };
export type HomeLock = FileLock;

/** A command holds the lock only briefly. A starting server waits this long for it. */
const LOCK_TIMEOUT_MS = 1500;

/** Returns undefined if another process holds the lock. */
export const tryLockHome = (home: string, waitMs = 0): HomeLock | undefined => tryLock(join(home, FILES.lock), waitMs);

/** A credentials folder is locked like a home. The files lens never serves it either (G-07). */
export function tryLockCredentials(folder: string): HomeLock | undefined {
  markHome(folder);
  return tryLockHome(folder);
}

export function lockHome(home: string): HomeLock {
  const lock = tryLockHome(home, LOCK_TIMEOUT_MS);
  if (lock === undefined) throw new PdppError("home_in_use", `another server or command is using ${home}`);
  return lock;
}
