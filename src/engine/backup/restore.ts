// Restores a home, or an owner in a database, from a backup. The backup is checked completely before anything is put in
// place.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { checkFreeName } from "../../store/copy/postgres-owner.ts";
import { markHome } from "../../store/home-marker.ts";
import type { ObjectPlace } from "../../store/objects.ts";
import { migrateDatabase } from "../../store/postgres/prepare.ts";
import { beginEra, forgetJournals, listBlobs } from "../../store/sqlite/maintenance.ts";
import { FILES, openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import { syncDirectory } from "../../store/sync-directory.ts";
import { lockHome } from "../home-lock.ts";
import { moveOwner } from "../move.ts";
import { moveBlobs } from "../move-blobs.ts";
import { homeObjects, homeOfOwner, openObjects } from "../objects-place.ts";
import { homeEntry, isFree } from "./backup.ts";
import { type BackupSource, checkUnpacked, type RestoredSnapshot, unpackBackup } from "./unpack.ts";

export interface RestoreReport {
  home: string;
  /** The owner's id. A database can contain several owners. */
  owner: string;
  created_at: string;
  counts: Record<string, number>;
  missing_blobs: string[];
  /** Where the previous home was moved. */
  moved_aside?: string;
  /** Set if this machine already has a files lens for this owner, so the one in the backup was not restored. */
  disks_left_out?: true;
}

export interface RestoreOptions extends BackupSource {
  home: string;
  /**
   * Restores into a database under the owner's own id, and with `name` if the database hosts many owners. `home` is
   * then the servers' home.
   */
  database?: { url: string; name?: string };
  /** Where blobs are stored. The default is the home. */
  objectsFor?: (subject: string) => ObjectPlace;
  /** Moves an existing home aside. Nothing is ever overwritten. */
  moveAside: boolean;
  now?: () => number;
  onProgress?: (text: string) => void;
}

export async function restoreHome(options: RestoreOptions): Promise<RestoreReport> {
  const { home, database, moveAside, now = Date.now } = options;
  const target = resolve(home);
  if (database?.name !== undefined) await checkFreeName(database.url, database.name);
  else if (database !== undefined) await migrateDatabase(database.url);
  else if (!isFree(target) && !moveAside) {
    throw new PdppError("already_exists", `${target} is not empty`, {
      next_step:
        "Choose a new directory with --home, or add --force, which moves existing files aside and deletes nothing.",
    });
  }
  const aside = `${target}.restoring-${randomBytes(4).toString("hex")}`;
  await mkdir(aside, { mode: 0o700 });
  try {
    markHome(aside);
    const restored = await unpackBackup({ ...options, into: aside });
    const owner = await wake(aside, restored, now());
    const { created_at, counts, missing_blobs } = restored;
    const report: RestoreReport = { home: target, owner, created_at, counts, missing_blobs };
    if (database === undefined) {
      await moveBlobsOut(aside, options.objectsFor?.(owner));
      const moved = await makeRoom(target, now());
      await rename(aside, target);
      await syncDirectory(dirname(target));
      return moved === undefined ? report : { ...report, moved_aside: moved };
    }
    const { objectsFor, onProgress } = options;
    await moveOwner({ from: { home: aside }, to: { home: target, database, objectsFor }, onProgress });
    const isWithoutDisks = !(await moveDisks(aside, homeOfOwner(target, owner)));
    await rm(aside, { recursive: true });
    return isWithoutDisks ? { ...report, disks_left_out: true } : report;
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The files lens belongs to the machine, not to the database. If the machine already has one, keeps it and returns
 * false.
 */
async function moveDisks(aside: string, home: string): Promise<boolean> {
  const [from, to] = [join(aside, "files"), join(home, "files")];
  if (!existsSync(from)) return true;
  if (existsSync(to)) return false;
  await mkdir(home, { recursive: true, mode: 0o700 });
  await rename(from, to);
  await syncDirectory(home);
  return true;
}

/** Moves blobs to where a server on this home will look for them. */
async function moveBlobsOut(aside: string, objects: ObjectPlace | undefined): Promise<void> {
  if (objects === undefined || objects.kind === "home") return;
  const rows = listBlobs(join(aside, FILES.records));
  await moveBlobs([rows], { from: [openObjects(homeObjects(aside))], to: openObjects(objects) });
  await rm(join(aside, FILES.blobs), { recursive: true });
  await mkdir(join(aside, FILES.blobs), { mode: 0o700 });
}

/** Opens the restored home once, before anything relies on it, so that migrations run. Returns its owner. */
async function wake(aside: string, { counts }: RestoredSnapshot, at: number): Promise<string> {
  forgetJournals(join(aside, FILES.audit));
  prepareHome(aside);
  beginEra(join(aside, FILES.records));
  const store = openSqliteStore(aside);
  try {
    await store.audit.append([await homeEntry(store, { action: "restore", records: counts.records ?? 0, at })]);
    return await store.read((view) => view.subject());
  } finally {
    await store.close();
  }
}

async function makeRoom(target: string, at: number): Promise<string | undefined> {
  if (!existsSync(target)) return undefined;
  if (isFree(target)) {
    await rmdir(target);
    return undefined;
  }
  const lock = existsSync(join(target, FILES.records)) ? lockHome(target) : undefined;
  try {
    const moved = `${target}.before-restore-${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
    await rename(target, moved);
    return moved;
  } finally {
    lock?.release();
  }
}

export interface CheckReport extends RestoredSnapshot {
  directory: string;
}

/**
 * Reads a whole backup as a restore does, without changing anything. The databases are assembled in `scratch` and
 * removed again.
 */
export async function checkBackup(source: BackupSource, scratch: string): Promise<CheckReport> {
  const into = await mkdtemp(join(scratch, "postern-check-"));
  try {
    markHome(into);
    const { created_at, counts, missing_blobs } = await unpackBackup({ ...source, into, checkOnly: true });
    checkUnpacked(into);
    return { directory: resolve(source.directory), created_at, counts, missing_blobs };
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}
