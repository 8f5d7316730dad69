// Backup: a consistent copy of a home, or of an owner in a database, while it works.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, open, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { damaged } from "../store/damage.ts";
import { markHome } from "../store/home-marker.ts";
import { type HomeLocation, openStore } from "../store/place.ts";
import { countOwner } from "../store/postgres/maintenance.ts";
import { checkDatabase, copyDatabase, countEntries, countHome, type HomeCounts } from "../store/sqlite/maintenance.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import type { AuditEntry, Store } from "../store/store.ts";
import { syncDirectory } from "../store/sync-directory.ts";
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupFile, type BackupManifest, MANIFEST } from "./backup-manifest.ts";
import { type CopiedBlobs, copyRecords } from "./backup-records.ts";
import { copyFile, digestFile, type FileDigest } from "./copy-file.ts";
import { newRequestId } from "./host.ts";

export interface BackupReport {
  directory: string;
  created_at: string;
  counts: HomeCounts & { audit_entries: number };
  bytes: number;
  files: number;
  missing_blobs: string[];
}

export interface BackupOptions extends HomeLocation {
  /** Made by this; it must not exist, or be empty. */
  directory: string;
  /** It is one of those that the home keeps itself. */
  kept?: boolean;
  now?: () => number;
  onProgress?: (text: string) => void;
}

/** Written aside and renamed into place: a backup that exists is whole. Projections stay out, they are rebuilt. */
export async function backupHome(options: BackupOptions): Promise<BackupReport> {
  const { directory, kept = false, now = Date.now } = options;
  const target = resolve(directory);
  refuseTarget(options, target, kept);
  const aside = `${target}.partial-${randomBytes(4).toString("hex")}`;
  await mkdir(join(aside, FILES.blobs), { recursive: true, mode: 0o700 });
  try {
    // First of all: what is copied here is a home from its first byte on.
    markHome(aside);
    const copy = (name: string) => join(aside, name);
    const blobs = await (options.database === undefined ? copyFiles : copyOwner)(options, aside);
    requireSound(copy(FILES.audit), FILES.audit);
    const counts = {
      ...countHome(copy(FILES.records)),
      // Those that are in it: the home may have lost some.
      blobs: blobs.files.length,
      audit_entries: countEntries(copy(FILES.audit)),
    };
    const databases: BackupFile[] = [];
    for (const path of [FILES.records, FILES.audit]) databases.push({ path, ...(await sealDatabase(copy(path))) });
    const key: BackupFile = { path: FILES.key, ...(await digestFile(copy(FILES.key))) };
    const manifest: BackupManifest = {
      format: BACKUP_FORMAT,
      version: BACKUP_VERSION,
      created_at: new Date(now()).toISOString(),
      counts,
      files: [...databases, key, ...blobs.files],
      missing_blobs: blobs.missing,
    };
    await writeFile(copy(MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flag: "wx", flush: true });
    await syncDirectory(aside);
    if (existsSync(target)) await rmdir(target);
    await rename(aside, target);
    await syncDirectory(dirname(target));
    return {
      directory: target,
      created_at: manifest.created_at,
      counts,
      bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
      files: manifest.files.length,
      missing_blobs: blobs.missing,
    };
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

/** Of a home: records first, then the blobs they know, then the audit log, in which the backup itself stands. */
async function copyFiles(options: BackupOptions, aside: string): Promise<CopiedBlobs> {
  const { home, now = Date.now, onProgress = () => {} } = options;
  const blobs = await copyRecords(options, aside, onProgress);
  requireSound(join(aside, FILES.records), FILES.records);
  onProgress("audit");
  await auditedBackup(options, countHome(join(aside, FILES.records)).records, now());
  await copyDatabase(join(home, FILES.audit), join(aside, FILES.audit));
  await copyFile(join(home, FILES.key), join(aside, FILES.key));
  return blobs;
}

/** Of an owner in a database: all of one moment, so that the backup stands in the log before it is made. */
async function copyOwner(options: BackupOptions, aside: string): Promise<CopiedBlobs> {
  const { database, now = Date.now, onProgress = () => {} } = options;
  const { records } = await countOwner(database!.url, database!.subject);
  await auditedBackup(options, records, now());
  const blobs = await copyRecords(options, aside, onProgress);
  requireSound(join(aside, FILES.records), FILES.records);
  return blobs;
}

function refuseTarget(place: HomeLocation, target: string, kept: boolean): void {
  const home = resolve(place.home);
  if (place.database === undefined && !existsSync(join(home, FILES.records))) {
    throw new PdppError("not_found", `there is no home at ${home}`, { next_step: "Name the home with --home DIR." });
  }
  if (!kept && (target === home || target.startsWith(home + sep))) {
    throw new PdppError("invalid_request", "a backup inside its own home is lost with it", {
      next_step: "Choose a directory outside the home.",
    });
  }
  if (!isFree(target)) {
    throw new PdppError("already_exists", `${target} exists already`, {
      next_step: "Choose a new directory; a backup never replaces anything.",
    });
  }
  if (!existsSync(dirname(target))) {
    throw new PdppError("not_found", `there is no directory ${dirname(target)}`, {
      next_step: "Make it, or mount the disk, and try again.",
    });
  }
}

export function isFree(directory: string): boolean {
  if (!existsSync(directory)) return true;
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

function requireSound(path: string, name: string): void {
  const { problems } = checkDatabase(path);
  if (problems.length === 0) return;
  throw damaged(`${name}: ${problems[0]}`);
}

/** The copy is one file, its owner's alone: nothing of it stays in a log beside it. */
async function sealDatabase(path: string): Promise<FileDigest> {
  for (const suffix of ["-wal", "-shm"]) await rm(path + suffix, { force: true });
  const file = await open(path, "r+");
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  return digestFile(path);
}

/** A backup reads everything: it stands in the log it copies. */
async function auditedBackup(place: HomeLocation, records: number, at: number): Promise<void> {
  const store = await openStore(place);
  try {
    await store.audit.append([await homeEntry(store, { action: "backup", records, at })]);
    // A line that waits in a journal would not be copied.
    await store.audit.list({ limit: 1 });
  } finally {
    await store.close();
  }
}

export async function homeEntry(
  store: Store,
  { action, records, at }: { action: string; records: number; at: number },
): Promise<AuditEntry> {
  const subject_id = await store.read((view) => view.subject());
  return { at, subject_id, actor: "owner", action, records, bytes: 0, outcome: "ok", request_id: newRequestId() };
}
