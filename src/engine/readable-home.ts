// Opens a home that cannot be written to, such as one on a read-only disk. Its databases are copied into a temporary
// folder, because SQLite needs to write next to a database even to read it. Its blobs are read in place.
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";

export interface ReadableHome {
  /** The home itself, or a copy of it. */
  home: string;
  isCopy: boolean;
  close(): void;
}

const COPIED = [FILES.records, `${FILES.records}-wal`, FILES.audit, `${FILES.audit}-wal`, FILES.key, FILES.marker];
/** How many times to try the copy if the home changes during it. */
const TRIES = 3;

export function readableHome(home: string): ReadableHome {
  if (!existsSync(join(home, FILES.records)) || isWritable(home))
    return { home, isCopy: false, close: () => undefined };
  const copy = mkdtempSync(join(tmpdir(), "postern-read-only-"));
  const close = (): void => rmSync(copy, { recursive: true, force: true });
  try {
    for (let tried = 1; ; tried++) {
      const before = stateOf(home);
      copyDatabases(home, copy);
      if (stateOf(home) === before) return { home: copy, isCopy: true, close };
      if (tried === TRIES) throw changing(home);
    }
  } catch (error) {
    close();
    throw error;
  }
}

function isWritable(home: string): boolean {
  try {
    for (const path of [home, join(home, FILES.records)]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function copyDatabases(home: string, copy: string): void {
  for (const name of COPIED) {
    rmSync(join(copy, name), { force: true });
    if (existsSync(join(home, name))) copyFileSync(join(home, name), join(copy, name));
  }
  const journals = join(home, FILES.journals);
  rmSync(join(copy, FILES.journals), { recursive: true, force: true });
  if (existsSync(journals)) cpSync(journals, join(copy, FILES.journals), { recursive: true });
  const blobs = join(home, FILES.blobs);
  if (existsSync(blobs) && !existsSync(join(copy, FILES.blobs))) symlinkSync(resolve(blobs), join(copy, FILES.blobs));
}

/** A server may be writing to the same home through a writable mount, so a copy of its files may be inconsistent. */
const stateOf = (home: string): string =>
  COPIED.map((name) => statSync(join(home, name), { throwIfNoEntry: false }))
    .map((found) => `${found?.size} ${found?.mtimeMs}`)
    .join();

const changing = (home: string): PdppError =>
  new PdppError("home_in_use", `${home} is read-only here, and another process is writing to it`, {
    next_step: "Stop this home's server, or run the command where the home can be written to.",
  });
