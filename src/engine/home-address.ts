// The address of a home's server, written while it runs so that commands can show it.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { tryLockHome } from "./home-lock.ts";

export function writeAddress(home: string, origin: string): void {
  writeFileSync(join(home, FILES.address), `${origin}\n`, { mode: 0o600 });
}

export function removeAddress(home: string): void {
  rmSync(join(home, FILES.address), { force: true });
}

/**
 * Returns undefined if no server is running. A file left behind by a killed server does not count, because the lock is
 * free. Call this before this process opens the home, which takes the lock.
 */
export function servingAddress(home: string): string | undefined {
  const path = join(home, FILES.address);
  if (!existsSync(path)) return undefined;
  const lock = tryLockHome(home);
  lock?.release();
  return lock === undefined ? readFileSync(path, "utf8").trim() : undefined;
}
