// Salvages a damaged home: creates a new home with everything that can still be read, and lists what is lost.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { markHome } from "../store/home-marker.ts";
import {
  beginEra,
  checkDatabase,
  countHome,
  type HomeCounts,
  listBlobs,
  streamNames,
} from "../store/sqlite/maintenance.ts";
import { type SalvagedRows, salvageRows } from "../store/sqlite/salvage.ts";
import { FILES, openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { syncDirectory } from "../store/sync-directory.ts";
import { homeEntry, isFree } from "./backup/backup.ts";
import { tryLockHome } from "./home-lock.ts";
import { objectsAt } from "./move.ts";
import { moveBlobs } from "./move-blobs.ts";
import { homeObjects, type ObjectPlace, openObjects } from "./objects-place.ts";

export interface SalvageReport {
  home: string;
  directory: string;
  counts: HomeCounts;
  tables: SalvagedRows["tables"];
  /** `stream` is the stream's name, or its number if the name is lost. */
  lost_records: { stream: string; id: string; version: number }[];
  missing_blobs: string[];
  /** Tells whether the audit log was copied. A damaged log is left behind, and a new one is started. */
  audit_log: "copied" | "new";
}

export interface SalvageOptions {
  home: string;
  objects?: ObjectPlace;
  directory: string;
}

/** The damaged home is only read. Its files are copied first, so this also works on a read-only disk. */
export async function salvageHome({ home, objects, directory }: SalvageOptions): Promise<SalvageReport> {
  const target = resolve(directory);
  requirePlaces(resolve(home), target);
  const aside = `${target}.partial-${randomBytes(4).toString("hex")}`;
  const copies = await mkdtemp(join(existsSync(dirname(target)) ? dirname(target) : tmpdir(), ".salvage-"));
  try {
    await mkdir(join(aside, FILES.blobs), { recursive: true, mode: 0o700 });
    markHome(aside);
    for (const name of [FILES.records, FILES.audit])
      for (const suffix of ["", "-wal"])
        if (existsSync(join(home, name + suffix)))
          await copyFile(join(home, name + suffix), join(copies, name + suffix));
    const { tables, lost } = salvageRows(join(copies, FILES.records), join(aside, FILES.records));
    const audit_log = await copyLog(home, copies, aside);
    const { missing } = await moveBlobs([listBlobs(join(aside, FILES.records))], {
      from: objectsAt({ home, objects }),
      to: openObjects(homeObjects(aside)),
    });
    beginEra(join(aside, FILES.records));
    await noteInLog(aside);
    const names = streamNames(join(aside, FILES.records));
    if (existsSync(target)) await rmdir(target);
    await rename(aside, target);
    await syncDirectory(dirname(target));
    return {
      home: resolve(home),
      directory: target,
      counts: countHome(join(target, FILES.records)),
      tables,
      lost_records: lost.map(({ stream_no, ...record }) => ({
        stream: names.get(stream_no) ?? String(stream_no),
        ...record,
      })),
      missing_blobs: missing,
      audit_log,
    };
  } finally {
    await rm(aside, { recursive: true, force: true });
    await rm(copies, { recursive: true, force: true });
  }
}

/** Copies the log along with the key that seals it and the entries still in journals. */
async function copyLog(home: string, copies: string, aside: string): Promise<SalvageReport["audit_log"]> {
  if (existsSync(join(home, FILES.key))) await copyFile(join(home, FILES.key), join(aside, FILES.key));
  const log = join(copies, FILES.audit);
  if (!existsSync(log) || checkDatabase(log).problems.length > 0) return "new";
  for (const suffix of ["", "-wal"])
    if (existsSync(log + suffix)) await copyFile(log + suffix, join(aside, FILES.audit + suffix));
  if (existsSync(join(home, FILES.journals)))
    await cp(join(home, FILES.journals), join(aside, FILES.journals), { recursive: true });
  return "copied";
}

/** Opening the store also proves that the new home can be opened. */
async function noteInLog(aside: string): Promise<void> {
  const store = openSqliteStore(aside);
  try {
    await store.audit.append([await homeEntry(store, { action: "salvage", records: 0, at: Date.now() })]);
  } finally {
    await store.close();
  }
}

function requirePlaces(home: string, target: string): void {
  if (!existsSync(join(home, FILES.records)))
    throw new PdppError("not_found", `there is no home at ${home}`, {
      next_step: "Specify the home directory with --home DIR.",
    });
  if (target === home || target.startsWith(home + sep) || !isFree(target))
    throw new PdppError("already_exists", `${target} is not empty, or it is inside the damaged home`, {
      next_step: "Choose a new directory outside the home: pdpp doctor --salvage NEW",
    });
  if (isServed(home))
    throw new PdppError("home_in_use", `another server or command is using ${home}`, {
      next_step: "Stop the server, then run `pdpp doctor --salvage NEW` again.",
    });
}

/** A home on a read-only disk counts as not served, because nothing else can be writing to it. */
function isServed(home: string): boolean {
  try {
    const lock = tryLockHome(home);
    lock?.release();
    return lock === undefined;
  } catch {
    return false;
  }
}
