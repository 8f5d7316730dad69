// Files uploaded for an import. They grow piece by piece, each piece starting where the previous one ended.
import { existsSync } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";

export interface Uploads {
  /** How many bytes have arrived. */
  bytes(uploadId: string): Promise<number>;
  /** Received bytes are kept even if the rest is lost. Returns how many there are. */
  append(uploadId: string, bytes: AsyncIterable<Uint8Array>, limits: { offset: number; size: number }): Promise<number>;
  /** Returns a complete upload as a file on this machine. */
  file(uploadId: string): Promise<string>;
  /**
   * Removes the files that `file` created on this machine for imports that are not in this set. Files of the other
   * imports stay, because another process on this home may be reading them.
   */
  forgetOthers(importIds: () => Promise<ReadonlySet<string>>): Promise<void>;
  /** Removes the files of every import that is not in this set. The set is read after the files are listed. */
  keep(importIds: () => Promise<ReadonlySet<string>>): Promise<void>;
  /** Returns false if nothing was ever uploaded. */
  any(): boolean;
}

/** The job that the upload belongs to, and the index of the file. Ids are checked, because they become a path. */
export function uploadParts(uploadId: string): { job: string; index: string } {
  const [, job, index] = /^(\w[\w-]{1,100})\.(\d{1,4})$/.exec(uploadId) ?? [];
  if (job === undefined || !job.startsWith(ID_PREFIX.job)) throw new Error(`${uploadId} is not an upload id`);
  return { job, index: index! };
}

export function uploadPath(folder: string, uploadId: string): string {
  const { job, index } = uploadParts(uploadId);
  return join(folder, job, index);
}

export function homeUploads(home: string): Uploads {
  const folder = join(home, FILES.uploads);
  return {
    async bytes(uploadId) {
      return (await stat(uploadPath(folder, uploadId)).catch(() => undefined))?.size ?? 0;
    },
    append: (uploadId, bytes, limits) => appendFile(uploadPath(folder, uploadId), bytes, limits),
    file: async (uploadId) => uploadPath(folder, uploadId),
    // Nothing to remove, because these are the uploaded files themselves.
    forgetOthers: async () => undefined,
    async keep(importIds) {
      const names = await uploadFolders(folder);
      if (names.length > 0) await removeUploads(folder, names, await importIds());
    },
    any: () => existsSync(folder),
  };
}

/** Lists the imports with files on this machine. */
export const uploadFolders = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

export async function removeUploads(
  folder: string,
  names: readonly string[],
  kept: ReadonlySet<string>,
): Promise<void> {
  for (const name of names) {
    if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function appendFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { offset, size }: { offset: number; size: number },
): Promise<number> {
  let at = offset;
  try {
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    const file = await open(path, "a", 0o600);
    try {
      for await (const part of bytes) {
        if (at + part.byteLength > size) throw uploadTooLong(size);
        await file.writeFile(part);
        at += part.byteLength;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new PdppError("storage_full", "the disk is full; the bytes received so far are kept");
    throw error;
  }
  return at;
}

export const uploadTooLong = (size: number): PdppError =>
  new PdppError("resource_limit", `the file was declared as ${size} bytes, but more arrived`);
