// What one run of the tests shares: a folder, and a PostgreSQL; gone when the run ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startForRun } from "./postgres.ts";

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Every project of the run asks for it.
  if (process.env.POSTERN_TEST_RUN !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "postern-run-"));
  process.env.POSTERN_TEST_RUN = folder;
  const stopPostgres = await startForRun();
  return async () => {
    await stopPostgres();
    rmSync(folder, { recursive: true, force: true });
  };
}
