// A folder for one run of the tests, for what several files of them share; gone when the run ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "postern-run-"));
  process.env.POSTERN_TEST_RUN = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
