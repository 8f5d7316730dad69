// Restore: a home, or an owner in a database, from a backup, checked whole before anything is put in place.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { checkFreeName } from "../store/copy/postgres-owner.ts";
import { markHome } from "../store/home-marker.ts";
import type { ObjectPlace } from "../store/objects.ts";
import { migrateDatabase } from "../store/postgres/prepare.ts";
import { beginEra, forgetJournals, listBlobs } from "../store/sqlite/maintenance.ts";
import { FILES, openSqliteStore, prepareHome } from "../store/sqlite/sqlite-store.ts";
import { syncDirectory } from "../store/sync-directory.ts";
import { homeEntry, isFree } from "./backup.ts";
import { type BackupManifest, checkBlobName, damaged, readManifest } from "./backup-manifest.ts";
import { blobName } from "./blob-files.ts";
import { copyFile, eachOf } from "./copy-file.ts";
import { lockHome } from "./home-lock.ts";
import { moveOwner } from "./move.ts";
import { moveBlobs } from "./move-blobs.ts";
import { homeObjects, openObjects } from "./objects-place.ts";

const FILES_AT_ONCE = 8;

export interface RestoreReport {
  home: string;
  /** The owner's id in a database that holds several. */
  owner: string;
  created_at: string;
  counts: BackupManifest["counts"];
  missing_blobs: string[];
  /** Where the home that stood there was moved to. */
  moved_aside?: string;
}

export interface RestoreOptions {
  directory: string;
  home: string;
  /** Into a database, under its own id, and a name where many are hosted; home is then that of the servers. */
  database?: { url: string; name?: string };
  /** Where blobs are kept; in the home unless said. */
  objectsFor?: (subject: string) => ObjectPlace;
  /** Move a home that is there aside. Nothing is ever overwritten. */
  moveAside: boolean;
  now?: () => number;
  onProgress?: (text: string) => void;
}

export async function restoreHome(options: RestoreOptions): Promise<RestoreReport> {
  const { directory, home, database, moveAside, now = Date.now } = options;
  const target = resolve(home);
  if (database?.name !== undefined) await checkFreeName(database.url, database.name);
  else if (database !== undefined) await migrateDatabase(database.url);
  else if (!isFree(target) && !moveAside) {
    throw new PdppError("already_exists", `${target} is not empty`, {
      next_step:
        "Choose a new directory with --home, or say --force: it moves what is there aside and deletes nothing.",
    });
  }
  const manifest = await readManifest(directory);
  const aside = `${target}.restoring-${randomBytes(4).toString("hex")}`;
  await mkdir(aside, { mode: 0o700 });
  try {
    markHome(aside);
    await copyVerified(directory, aside, manifest);
    const owner = await wake(aside, manifest, now());
    const { created_at, counts, missing_blobs } = manifest;
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
    await rm(aside, { recursive: true });
    return report;
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

/** To where a server of this home will look for them. */
async function moveBlobsOut(aside: string, objects: ObjectPlace | undefined): Promise<void> {
  if (objects === undefined || objects.kind === "home") return;
  const rows = listBlobs(join(aside, FILES.records));
  await moveBlobs([rows], { from: [openObjects(homeObjects(aside))], to: openObjects(objects) });
  await rm(join(aside, FILES.blobs), { recursive: true });
  await mkdir(join(aside, FILES.blobs), { mode: 0o700 });
}

/** The hashed bytes are the written ones: a file that changes meanwhile cannot slip in. */
async function copyVerified(directory: string, aside: string, { files }: BackupManifest): Promise<void> {
  for (const folder of new Set(files.map(({ path }) => dirname(path))))
    await mkdir(join(aside, folder), { recursive: true, mode: 0o700 });
  await eachOf(files, FILES_AT_ONCE, async (file) => {
    checkBlobName(file);
    const found = await copyFile(join(directory, file.path), join(aside, file.path)).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? damaged(`${file.path} is missing`) : error;
      },
    );
    if (found.sha256 !== file.sha256 || found.bytes !== file.bytes)
      throw damaged(`${file.path} is not what the manifest says`);
  });
}

/** Opens it as a home once, before anyone relies on it: migrations run and every blob is there. Answers whose it is. */
async function wake(aside: string, manifest: BackupManifest, at: number): Promise<string> {
  const present = new Set(manifest.files.map(({ path }) => path));
  const known = new Set(manifest.missing_blobs);
  const lost = listBlobs(join(aside, FILES.records)).find(
    ({ blobId, generation }) => !present.has(blobName(blobId, generation)) && !known.has(blobId),
  );
  if (lost !== undefined) throw damaged(`the blob ${lost.blobId} is missing`);
  forgetJournals(join(aside, FILES.audit));
  prepareHome(aside);
  beginEra(join(aside, FILES.records));
  const store = openSqliteStore(aside);
  try {
    await store.audit.append([
      await homeEntry(store, { action: "restore", records: manifest.counts.records ?? 0, at }),
    ]);
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
