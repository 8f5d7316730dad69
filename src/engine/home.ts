// A home opened by a command: the engine in this process, beside a running server or alone.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { FILES, openSqliteStore, prepareHome } from "../store/sqlite/sqlite-store.ts";
import { tryLockHome } from "./home-lock.ts";
import type { EngineHost } from "./host.ts";
import { localHost } from "./local-host.ts";

export interface HomeOptions {
  /** Make the home when there is none. */
  create?: boolean;
  /** Remarks, and failures that nobody foresaw. */
  note: (text: string) => void;
}

export function openHome(home: string, { create = false, note }: HomeOptions): EngineHost {
  if (!existsSync(join(home, FILES.records))) {
    if (!create) throw noHome(home);
    prepareHome(home);
    note(`Made a new home at ${home}.`);
  }
  process.umask(0o077);
  // Beside a running server this process reads projections and saves none.
  const lock = tryLockHome(home);
  try {
    const host = localHost(openSqliteStore(home), {
      home,
      persist: lock !== undefined,
      onFailure: (error) => note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
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

function noHome(home: string): PdppError {
  return new PdppError("not_found", `there is no home at ${home}`, {
    next_step: "`pdpp serve --demo` makes one with example data, `pdpp serve` an empty one.",
  });
}
