// A restore requested in the browser. The new home is created inside the one being served, and replaces it at the next
// start.
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import type { RestoreReport } from "./restore.ts";

/** Complete, and waiting for the next start. */
const READY = "restore-ready";
/** Being put in place: the previous files have already been moved aside. */
const MOVING = "restore-moving";
const MAKING = "restore-making";
const BEFORE = "before-restore-";
/** Files that belong to this machine, which a restore does not replace. */
const STAYS = new Set<string>([FILES.backups, FILES.backupPlan, FILES.lock, FILES.marker, READY, MOVING, MAKING]);

/** `restore` creates a home from the file. The current home is not touched. */
export async function stageRestore(
  home: string,
  file: AsyncIterable<Uint8Array>,
  restore: (file: string, into: string) => Promise<RestoreReport>,
): Promise<RestoreReport> {
  const folder = join(home, MAKING);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  try {
    const path = join(folder, "file");
    const handle = await open(path, "wx", 0o600);
    try {
      for await (const part of file) await handle.writeFile(part);
    } finally {
      await handle.close();
    }
    const report = await restore(path, join(folder, "home"));
    await rm(join(home, READY), { recursive: true, force: true });
    renameSync(join(folder, "home"), join(home, READY));
    return report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const isRestoreReady = (home: string): boolean => [READY, MOVING].some((name) => existsSync(join(home, name)));

/**
 * Called before a home is opened, by the process that holds its lock. Each step can be interrupted and repeated.
 * Returns where the previous home was moved.
 */
export function putRestoredInPlace(home: string, now: number): string | undefined {
  const aside = join(home, `${BEFORE}${new Date(now).toISOString().replace(/[:.]/g, "-")}`);
  if (existsSync(join(home, READY))) {
    mkdirSync(aside, { mode: 0o700 });
    for (const name of readdirSync(home))
      if (!STAYS.has(name) && !name.startsWith(BEFORE) && !name.startsWith(FILES.lock))
        renameSync(join(home, name), join(aside, name));
    renameSync(join(home, READY), join(home, MOVING));
  }
  const moving = join(home, MOVING);
  if (!existsSync(moving)) return undefined;
  for (const name of readdirSync(moving)) {
    if (STAYS.has(name)) rmSync(join(moving, name), { recursive: true });
    else renameSync(join(moving, name), join(home, name));
  }
  rmdirSync(moving);
  return aside;
}
