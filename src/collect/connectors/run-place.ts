// The folder of a home where processes that run its connectors meet: a lock for each connection, and a note that there
// is something to do.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HomeLock, tryLock } from "../../engine/home-lock.ts";

const folderOf = (home: string): string => join(home, "collect");
const noteOf = (home: string): string => join(folderOf(home), "wake");

/**
 * Held by the process that runs the connector, and released with it, however it ends; undefined: another process has
 * it.
 */
export function lockConnection(home: string, connectionId: string): HomeLock | undefined {
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  return tryLock(join(folderOf(home), `${encodeURIComponent(connectionId)}.lock`));
}

/** Tells a running server to check. */
export function leaveNote(home: string): void {
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  writeFileSync(noteOf(home), `${Date.now()}.${process.hrtime.bigint()}\n`, { mode: 0o600 });
}

/** Changes with every note. */
export function noteState(home: string): string {
  const facts = statSync(noteOf(home), { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? "" : `${facts.mtimeNs}`;
}
