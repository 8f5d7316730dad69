// Backups that the server makes at a click: in a folder of the home, until the owner takes them elsewhere.
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { readManifest } from "./backup-manifest.ts";

export interface KeptBackup {
  directory: string;
  created_at: string;
  bytes: number;
  records: number;
}

const PARTIAL = ".partial-";

const DAY_MS = 86_400_000;

/**
 * Makes the folder, and sweeps out what a backup that was cut short left there. A home has one server, which makes one at a
 * time; with a database another process may be at one.
 */
export async function newBackupPlace(home: string, now: number, { alone }: { alone: boolean }): Promise<string> {
  const folder = join(home, FILES.backups);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (!name.includes(PARTIAL)) continue;
    // One that another process has just finished has another name now.
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (alone || mtimeMs < now - DAY_MS) await rm(join(folder, name), { recursive: true });
  }
  return join(
    folder,
    new Date(now).toISOString().replace(/:|\.\d+/g, (part) => (part === ":" ? "-" : "")),
  );
}

/** Names of folders that may be backups, newest first: they begin with when they were made. */
export async function backupNames(home: string): Promise<string[]> {
  const found = await readdir(join(home, FILES.backups), { withFileTypes: true }).catch(() => []);
  const names = found.filter((entry) => entry.isDirectory() && !entry.name.includes(PARTIAL)).map(({ name }) => name);
  return names.sort().reverse();
}

/** Newest first. A folder without a whole manifest is none. */
export async function keptBackups(home: string): Promise<KeptBackup[]> {
  const kept: KeptBackup[] = [];
  for (const name of await backupNames(home)) {
    const directory = join(home, FILES.backups, name);
    try {
      const { created_at, files, counts } = await readManifest(directory);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      kept.push({ directory, created_at, bytes, records: counts.records ?? 0 });
    } catch (error) {
      if (!(error instanceof PdppError)) throw error;
    }
  }
  return kept;
}
