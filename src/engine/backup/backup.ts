// Makes a backup: a snapshot of a home, or of an owner in a database, taken while it is in use. Only new data is
// written.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { markHome } from "../../store/home-marker.ts";
import { type HomeLocation, openStore } from "../../store/place.ts";
import { countOwner } from "../../store/postgres/maintenance.ts";
import { homeKey, keyFile } from "../../store/sqlite/home-key.ts";
import { entriesIn, type HomeCounts, problemsIn } from "../../store/sqlite/maintenance.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";
import { type StillOptions, withStillDatabase } from "../../store/sqlite/still-database.ts";
import type { AuditEntry, Store } from "../../store/store.ts";
import { syncDirectory } from "../../store/sync-directory.ts";
import { newRequestId } from "../host.ts";
import { copyOwnerAside, putRecords } from "./backup-records.ts";
import { type ChunkStore, openChunks } from "./chunk-store.ts";
import { namesFor } from "./chunks.ts";
import { MANIFEST } from "./copied-backup.ts";
import { requireSound } from "./damaged.ts";
import { type Manifest, type ManifestFile, manifestBytes } from "./manifest.ts";
import { writeWhole } from "./pack-writer.ts";
import {
  createRepository,
  isRepository,
  lockRepository,
  openRepository,
  type Repository,
  removeUnused,
  SCRATCH,
  type Snapshot,
  snapshotFile,
  snapshotsIn,
  summaryFile,
} from "./repository.ts";
import { keptSnapshots, type Retention } from "./retention.ts";

export interface BackupReport {
  directory: string;
  /** The snapshot's name in the directory. */
  snapshot: string;
  created_at: string;
  counts: HomeCounts & { audit_entries: number };
  /** The home's size in bytes. */
  bytes: number;
  /** How many bytes were added to the directory. */
  written_bytes: number;
  missing_blobs: string[];
  encrypted: boolean;
  /** How many earlier backups were removed, and how many there are now. */
  removed: number;
  kept: number;
}

export interface BackupOptions extends HomeLocation {
  /** The first backup creates this directory, and later backups add to it. */
  directory: string;
  /** Encrypts the directory if this backup creates it. An existing directory stays as it is. */
  passphrase?: string;
  /** If undefined, all backups are kept. */
  retention?: Retention;
  /** True for the home's own backup folder. */
  kept?: boolean;
  /** See StillOptions. */
  ownProcess?: boolean;
  now?: () => number;
  onProgress?: (text: string) => void;
}

/** To check a database, SQLite reads it from end to end. Once a week is enough for pages that have not changed. */
const CHECK_MS = 7 * 86_400_000;

