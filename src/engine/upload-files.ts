// Files that were sent to be imported: they grow piece by piece, each piece where the one before ended.
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";

export const uploadsDirectory = (home: string): string => join(home, FILES.uploads);

/** Ids come from our own table, and are looked at all the same: they become a path. */
export function uploadPath(home: string, uploadId: string): string {
  const [, job, index] = /^(\w[\w-]{1,100})\.(\d{1,4})$/.exec(uploadId) ?? [];
  if (job === undefined || !job.startsWith(ID_PREFIX.job)) throw new Error(`${uploadId} is no id of an upload`);
  return join(uploadsDirectory(home), job, index!);
}

/** How much of it is here. */
export async function uploadedBytes(home: string, uploadId: string): Promise<number> {
  return (await stat(uploadPath(home, uploadId)).catch(() => undefined))?.size ?? 0;
}

/** What has come stays, however the rest breaks off; answers how much there is then. */
export async function appendUpload(
  home: string,
  uploadId: string,
  bytes: AsyncIterable<Uint8Array>,
  { offset, size }: { offset: number; size: number },
): Promise<number> {
  const path = uploadPath(home, uploadId);
  let at = offset;
  try {
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    const file = await open(path, "a", 0o600);
    try {
      for await (const part of bytes) {
        if (at + part.byteLength > size)
          throw new PdppError("resource_limit", `the file was said to have ${size} bytes, and more came`);
        await file.writeFile(part);
        at += part.byteLength;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new PdppError("storage_full", "the disk is full; what came before stays");
    throw error;
  }
  return at;
}

/** Removes the files of every import that is not among these. */
export async function keepUploads(home: string, importIds: ReadonlySet<string>): Promise<void> {
  const names = await readdir(uploadsDirectory(home)).catch(() => []);
  for (const name of names) {
    if (!importIds.has(name)) await rm(join(uploadsDirectory(home), name), { recursive: true, force: true });
  }
}
