// Checks that both doctors share: this program, the disk, the audit log and blobs.
import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { PdppError } from "../contract/errors.ts";
import { quote } from "../core/shell-quote.ts";
import type { ObjectStorage } from "../store/objects.ts";
import type { BlobRow } from "../store/rows.ts";
import type { HomeCounts } from "../store/sqlite/maintenance.ts";
import type { Store } from "../store/store.ts";
import { blobName } from "./blob-files.ts";
import { digestOf, eachOf } from "./copy-file.ts";

export interface DoctorCheck {
  name: string;
  status: "ok" | "warn" | "fail";
  message: string;
  /** The action to take. Present on every finding that is not ok. */
  next?: string;
}

const NODE_FLOOR = 24;
const BLOB_SAMPLE = 50;
const BLOBS_AT_ONCE = 8;
const SPACE = { warn: 1024 ** 3, fail: 100 * 1024 ** 2 } as const;

export const ok = (name: string, message: string): DoctorCheck => ({ name, status: "ok", message });
export const warn = (name: string, message: string, next: string): DoctorCheck => ({
  name,
  status: "warn",
  message,
  next,
});
export const fail = (name: string, message: string, next: string): DoctorCheck => ({
  name,
  status: "fail",
  message,
  next,
});

export function nodeCheck(): DoctorCheck {
  const version = process.versions.node;
  return Number(version.split(".")[0]) >= NODE_FLOOR
    ? ok("node", `Node ${version}`)
    : fail("node", `Node ${version} is too old`, `Install Node ${NODE_FLOOR} or newer.`);
}

/** True if other users can access a file or directory. */
export const isOpen = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

export function permissionChecks(home: string): DoctorCheck[] {
  if (process.platform === "win32") return [];
  return [
    isOpen(home)
      ? fail("permissions", `other users can access ${home}`, `chmod 700 ${quote(home)}`)
      : ok("permissions", `only its owner can access ${home}`),
  ];
}

export async function spaceCheck(home: string): Promise<DoctorCheck> {
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < SPACE.fail)
    return fail("disk space", message, "Free some space. Until then, writes are refused, but no data is lost.");
  return free < SPACE.warn ? warn("disk space", message, "Free up some space soon.") : ok("disk space", message);
}

export async function chainCheck(open: () => Promise<Store> | Store): Promise<DoctorCheck> {
  let store: Store | undefined;
  try {
    store = await open();
    const { entries, gaps, brokenAt, reason } = await store.audit.verify();
    const said = gaps === undefined ? "" : `; ${gaps} of them note that calls may be missing after an unclean stop`;
    if (brokenAt === undefined) return ok("audit chain", `${entries} entries, unbroken${said}`);
    return fail(
      "audit chain",
      `broken at entry ${brokenAt}: ${reason}`,
      "Someone changed the log, or the disk is failing: compare the log with a backup.",
    );
  } catch (error) {
    return fail(
      "audit chain",
      (error as Error).message,
      "Try again when nothing else is using the home. If it fails again, compare the log with a backup.",
    );
  } finally {
    await store?.close();
  }
}

/**
 * Checks that every blob exists and has the right size. Also reads every byte of a sample of blobs, or of all of them.
 */
export async function blobCheck(
  rows: readonly BlobRow[],
  storages: readonly ObjectStorage[],
  deep: boolean,
): Promise<DoctorCheck> {
  try {
    // Checked first, so that blobs are not reported as missing when the whole storage is unreachable.
    for (const storage of storages) await storage.check();
    if (rows.length === 0) return ok("blobs", "none");
    return await lookAtBlobs(rows, storages, deep);
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    return fail("blobs", error.message, "Make the storage in PDPP_OBJECTS reachable, or correct its address and keys.");
  }
}

async function lookAtBlobs(
  rows: readonly BlobRow[],
  storages: readonly ObjectStorage[],
  deep: boolean,
): Promise<DoctorCheck> {
  const every = Math.ceil(rows.length / BLOB_SAMPLE);
  const bad: string[] = [];
  let read = 0;
  await eachOf([...rows.entries()], BLOBS_AT_ONCE, async ([index, { blobId, generation, sizeBytes, sha256 }]) => {
    const name = blobName(blobId, generation);
    const { storage, size } = await holderOf(storages, name);
    if (storage === undefined || size !== sizeBytes)
      bad.push(`${blobId} ${size === undefined ? "is missing" : `has ${size} bytes instead of ${sizeBytes}`}`);
    else if (deep || index % every === 0) {
      read++;
      if ((await digestOf(storage, name)) !== sha256) bad.push(`${blobId} does not match its name`);
    }
  });
  if (bad.length > 0) {
    const more = bad.length > 5 ? `; and ${bad.length - 5} more` : "";
    return fail(
      "blobs",
      `${bad.slice(0, 5).join("; ")}${more}`,
      "Copy these files from a backup (blobs/…), or import their records again.",
    );
  }
  const note = read === rows.length ? "all read" : `${read} of them read; --deep reads all`;
  return ok("blobs", `${rows.length} present, ${note}`);
}

async function holderOf(
  storages: readonly ObjectStorage[],
  name: string,
): Promise<{ storage?: ObjectStorage; size?: number }> {
  for (const storage of storages) {
    const size = await storage.size(name);
    if (size !== undefined) return { storage, size };
  }
  return {};
}

export function countsCheck({ records, streams, connections, sources, grants, tokens }: HomeCounts): DoctorCheck {
  return ok(
    "counts",
    `${records} records in ${streams} streams, ${connections} connections, ${sources} sources; ${grants} grants not revoked, ${tokens} tokens`,
  );
}
