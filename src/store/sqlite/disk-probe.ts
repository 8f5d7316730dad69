// Checks that the disk of a home accepts writes now. It is asynchronous, so that a hanging disk blocks none of our
// threads.
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { typedError } from "./database.ts";
import { FILES } from "./sqlite-store.ts";

/** More than a line of the audit log or a page of the database. */
const BYTES = Buffer.alloc(64 * 1024);

export async function requireDisk(home: string): Promise<void> {
  const path = join(home, FILES.probe);
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.writeFile(BYTES);
      await file.sync();
    } finally {
      await file.close();
    }
    await rm(path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw typedError(error);
  }
}
