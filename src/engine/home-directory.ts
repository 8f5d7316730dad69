// Checks that a directory can be a home: it is not a backup or some other folder, and we can access it.
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { quote } from "../core/shell-quote.ts";
import { ownerOfHome } from "../store/sqlite/maintenance.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { MANIFEST } from "./backup/copied-backup.ts";
import { SETTINGS_FILE } from "./backup/settings-file.ts";

/**
 * Throws, before anything is written, if the directory cannot be a home. A new home needs a directory that is missing
 * or empty.
 */
export function checkHomeDirectory(home: string, { create = false, readOnly = false } = {}): void {
  const names = namesIn(home);
  if ((names.includes(MANIFEST) && names.includes(FILES.records)) || names.includes(SETTINGS_FILE)) {
    throw new PdppError("already_exists", `${home} is a backup, not a home`, {
      next_step: `Restore it: \`pdpp restore ${quote(home)} --home NEW\` restores it into a new home and leaves the backup unchanged.`,
    });
  }
  if (names.includes(FILES.records)) {
    accessSync(join(home, FILES.records), readOnly ? constants.R_OK : constants.R_OK | constants.W_OK);
    return;
  }
  if (!create) return;
  // A home whose creation was interrupted contains some of its own files and no others.
  const own = Object.values(FILES);
  const foreign = names.find((name) => !own.some((file) => name.startsWith(file)));
  if (foreign !== undefined) {
    throw new PdppError("already_exists", `${home} contains other files (${foreign}) and is not a home`, {
      next_step: "Choose a new or empty directory with --home, or the home itself.",
    });
  }
}

/**
 * A warning that a directory contains data that is not used, because a database is used instead. Undefined if that data
 * belongs to the same owner.
 */
export function unusedHome(home: string, subject?: string): { message: string; next: string } | undefined {
  if (!existsSync(join(home, FILES.records)) || ownerInFile(home) === subject) return undefined;
  return {
    message: `DATABASE_URL is set: the data in ${home} is not used`,
    next: `To copy it into the database: \`pdpp move --from ${quote(home)} --to DATABASE_URL\`. To use it, unset DATABASE_URL.`,
  };
}

/** Passes that warning to `note`, for the database operator. */
export function noteUnusedHome(note: (text: string) => void, home: string, subject?: string): void {
  const unused = unusedHome(home, subject);
  if (unused !== undefined) note(`${unused.message}. ${unused.next}`);
}

function ownerInFile(home: string): string | null {
  try {
    return ownerOfHome(join(home, FILES.records));
  } catch {
    return null;
  }
}

function namesIn(home: string): string[] {
  // existsSync also returns false if the path is not accessible, but readdirSync shows the difference.
  try {
    return readdirSync(home);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
