// Whether a directory may be a home: no backup, not somebody's folder, and open to us.
import { accessSync, constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { quote } from "../core/shell-quote.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { MANIFEST } from "./backup-manifest.ts";

/** Throws before anything is written there. To make one, a directory that is missing or empty will do. */
export function checkHomePlace(home: string, { create = false } = {}): void {
  const names = namesIn(home);
  if (names.includes(MANIFEST) && names.includes(FILES.records)) {
    throw new PdppError("already_exists", `${home} is a backup, not a home`, {
      next_step: `Restore it: \`pdpp restore ${quote(home)} --home NEW\` makes a home of it and leaves the backup as it is.`,
    });
  }
  if (names.includes(FILES.records)) {
    accessSync(join(home, FILES.records), constants.R_OK | constants.W_OK);
    return;
  }
  if (!create) return;
  // A home whose making was cut short has some of its own files and no others.
  const own = Object.values(FILES);
  const foreign = names.find((name) => !own.some((file) => name.startsWith(file)));
  if (foreign !== undefined) {
    throw new PdppError("already_exists", `${home} has other things in it (${foreign}) and is no home`, {
      next_step: "Name a new or empty directory with --home, or the home itself.",
    });
  }
}

function namesIn(home: string): string[] {
  // existsSync answers no as well when the way there is closed; readdirSync says which it is.
  try {
    return readdirSync(home);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
