// Whether anybody wrote to a home: this process, or a command beside it. One look at SQLite's counter; no thread wakes for it.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ChangeCounter } from "../place.ts";
import { FILES } from "./sqlite-store.ts";

/**
 * Through SQLite, though the counter is in a file beside the database: closing that file would take away the locks that
 * this process holds on it for its other connections, and the database with them.
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
        // The disk fails. Timers ask here: an error would end the server. Calls that need the disk report it.
      }
      return last;
    },
    close: () => database.close(),
  };
}
