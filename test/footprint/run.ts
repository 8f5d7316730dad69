// Prints the size of definitions and results for an agent. --write updates docs/build/footprint.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resultCosts, resultTable, shellResultCosts, shellResultTable } from "./measure.ts";
import { footprintPage } from "./page.ts";

const home = mkdtempSync(join(tmpdir(), "pdpp-footprint-"));
const disk = mkdtempSync(join(tmpdir(), "pdpp-footprint-"));
try {
  const page = footprintPage(resultTable(await resultCosts(home)), shellResultTable(await shellResultCosts(disk)));
  process.stdout.write(page);
  if (process.argv.includes("--write")) writeFileSync(new URL("../../docs/build/footprint.md", import.meta.url), page);
} finally {
  for (const folder of [home, disk]) rmSync(folder, { recursive: true, force: true });
}