export async function backupHome(options: BackupOptions): Promise<BackupReport> {
  const { passphrase, kept = false, now = Date.now } = options;
  const directory = resolve(options.directory);
  process.umask(0o077);
  refuseTarget(options, directory, kept);
  const isNew = !isRepository(directory);
  if (!isNew && passphrase !== undefined && (await openRepository(directory)).recipient === undefined) {
    throw new PdppError("already_exists", `the backups in ${directory} are not encrypted`, {
      next_step: "Choose a new directory for encrypted backups.",
    });
  }
  if (!isNew) return addLocked(options, await openRepository(directory));
  // The first backup is made under a temporary name, so that a directory with this name always contains a complete
  // backup.
  const aside = `${directory}.partial-${randomBytes(4).toString("hex")}`;
  try {
    const given = passphrase === undefined ? {} : { passphrase };
    const report = await addLocked(options, await createRepository(aside, { now: now(), ...given }));
    if (existsSync(directory)) await rmdir(directory);
    await rename(aside, directory);
    await syncDirectory(dirname(directory));
    return { ...report, directory };
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

async function addLocked(options: BackupOptions, repository: Repository): Promise<BackupReport> {
  const lock = lockRepository(repository);
  try {
    return await addSnapshot(options, repository);
  } finally {
    lock.release();
  }
}

async function addSnapshot(options: BackupOptions, repository: Repository): Promise<BackupReport> {
  const { now = Date.now, onProgress = () => {}, ownProcess = false, retention, database } = options;
  const earlier = await snapshotsIn(repository);
  await removeUnused(repository, earlier);
  const created_at = new Date(now()).toISOString();
  const name = freeName(created_at, earlier);
  const scratch = join(repository.directory, `${SCRATCH}${randomBytes(4).toString("hex")}`);
  await mkdir(scratch, { mode: 0o700 });
  markHome(scratch);
  let chunks: ChunkStore | undefined;
  try {
    const still: StillOptions = { scratch, ownProcess };
    if (database !== undefined) await copyOwner(options, scratch);
    const source = database === undefined ? options.home : scratch;
    const [newest] = earlier;
    const names = namesFor(homeKey(source), repository.id);
    chunks = await openChunks(repository, { name, newest, names });
    const lastCheck = newest?.checked_at;
    const check = lastCheck === undefined || Date.parse(created_at) - Date.parse(lastCheck) >= CHECK_MS;
    const { file: records, counts, missing, blobBytes } = await putRecords(options, { source, still, chunks, check });
    onProgress("audit");
    if (database === undefined) await auditedBackup(options, counts.records, now());
    const audit = await withStillDatabase(join(source, FILES.audit), still, async (one) => {
      if (check) requireSound(problemsIn(one.connection), FILES.audit);
      return { file: await chunks!.putDatabase(FILES.audit, one), entries: entriesIn(one.connection) };
    });
    const key = keyFile(source);
    const keyId = names.ofPage(key);
    await chunks.put(keyId, key);
    onProgress("files");
    const files = [
      records,
      audit.file,
      { path: FILES.key, bytes: key.length, chunks: [keyId] },
      ...(await putFilesLens(options.home, still, chunks)),
    ];
    const manifest: Manifest = {
      created_at,
      counts: { ...counts, audit_entries: audit.entries },
      missing_blobs: missing,
      secret: names.secret,
      files,
    };
    onProgress("reading back");
    const { packs, written } = await chunks.finish();
    const bytes = files.reduce((sum, file) => sum + file.bytes, blobBytes);
    const size = await writeSnapshot(repository, name, manifest, {
      created_at,
      bytes,
      written,
      checked_at: check ? created_at : lastCheck,
      packs,
      ...(repository.recipient === undefined ? { records: counts.records } : {}),
    });
    const removed = retention === undefined ? 0 : await forgetOld(repository, retention);
    return {
      directory: repository.directory,
      snapshot: name,
      created_at,
      counts: { ...counts, audit_entries: audit.entries },
      bytes,
      written_bytes: written + size,
      missing_blobs: missing,
      encrypted: repository.recipient !== undefined,
      removed,
      kept: earlier.length + 1 - removed,
    };
  } catch (error) {
    await chunks?.abandon();
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The summary is written last, so a snapshot without one is incomplete. */
async function writeSnapshot(
  repository: Repository,
  name: string,
  manifest: Manifest,
  summary: Omit<Snapshot, "name">,
): Promise<number> {
  const [content, text] = [await manifestBytes(manifest, repository.recipient), `${JSON.stringify(summary)}\n`];
  await writeWhole(snapshotFile(repository, name), content);
  await writeWhole(summaryFile(repository, name), text);
  await syncDirectory(repository.snapshots);
  return content.byteLength + Buffer.byteLength(text);
}

async function forgetOld(repository: Repository, retention: Retention): Promise<number> {
  const all = await snapshotsIn(repository);
  const kept = keptSnapshots(all, retention);
  // Summaries are removed first: a snapshot without one is invalid, so its packs can then be removed.
  for (const { name } of all.filter((one) => !kept.includes(one)))
    await rm(summaryFile(repository, name), { force: true });
  await syncDirectory(repository.snapshots);
  await removeUnused(repository, kept);
  return all.length - kept.length;
}

/** Names sort by time, even if two backups start in the same second. */
function freeName(created_at: string, earlier: readonly Snapshot[]): string {
  const base = created_at.replace(/:|\.\d+/g, (part) => (part === ":" ? "-" : ""));
  const taken = new Set(earlier.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(name)) return name;
  }
}

/**
 * Backs up roots, selections, queries, indexes and digests. An unreadable index is skipped, because a scan recreates
 * it.
 */
async function putFilesLens(home: string, still: StillOptions, chunks: ChunkStore): Promise<ManifestFile[]> {
  const found: ManifestFile[] = [];
  for (const folder of ["files", "files/digests", "files/records"]) {
    const names = await readdir(join(home, folder)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(".db") && one !== FILES.lock).sort()) {
      const path = `${folder}/${name}`;
      const put = withStillDatabase(join(home, path), still, (one) => chunks.putDatabase(path, one));
      const file = CATALOGUES.includes(path) ? await put : await put.catch(() => undefined);
      if (file !== undefined) found.push(file);
    }
  }
  return found;
}

const CATALOGUES = ["files/catalogue.db", "files/shell.db"];

/** Copies an owner in a database as of one moment. The backup is logged first, so that its own entry is included. */
async function copyOwner(options: BackupOptions, scratch: string): Promise<void> {
  const { database, now = Date.now, onProgress = () => {} } = options;
  const { records } = await countOwner(database!.url, database!.subject);
  await auditedBackup(options, records, now());
  await copyOwnerAside(options, scratch, onProgress);
}

function refuseTarget(place: HomeLocation, target: string, kept: boolean): void {
  const home = resolve(place.home);
  if (place.database === undefined && !existsSync(join(home, FILES.records))) {
    throw new PdppError("not_found", `there is no home at ${home}`, {
      next_step: "Specify the home directory with --home DIR.",
    });
  }
  if (!kept && (target === home || target.startsWith(home + sep))) {
    throw new PdppError("invalid_request", "a backup inside its own home would be lost with it", {
      next_step: "Choose a directory outside the home.",
    });
  }
  if (!isFree(target) && !isRepository(target)) {
    const isOld = existsSync(join(target, MANIFEST));
    throw new PdppError(
      "already_exists",
      `${target} ${isOld ? "is a single backup made by an earlier pdpp" : "contains other files"}`,
      {
        next_step: "Choose a new directory; a backup never replaces anything.",
      },
    );
  }
  if (!existsSync(dirname(target))) {
    throw new PdppError("not_found", `there is no directory ${dirname(target)}`, {
      next_step: "Create it or mount the disk, then try again.",
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

/** A backup reads everything, so it is recorded in the audit log that it copies. */
async function auditedBackup(place: HomeLocation, records: number, at: number): Promise<void> {
  const store = await openStore(place);
  try {
    await store.audit.append([await homeEntry(store, { action: "backup", records, at })]);
    // Reading the log flushes its journal. Entries that are still in the journal would not be copied.
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
