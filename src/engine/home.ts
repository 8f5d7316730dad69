// Opens a home for a command: the engine runs in this process, alone or alongside a server.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { failureText, PdppError } from "../contract/errors.ts";
import { type DatabasePlace, openStore, preparePlace, requestJobCheck } from "../store/place.ts";
import { FILES, openSqliteStore, prepareHome } from "../store/sqlite/sqlite-store.ts";
import { tryLockHome } from "./home-lock.ts";
import type { EngineHost } from "./host.ts";
import { LOG_PAGES, localHost } from "./local-host.ts";
import type { ObjectPlace } from "./objects-place.ts";
import { commandHost } from "./threads/command-host.ts";

export interface HomeOptions {
  /** If true, creates the home if it does not exist. */
  create?: boolean;
  /** For commands with large imports: runs the engine in a thread with bounded memory. */
  bulk?: boolean;
  /** Where blobs are stored. The default is the home. */
  objects?: ObjectPlace;
  /** Receives notes and unexpected failures. */
  note: (text: string) => void;
}

export function openHome(home: string, { create = false, bulk = false, objects, note }: HomeOptions): EngineHost {
  if (!existsSync(join(home, FILES.records))) {
    if (!create) throw noHome(home);
    prepareHome(home);
    note(`Created a new home at ${home}.`);
  }
  process.umask(0o077);
  // While a server is running, this process reads projections but does not save them.
  const lock = tryLockHome(home);
  try {
    const persist = lock !== undefined;
    const store = openSqliteStore(home, { logPages: LOG_PAGES });
    // Opening the store here reports problems with the home for every command, even one that uses its own thread.
    if (bulk) store.close();
    const host = bulk
      ? commandHost({ place: { home, objects }, persist }, note)
      : localHost(store, {
          home,
          objects,
          persist,
          onFailure: (error) => note(failureText(error)),
        });
    return {
      ...host,
      async close() {
        await host.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Opens a home in a database. Servers may be using it, so this process only reads projections. */
export async function openDatabaseHome(
  home: string,
  database: DatabasePlace,
  { bulk = false, objects, note }: HomeOptions,
): Promise<EngineHost> {
  const place = { home, database, objects };
  preparePlace(place);
  const host = bulk
    ? commandHost({ place, persist: false }, note)
    : localHost(await openStore(place), {
        home,
        objects,
        persist: false,
        onFailure: (error) => note(failureText(error)),
      });
  return {
    ...host,
    async close() {
      await host.close();
      // The command may have created a schedule or requested a run for an owner whose home is not open in any server.
      await requestJobCheck(database);
    },
  };
}

function noHome(home: string): PdppError {
  return new PdppError("not_found", `there is no home at ${home}`, {
    next_step: "`pdpp serve --demo` creates one with example data, `pdpp serve` an empty one.",
  });
}
