// Backups that the server stores in a folder of the home, until the owner moves them elsewhere.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import { readCopiedManifest } from "./copied-backup.ts";
import { isRepository, openRepository, snapshotsIn } from "./repository.ts";

export interface KeptBackup {
  directory: string;
  /** The snapshot in the directory. Absent for a copy made by an earlier version of pdpp. */
  snapshot?: string;
  created_at: string;
  bytes: number;
  records: number;
}

const PARTIAL = ".partial-";

/** The folder for backups that the server makes on its own. */
export const keptDirectory = (home: string): string => join(home, FILES.backups, "kept");

/** Removes the leftovers of an interrupted backup by an earlier version of pdpp. */
export async function removePartial(home: string): Promise<void> {
  const folder = join(home, FILES.backups);
  for (const name of await readdir(folder).catch(() => []))
    if (name.includes(PARTIAL)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Sorted newest first. */
export async function keptBackups(home: string): Promise<KeptBackup[]> {
  const kept = await snapshotsOf(keptDirectory(home));
  const entries = await readdir(join(home, FILES.backups), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => one.isDirectory() && !one.name.includes(PARTIAL))) {
    const copied = await copiedBackup(join(home, FILES.backups, entry.name));
    if (copied !== undefined) kept.push(copied);
  }
  return kept.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

async function snapshotsOf(directory: string): Promise<KeptBackup[]> {
  if (!isRepository(directory)) return [];
  const found = await snapshotsIn(await openRepository(directory));
  return found.map(({ name, created_at, bytes, records = 0 }) => ({
    directory,
    snapshot: name,
    created_at,
    bytes,
    records,
  }));
}

/** A folder without a complete manifest is not a backup. */
async function copiedBackup(directory: string): Promise<KeptBackup | undefined> {
  try {
    const { created_at, files, counts } = await readCopiedManifest(directory);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { directory, created_at, bytes, records: counts.records ?? 0 };
  } catch (error) {
    if (error instanceof PdppError) return undefined;
    throw error;
  }
}
