// Whether anybody wrote to a home: this process, or a command beside it. A look at a file; no thread wakes for it.
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { FILES } from "../store/sqlite/sqlite-store.ts";

/**
 * The header of SQLite's wal-index (sqlite.org/walformat.html) counts transactions, and is written when one can be seen.
 * The log itself changes before: whoever looked then would look too early, and not again.
 */
const HEADER_BYTES = 48;

/** Another text after every commit. */
export function homePulse(home: string): string {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = openSync(`${join(home, FILES.records)}-shm`, "r");
    try {
      readSync(file, header, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // Nobody has the database open.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return header.toString("latin1");
}
