// The files of exports: written aside, hashed on the way, named when they are whole; never more of them than fits.
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { ID_PREFIX } from "../../contract/ids.ts";
import { FILES } from "../../store/sqlite/sqlite-store.ts";

const PARTIAL = ".partial";

export const exportsDirectory = (home: string): string => join(home, FILES.exports);

/** Ids come from our own table, and are looked at all the same: they become a path. */
export function exportPath(home: string, id: string): string {
  if (!id.startsWith(ID_PREFIX.job) || !/^[\w-]{1,100}$/.test(id)) throw new Error(`${id} is no id of a job`);
  return join(exportsDirectory(home), id);
}

export interface WrittenFile {
  sizeBytes: number;
  sha256: string;
}

export interface FileLimits {
  /** Of all exports together. */
  diskBytes: number;
  /** Says whether to go on; stops between two pieces. */
  goesOn: () => boolean;
}

/** undefined: stopped. Whatever happens, a name without `.partial` is a whole file. */
export async function writeExport(
  home: string,
  id: string,
  pieces: AsyncIterable<Uint8Array>,
  { diskBytes, goesOn }: FileLimits,
): Promise<WrittenFile | undefined> {
  const path = exportPath(home, id);
  const room = diskBytes - (await bytesUsed(home));
  const hash = createHash("sha256");
  let sizeBytes = 0;
  try {
    const file = await open(path + PARTIAL, "w", 0o600);
    try {
      for await (const piece of pieces) {
        if (!goesOn()) return undefined;
        sizeBytes += piece.byteLength;
        if (sizeBytes > room) throw tooMuch(diskBytes);
        hash.update(piece);
        await file.writeFile(piece);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path + PARTIAL, path);
    return { sizeBytes, sha256: hash.digest("hex") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new PdppError("storage_full", "the disk is full; the export was not made");
    throw error;
  } finally {
    await rm(path + PARTIAL, { force: true });
  }
}

export function tooMuch(diskBytes: number): PdppError {
  return new PdppError("storage_full", `exports may take ${diskBytes} bytes together; this one does not fit`, {
    next_step: "Remove another (GET /v1/exports, DELETE /v1/exports/ID), ask for less, or stream it: GET /v1/export.",
  });
}

export async function bytesUsed(home: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(home)) {
    const found = await stat(join(exportsDirectory(home), name)).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}

/** Removes every file whose job is not among these: leftovers of a crash, and what expired. */
export async function keepOnly(home: string, ids: ReadonlySet<string>): Promise<void> {
  for (const name of await namesIn(home)) {
    if (!ids.has(name)) await rm(join(exportsDirectory(home), name), { force: true });
  }
}

export async function makeExportsDirectory(home: string): Promise<void> {
  await mkdir(exportsDirectory(home), { recursive: true, mode: 0o700 });
}

async function namesIn(home: string): Promise<string[]> {
  return readdir(exportsDirectory(home)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
