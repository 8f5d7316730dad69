// The files of exports: written aside, hashed on the way, named when they are whole; never more of them than fits.
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { ID_PREFIX } from "../../contract/ids.ts";
import { diskFailure, type ObjectStorage, type StoredObject } from "../../store/objects.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";

const PARTIAL = ".partial";
const PREFIX = `${FILES.exports}/`;

/** Of this machine: what is not whole yet. */
const asideFolder = ({ aside }: ObjectStorage): string => join(aside, FILES.exports);

/** What its object is called. Ids come from our own table, and are looked at all the same: they become a path. */
export function exportName(id: string): string {
  if (!id.startsWith(ID_PREFIX.job) || !/^[\w-]{1,100}$/.test(id)) throw new Error(`${id} is no id of a job`);
  return PREFIX + id;
}

export interface FileLimits {
  /** Of all exports together. */
  diskBytes: number;
  /** Says whether to go on; stops between two pieces. */
  goesOn: () => boolean;
}

/** undefined: stopped. Whatever happens, a name without `.partial` is a whole file. */
export async function writeExport(
  objects: ObjectStorage,
  id: string,
  pieces: AsyncIterable<Uint8Array>,
  { diskBytes, goesOn }: FileLimits,
): Promise<StoredObject | undefined> {
  const name = exportName(id);
  const partial = join(asideFolder(objects), id + PARTIAL);
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
      throw new PdppError("storage_full", "the disk is full; the export was not made");
    throw error;
  } finally {
    await rm(partial, { force: true });
  }
}

export function tooMuch(diskBytes: number): PdppError {
  return new PdppError("storage_full", `exports may take ${diskBytes} bytes together; this one does not fit`, {
    next_step: "Remove another (GET /v1/exports, DELETE /v1/exports/ID), ask for less, or stream it: GET /v1/export.",
  });
}

export async function bytesUsed(objects: ObjectStorage): Promise<number> {
  let bytes = 0;
  for await (const { sizeBytes } of objects.list(PREFIX)) bytes += sizeBytes;
  return bytes;
}

/** Removes every file whose job is not among these: leftovers of a crash, and what expired. */
export async function keepOnly(objects: ObjectStorage, ids: ReadonlySet<string>): Promise<void> {
  const gone: string[] = [];
  for await (const { name } of objects.list(PREFIX)) if (!ids.has(name.slice(PREFIX.length))) gone.push(name);
  await objects.delete(gone);
  if (objects.place.kind !== "s3") return;
  // Here is only what was being written when a process ended.
  const folder = asideFolder(objects);
  for (const name of await readdir(folder).catch(() => [])) await rm(join(folder, name), { force: true });
}

/** Nothing was ever exported where this says no. */
export const mayHaveExports = (objects: ObjectStorage): boolean => objects.mayHold(FILES.exports);

export async function makeExportsDirectory(objects: ObjectStorage): Promise<void> {
  await mkdir(asideFolder(objects), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw diskFailure(error, "no export was begun");
  });
}
