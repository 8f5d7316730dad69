// npm run soak -- suites: the complete suites of which `npm test` runs only a part: all server tests on PostgreSQL,
// every page with the records of every importer, and every sample with and without a connection's key.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
const env = { ...process.env, POSTERN_TEST_ALL: "1" };

for (const suite of [
  ["--project", "postgres"],
  ["--project", "home", "test/browser/stored-content.test.ts", "test/samples/every.test.ts"],
]) {
  const args = [vitest, "run", ...suite];
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
