// npm run soak -- suites [PATH…]: every suite of servers once more on PostgreSQL; `npm test` runs a part of them there.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
const args = [vitest, "run", "--project", "postgres", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  env: { ...process.env, POSTERN_TEST_ALL: "1" },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
