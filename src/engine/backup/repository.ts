// A folder of backups. Each backup is a snapshot, and all of them share the packs that contain their chunks.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { markHome } from "../../store/home-marker.ts";
import { syncDirectory } from "../../store/sync-directory.ts";
import { type HomeLock, tryLockHome } from "../home-lock.ts";
import { backupDamaged } from "./damaged.ts";
import { indexName, PACK_NAME, type PackIndex, readIndex } from "./pack-index.ts";
import { writeWhole } from "./pack-writer.ts";
import { makeIdentity } from "./passphrase.ts";
import { SETTINGS_FILE } from "./settings-file.ts";

export const IDENTITY_FILE = "identity.age";
/** The prefix of folders for temporary copies during a backup. */
export const SCRATCH = "scratch-";
const FORMAT = "postern-backups";
/** Versions 1 and 2 were copies of a home's files, each in its own directory (copied-backup.ts). */
const VERSION = 3;
const LOCK_TIMEOUT_MS = 2000;

const settings = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  id: z.string().regex(/^[0-9a-f]{16,64}$/),
  created_at: z.iso.datetime(),
  /** The key that packs and snapshots are encrypted to. identity.age decrypts them. */
  recipient: z.string().startsWith("age1").optional(),
});

/** Readable without the passphrase, and sufficient for retention and lists. */
const summary = z.strictObject({
  created_at: z.iso.datetime(),
  /** The home's size in bytes. */
  bytes: z.int().min(0),
  /** How many bytes this backup added. */
  written: z.int().min(0),
  /** Absent if the backup is encrypted. */
  records: z.int().min(0).optional(),
  /** When SQLite last checked the databases that this backup was copied from. */
  checked_at: z.iso.datetime(),
  /** The packs that this backup needs, with the number of chunk bytes it uses from each. */
  packs: z.record(z.string().regex(PACK_NAME), z.int().min(0)),
});

export type SnapshotSummary = z.infer<typeof summary>;
export interface Snapshot extends SnapshotSummary {
  name: string;
}

export interface Repository {
  directory: string;
  packs: string;
  snapshots: string;
  id: string;
  recipient?: string;
}

export const isRepository = (directory: string): boolean => existsSync(join(directory, SETTINGS_FILE));

export async function openRepository(directory: string): Promise<Repository> {
  const found = await jsonIn(join(directory, SETTINGS_FILE));
  const { format, version } = (found ?? {}) as { format?: unknown; version?: unknown };
  if (format === FORMAT && typeof version === "number" && version > VERSION) {
    throw new PdppError(
      "home_too_new",
      `these backups have version ${version}, but this pdpp supports only versions up to ${VERSION}`,
      {
        next_step: "Use the newer pdpp that made them.",
      },
    );
  }
  const parsed = settings.safeParse(found);
  if (!parsed.success) throw backupDamaged(`its ${SETTINGS_FILE} is damaged`);
  const { id, recipient } = parsed.data;
  return placed(directory, { id, ...(recipient === undefined ? {} : { recipient }) });
}

export async function createRepository(
  directory: string,
  { passphrase, now }: { passphrase?: string; now: number },
): Promise<Repository> {
  const identity = passphrase === undefined ? undefined : await makeIdentity(passphrase);
  const made = placed(directory, {
    id: randomBytes(16).toString("hex"),
    ...(identity === undefined ? {} : { recipient: identity.recipient }),
  });
  for (const folder of [directory, made.packs, made.snapshots]) await mkdir(folder, { recursive: true, mode: 0o700 });
  markHome(directory);
  if (identity !== undefined) await writeWhole(join(directory, IDENTITY_FILE), identity.file);
  const { id, recipient } = made;
  const document = { format: FORMAT, version: VERSION, id, created_at: new Date(now).toISOString(), recipient };
  await writeWhole(join(directory, SETTINGS_FILE), `${JSON.stringify(document, null, 1)}\n`);
  await syncDirectory(directory);
  return made;
}

const placed = (directory: string, rest: { id: string; recipient?: string }): Repository => ({
  directory,
  packs: join(directory, "packs"),
  snapshots: join(directory, "snapshots"),
  ...rest,
});

/** Locks the repository, so that only one process at a time adds or removes backups. */
export function lockRepository({ directory }: Repository): HomeLock {
  const lock = tryLockHome(directory, LOCK_TIMEOUT_MS);
  if (lock !== undefined) return lock;
  throw new PdppError("home_in_use", `another backup to ${directory} is running`, {
    next_step: "Wait until it has ended, then try again.",
  });
}

/** Sorted newest first. */
export async function snapshotsIn({ snapshots }: Repository): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  for (const file of await readdir(snapshots).catch(() => [])) {
    if (!file.endsWith(".json")) continue;
    const parsed = summary.safeParse(await jsonIn(join(snapshots, file)));
    if (!parsed.success) throw backupDamaged(`snapshots/${file} is damaged`);
    found.push({ name: file.slice(0, -".json".length), ...parsed.data });
  }
  return found.sort((a, b) => (a.name < b.name ? 1 : -1));
}

export const snapshotFile = ({ snapshots }: Repository, name: string): string => join(snapshots, `${name}.snapshot`);
export const summaryFile = ({ snapshots }: Repository, name: string): string => join(snapshots, `${name}.json`);

export async function indexesOf({ packs }: Repository, names: Iterable<string>): Promise<PackIndex[]> {
  const indexes: PackIndex[] = [];
  for (const name of [...names].sort()) indexes.push(await readIndex(join(packs, indexName(name)), name));
  return indexes;
}

/** Removes packs that no snapshot needs, and the leftovers of interrupted backups. */
export async function removeUnused(repository: Repository, kept: readonly Snapshot[]): Promise<void> {
  const needed = new Set(kept.flatMap(({ packs }) => Object.keys(packs)).flatMap((name) => [name, indexName(name)]));
  for (const name of await readdir(repository.packs))
    if (!needed.has(name)) await rm(join(repository.packs, name), { force: true });
  for (const name of await readdir(repository.directory))
    if (name.startsWith(SCRATCH)) await rm(join(repository.directory, name), { recursive: true, force: true });
  const names = new Set(kept.flatMap(({ name }) => [`${name}.json`, `${name}.snapshot`]));
  for (const name of await readdir(repository.snapshots))
    if (!names.has(name)) await rm(join(repository.snapshots, name), { force: true });
}

async function jsonIn(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
