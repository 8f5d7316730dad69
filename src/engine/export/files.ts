// Manages export files. Each is written under a temporary name, hashed while it is written and renamed when complete.
// Their total size is limited.
import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { ID_PREFIX } from "../../contract/ids.ts";
import { diskFailure, type ObjectStorage, type StoredObject } from "../../store/objects.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";

const PARTIAL = ".partial";
const PREFIX = `${FILES.exports}/`;

/** The local folder for incomplete files. */
const asideFolder = ({ aside }: ObjectStorage): string => join(aside, FILES.exports);

/**
 * The file of one attempt in one term of leadership (0024). No other attempt uses the name, and the job records the
 * name when the attempt succeeds. Older files were named after their job's id.
 */
export const newExportFile = (id: string, term: number): string =>
  `${id}.${term}.${randomBytes(6).toString("base64url")}`;

/** The object's name. File names come from our own table, but they become paths, so they are checked anyway. */
export function exportName(file: string): string {
  if (!file.startsWith(ID_PREFIX.job) || !/^[\w-]{1,100}(?:\.\d+\.[\w-]+)?$/.test(file))
    throw new Error(`${file} is not an export file`);
  return PREFIX + file;
}

/** Returns -1 for older files, and for files that are not ours. */
const termOf = (file: string): number => Number(/^[\w-]+\.(\d+)\./.exec(file)?.[1] ?? -1);

export interface FileLimits {
  /** The limit for all exports together. */
  diskBytes: number;
  /** Writing stops between two pieces once this returns false. */
  goesOn: () => boolean;
}

/** Returns undefined if writing was stopped. A name without `.partial` always belongs to a complete file. */
export async function writeExport(
  objects: ObjectStorage,
  exportFile: string,
  pieces: AsyncIterable<Uint8Array>,
  { diskBytes, goesOn }: FileLimits,
): Promise<StoredObject | undefined> {
  const name = exportName(exportFile);
  const partial = join(asideFolder(objects), exportFile + PARTIAL);
  const room = diskBytes - (await bytesUsed(objects));
  const hash = createHash("sha256");
  let sizeBytes = 0;
  try {
    const file = await open(partial, "w", 0o600);
    try {
      for await (const piece of pieces) {
        if (!goesOn()) return undefined;
        sizeBytes += piece.byteLength;
        if (sizeBytes > room) throw tooMuch(diskBytes);
        hash.update(piece);
        await file.writeFile(piece);
      }
    } finally {
      await file.close();
    }
    const stored = { sizeBytes, sha256: hash.digest("hex") };
    await objects.adopt(name, partial, stored);
    return stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new PdppError("storage_full", "the disk is full; the export was not created");
    throw error;
  } finally {
    await rm(partial, { force: true });
  }
}

export function tooMuch(diskBytes: number): PdppError {
  return new PdppError(
    "storage_full",
    `all exports together may take up to ${diskBytes} bytes; this one does not fit`,
    {
      next_step: "Remove another (GET /v1/exports, DELETE /v1/exports/ID), request less, or stream it: GET /v1/export.",
    },
  );
}

export async function bytesUsed(objects: ObjectStorage): Promise<number> {
  let bytes = 0;
  for await (const { sizeBytes } of objects.list(PREFIX)) bytes += sizeBytes;
  return bytes;
}

/**
 * Removes every file that is not in `kept`: leftovers of a crash, and files of expired exports. Files of a later term
 * belong to another leader, so a process that was paused and has lost leadership does not touch them.
 */
export async function keepOnly(objects: ObjectStorage, kept: ReadonlySet<string>, term: number): Promise<void> {
  const isOver = (file: string): boolean => !kept.has(file) && termOf(file) <= term;
  const gone: string[] = [];
  for await (const { name } of objects.list(PREFIX)) if (isOver(name.slice(PREFIX.length))) gone.push(name);
  await objects.delete(gone);
  if (objects.place.kind !== "s3") return;
  // Any file still here belongs to a writer that has ended.
  const folder = asideFolder(objects);
  for (const name of await readdir(folder).catch(() => []))
    if (isOver(name)) await rm(join(folder, name), { force: true });
}

/** Removes all files of a deleted job. Job ids are never reused. */
export async function removeExport(objects: ObjectStorage, id: string): Promise<void> {
  const gone: string[] = [];
  for await (const { name } of objects.list(exportName(id))) gone.push(name);
  await objects.delete(gone);
}

/** Returns false if nothing was ever exported. */
export const mayHaveExports = (objects: ObjectStorage): boolean => objects.mayHold(FILES.exports);

export async function makeExportsDirectory(objects: ObjectStorage): Promise<void> {
  await mkdir(asideFolder(objects), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw diskFailure(error, "no export was started");
  });
}
