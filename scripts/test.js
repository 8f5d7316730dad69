// npm test: build, lint and all tests. `npm test -- PATH…` runs only the tests in those paths, without lint. Files with
// failed tests are run once more, alone. Tests that pass the second time are listed, because the test or the code under
// test has a race.
import { fork } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { at, build, buildIfStale, ensureInstalled, say, tool } from "./checkout.js";

/** If more files than this fail, the cause is not chance, and they are not run again. */
const FEW_FILES = 4;

const args = process.argv.slice(2);
const total = { passed: 0, failed: 0 };

ensureInstalled();
if (args.length > 0) {
  if (!buildIfStale()) countBuild(false);
  runTests();
} else {
  countBuild(build());
  const lint = startLint();
  runTests();
  const { passed, failed } = await lint;
  total.passed += passed.length;
  total.failed += failed.length;
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);

function countBuild(holds) {
  total[holds ? "passed" : "failed"]++;
  say(`build ${holds ? "ok" : "FAILED"}`);
}

/**
 * Runs lint alongside the first tests, because neither keeps two cores busy. Prints its output when the tests have
 * ended, and returns the names of the checks that passed and failed.
 */
async function startLint() {
  const folder = mkdtempSync(join(tmpdir(), "postern-lint-"));
  const output = openSync(join(folder, "output"), "w");
  const child = fork(at("scripts", "lint.js"), { stdio: ["ignore", output, output, "ipc"] });
  const result = await new Promise((resolve) => {
    child.once("message", resolve);
    child.once("disconnect", () => resolve({ passed: [], failed: ["lint"] }));
  });
  closeSync(output);
  process.stderr.write(readFileSync(join(folder, "output")));
  rmSync(folder, { recursive: true, force: true });
  return result;
}

function runTests() {
  const first = vitest(args);
  const failed = [...first.files].filter(([, { failed }]) => failed.length > 0).map(([path]) => path);
  const again = failed.length > 0 && failed.length <= FEW_FILES && args.length === 0 ? vitest(failed) : undefined;
  for (const [path, { passed, failed }] of first.files) {
    const second = again?.files.get(path);
    const isMended = failed.length > 0 && second?.failed.length === 0;
    total.passed += passed.length + (isMended ? failed.length : 0);
    total.failed += isMended ? 0 : failed.length;
    if (isMended) for (const title of failed) say(`passed only when run alone: ${path}: ${title}`);
  }
  if (first.code !== 0 && failed.length === 0) total.failed++;
}

/** Runs vitest and returns the titles of the passed and failed tests in each file. */
function vitest(paths) {
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  const report = join(folder, "report.json");
  const files = new Map();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = tool("vitest", "vitest", ["run", ...reporters, ...paths]);
    const found = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { testResults: [] };
    for (const { name, status, assertionResults } of found.testResults) {
      const path = relative(".", name);
      const file = files.get(path) ?? { passed: [], failed: [] };
      files.set(path, file);
      for (const test of assertionResults) file[test.status]?.push(test.fullName);
      // A file that fails to load has no failed test.
      if (status === "failed" && !assertionResults.some((test) => test.status === "failed"))
        file.failed.push("(loading)");
    }
    return { code, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
