// Detects whether anything was written to a home, by this process or by another command. It reads SQLite's counter and
// wakes no thread.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ChangeCounter } from "../place.ts";
import { FILES } from "./sqlite-store.ts";

/**
 * Asks SQLite, although the counter is in a file next to the database. Opening and closing that file directly would
 * release the locks that this process's other connections hold on it, and endanger the database.
 */
export function openChangeCounter(home: string): ChangeCounter {
  const database = new DatabaseSync(join(home, FILES.records), { readOnly: true });
  const version = database.prepare("PRAGMA data_version");
  let last = version.get()!.data_version as number;
  return {
    read() {
      try {
        last = version.get()!.data_version as number;
      } catch {
        // The disk is failing. Timers call this, and an error would end the server. Calls that need the disk report it.
      }
      return last;
    },
    close: () => database.close(),
  };
}
