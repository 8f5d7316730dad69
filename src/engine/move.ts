// Moves an owner between a home directory and a database, by making a copy that is verified before it becomes visible.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import {
  type CopyProgress,
  copyTables,
  proveEqual,
  readOwner,
  type TableDigest,
  writeOwner,
} from "../store/copy/copy-owner.ts";
import { checkFreeName, ownerOf } from "../store/copy/postgres-owner.ts";
import { ASIDE } from "../store/copy/sqlite-owner.ts";
import type { OwnerReader } from "../store/copy/tables.ts";
import type { ObjectPlace, ObjectStorage } from "../store/objects.ts";
import { type HomeLocation, openStore } from "../store/place.ts";
import { FILES, prepareFolder } from "../store/sqlite/sqlite-store.ts";
import { type HomeLock, lockHome } from "./home-lock.ts";
import { blobsOf, moveBlobs } from "./move-blobs.ts";
import { homeObjects, homeOfOwner, objectsOfOwner, openObjects } from "./objects-place.ts";

export interface MoveTarget {
  home: string;
  /** `name` is the owner's name in the database. */
  database?: { url: string; name?: string };
  /** Where this owner's blobs are moved. The default is the home. */
  objectsFor?: (subject: string) => ObjectPlace;
}

export interface MoveReport {
  owner: string;
  records: number;
  audit_entries: number;
  blobs: number;
  /** Blobs that the source had already lost. */
  missing_blobs: string[];
  tables: TableDigest[];
  /** A digest over the digests of all tables. If two copies have the same digest, they have the same data. */
  sha256: string;
}

export interface MoveOptions {
  from: HomeLocation;
  to: MoveTarget;
  onProgress?: (text: string) => void;
}

export interface DatabaseSource {
  url: string;
  /** A name or id. The default is the only owner. */
  owner: string | undefined;
  /** The home directory of the servers that use this database. */
  home: string;
  /** Where the objects of all owners are stored. */
  objects: ObjectPlace;
}

/** Returns the location of an owner in a database. The owner must exist. */
export async function placeInDatabase({ url, owner, home, objects }: DatabaseSource): Promise<HomeLocation> {
  const subject = await ownerOf(url, owner);
  return {
    home: homeOfOwner(home, subject),
    database: { url, subject },
    objects: objectsOfOwner(objects, subject),
  };
}

/** Leaves the source unchanged. A failed or interrupted move leaves no owner at the target. */
export async function moveOwner({ from, to, onProgress = () => {} }: MoveOptions): Promise<MoveReport> {
  const locks: HomeLock[] = [];
  if (to.database?.name !== undefined) await checkFreeName(to.database.url, to.database.name);
  try {
    if (from.database === undefined) locks.push(lockSource(from.home));
    const made = !existsSync(to.home);
    if (to.database === undefined) locks.push(prepareTarget(to.home));
    else prepareFolder(to.home);
    try {
      await gather(from);
      return await readOwner(from, (owner) => copyTo(owner, from, to, onProgress), { unserved: true });
    } catch (error) {
      for (const lock of locks.splice(0)) lock.release();
      if (made) removeUnused(to.home);
      throw error;
    }
  } finally {
    for (const lock of locks) lock.release();
  }
}

async function copyTo(
  owner: OwnerReader,
  from: HomeLocation,
  to: MoveTarget,
  onProgress: (text: string) => void,
): Promise<MoveReport> {
  const { subject } = owner;
  const here = objectsAt(from);
  const there = openObjects(to.objectsFor?.(subject) ?? objectsIn(to, subject));
  for (const storage of [...here, there]) await storage.check();
  const say: CopyProgress = (step, table, rows) => onProgress(`${step} ${table}: ${rows}`);
  const put: string[] = [];
  try {
    return await writeOwner(to, subject, async (target) => {
      await copyTables(owner, target, say);
      const blobs = await moveBlobs(blobsOf(owner), {
        from: here,
        to: there,
        onPut: (name) => void put.push(name),
        onProgress: (done) => onProgress(`copying blobs: ${done}`),
      });
      return reportOf(subject, await proveEqual(owner, target, say), blobs);
    });
  } catch (error) {
    await there.delete(put).catch(() => undefined);
    throw error;
  }
}

const objectsIn = ({ home, database }: MoveTarget, subject: string): ObjectPlace =>
  database === undefined ? homeObjects(home) : objectsOfOwner(homeObjects(home), subject);

/** Blobs that were stored before the storage was changed may still be in the home. */
export const objectsAt = ({ home, objects = homeObjects(home) }: HomeLocation): ObjectStorage[] =>
  (objects.kind === "home" ? [objects] : [objects, homeObjects(home)]).map(openObjects);

function reportOf(owner: string, tables: TableDigest[], blobs: { present: number; missing: string[] }): MoveReport {
  const rows = (name: string): number => tables.find(({ table }) => table === name)!.rows;
  const all = createHash("sha256");
  for (const { table, rows: count, sha256 } of tables) all.update(`${table} ${count} ${sha256}\n`);
  return {
    owner,
    records: rows("record"),
    audit_entries: rows("audit_entry"),
    blobs: blobs.present,
    missing_blobs: blobs.missing,
    tables,
    sha256: all.digest("hex"),
  };
}

function lockSource(home: string): HomeLock {
  if (!existsSync(join(home, FILES.records)))
    throw new PdppError("not_found", `there is no home at ${home}`, {
      param: "from",
      next_step: "Specify the home directory, a postgres:// address, or DATABASE_URL with --from.",
    });
  return lockHome(home);
}

/** Upgrades the home to the current format, and moves pending entries into its audit log. */
async function gather(place: HomeLocation): Promise<void> {
  const store = await openStore(place);
  try {
    await store.audit.gather();
  } finally {
    await store.close();
  }
}

/** Files that make a directory a home. The target must not contain any of these. */
const HOME = [FILES.records, FILES.audit, FILES.key, FILES.journals];
/** The files that a server on a database keeps in its home. */
const BESIDE = [...Object.values(FILES), "files", "collect", "scratch", ID_PREFIX.subject];

function prepareTarget(home: string): HomeLock {
  const names = existsSync(home) ? readdirSync(home) : undefined;
  const own = names?.find((name) => (HOME as string[]).includes(name));
  const foreign = names?.find((name) => !BESIDE.some((known) => name.startsWith(known)) && !name.startsWith(ASIDE));
  if (own !== undefined || foreign !== undefined) {
    throw new PdppError(
      "already_exists",
      own === undefined
        ? `${home} contains other files (${foreign})`
        : `${home} contains a home, or parts of one (${own})`,
      {
        param: "to",
        next_step: "Nothing was written. Choose a new or empty directory; existing files are never replaced.",
      },
    );
  }
  mkdirSync(home, { recursive: true, mode: 0o700 });
  prepareFolder(home);
  const lock = lockHome(home);
  // Only the holder of the lock moves an owner into this home, so these are left over from interrupted moves.
  for (const name of names ?? []) if (name.startsWith(ASIDE)) rmSync(join(home, name), { recursive: true });
  return lock;
}

/** Leaves folders alone if files were added to them since. */
function removeUnused(home: string): void {
  rmSync(join(home, FILES.lock), { force: true });
  for (const folder of [...foldersIn(home), home]) {
    const names = readdirSync(folder);
    if (names.some((name) => name !== FILES.marker)) continue;
    rmSync(join(folder, FILES.marker), { force: true });
    rmdirSync(folder);
  }
}

/** Lists the innermost folders first. */
const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .flatMap((inner) => [...foldersIn(inner), inner]);
