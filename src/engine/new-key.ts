// Creates a new key for a home whose key is lost. The audit log is sealed again unchanged, and a new last entry records
// this.
import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { sealAgain } from "../store/sqlite/audit-seal.ts";
import { hasKey, replaceKey } from "../store/sqlite/home-key.ts";
import { FILES, openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { homeEntry } from "./backup/backup.ts";
import { checkHomeDirectory } from "./home-directory.ts";
import { lockHome } from "./home-lock.ts";

export interface NewKeyReport {
  home: string;
  /** How many entries of the audit log were sealed again. */
  entries: number;
  /** Where to find the entries that were not yet in the log, and cannot be verified with the new key. */
  journals_kept?: string;
}

/** The consequences, shown before the owner confirms. */
export const NEW_KEY_ENDS = [
  "reads in progress: their cursors, change tokens and export handles become invalid",
  "connector secrets: passwords and tokens must be entered again",
  "signing secrets of event subscriptions: each subscription needs a new one",
  "the proof that earlier audit entries were not changed",
] as const;

/** Grants, tokens, sign-ins and records are not touched, because none of them depends on the key. */
export async function giveNewKey(home: string, now: () => number = Date.now): Promise<NewKeyReport> {
  const lock = lockHome(home);
  try {
    let entries = 0;
    replaceKey(home, (key) => {
      entries = sealAgain(join(home, FILES.audit), key);
    });
    const kept = setJournalsAside(home, now());
    const store = openSqliteStore(home);
    try {
      await store.audit.append([await homeEntry(store, { action: "newKey", records: 0, at: now() })]);
    } finally {
      await store.close();
    }
    return { home, entries, ...(kept === undefined ? {} : { journals_kept: kept }) };
  } finally {
    lock.release();
  }
}

/** Throws unless there is a home whose key is lost. */
export function requireLostKey(home: string): void {
  checkHomeDirectory(home);
  if (!existsSync(join(home, FILES.records)))
    throw new PdppError("not_found", `there is no home at ${home}`, {
      next_step: "Specify the home directory with --home DIR.",
    });
  if (!needsNewKey(home)) {
    throw new PdppError("already_exists", "this home still has its key", {
      next_step: "Nothing was changed. A new key is only for a home whose key is lost.",
    });
  }
}

export const needsNewKey = (home: string): boolean => !hasKey(home);

function setJournalsAside(home: string, at: number): string | undefined {
  const folder = join(home, FILES.journals);
  if (!existsSync(folder) || readdirSync(folder).length === 0) return undefined;
  const kept = `${folder}-before-new-key-${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
  renameSync(folder, kept);
  return kept;
}
