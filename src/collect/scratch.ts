// Folders for copies from archives, and for blobs that have no name yet. They are inside the home, which only its owner
// can read, and are deleted with the run.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { diskFailure, type ObjectStorage } from "../engine/objects-place.ts";

export const COPIES = "scratch";

/**
 * Next to the blobs, so that a blob can get its final name without being copied. In a shared folder, each machine
 * cleans up only its own folders.
 */
export function newBlobsFolder({ place, aside }: ObjectStorage): Promise<string> {
  return newScratch(aside, join("blobs", place.kind === "folder" ? `.incoming-${hostname()}` : ".incoming"));
}

/** First cleans up after runs that were killed. */
export async function newScratch(home: string, kind: string): Promise<string> {
  const folder = join(home, kind);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      if (!isAlive(Number.parseInt(name, 10))) await rm(join(folder, name), { recursive: true, force: true });
    }
    return await mkdtemp(join(folder, `${process.pid}-`));
  } catch (error) {
    throw diskFailure(error, "nothing was started");
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
