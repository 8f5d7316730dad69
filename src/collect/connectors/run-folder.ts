// A folder in the home through which the processes that run its connectors coordinate. It contains a lock per
// connection, and a note that there is work to do.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HomeLock, tryLock } from "../../engine/home-lock.ts";

const folderOf = (home: string): string => join(home, "collect");
const noteOf = (home: string): string => join(folderOf(home), "wake");

/**
 * The lock is held by the process that runs the connector, and is released however that process ends. Returns undefined
 * if another process holds it.
 */
export function lockConnection(home: string, connectionId: string): HomeLock | undefined {
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  return tryLock(join(folderOf(home), `${encodeURIComponent(connectionId)}.lock`));
}

/** Tells a running server to check for work. */
export function leaveNote(home: string): void {
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  writeFileSync(noteOf(home), `${Date.now()}.${process.hrtime.bigint()}\n`, { mode: 0o600 });
}

/** Changes with every note. */
export function noteState(home: string): string {
  const facts = statSync(noteOf(home), { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? "" : `${facts.mtimeNs}`;
}
