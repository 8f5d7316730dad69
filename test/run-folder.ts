// Shared by one test run: a folder for temporary files and a PostgreSQL, both removed when the run ends.
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { startForRun } from "./postgres.ts";

/** A file system in memory. Tests sync thousands of files, which is slow on a disk. */
const IN_MEMORY = "/dev/shm";
/** Several times the size of all files of a run. */
const ENOUGH_BYTES = 8 * 1024 ** 3;

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Every vitest project of the run calls this, so only the first call does the work.
  if (process.env.POSTERN_TEST_RUN !== undefined) return undefined;
  const place = existsSync(IN_MEMORY) && freemem() > ENOUGH_BYTES ? IN_MEMORY : tmpdir();
  const folder = mkdtempSync(join(process.env.TMPDIR ?? place, "postern-run-"));
  // The user that PostgreSQL runs as must be able to enter the folder.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.env.POSTERN_TEST_RUN = folder;
  const stopPostgres = await startForRun();
  return async () => {
    await stopPostgres();
    rmSync(folder, { recursive: true, force: true });
  };
}
