// npm test: build, lint and all tests. `npm test -- PATH…` runs only the tests of those paths, without lint.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, buildIfStale, ensureInstalled, say, tool } from "./checkout.js";
import { runChecks } from "./checks.js";

const args = process.argv.slice(2);
const total = { passed: 0, failed: 0 };

ensureInstalled();
if (args.length > 0) {
  if (!buildIfStale()) countBuild(false);
} else {
  countBuild(build());
  const { passed, failed } = runChecks();
  total.passed += passed.length;
  total.failed += failed.length;
}
runTests();
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);

function countBuild(holds) {
  total[holds ? "passed" : "failed"]++;
  say(`build ${holds ? "ok" : "FAILED"}`);
}

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  const report = join(folder, "report.json");
  try {
    const code = tool("vitest", "vitest", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...args,
    ]);
    const found = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { testResults: [] };
    const before = total.failed;
    for (const { status, assertionResults } of found.testResults) {
      for (const test of assertionResults) if (test.status in total) total[test.status]++;
      // A file that does not load fails without a failed test.
      if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) total.failed++;
    }
    if (code !== 0 && total.failed === before) total.failed++;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
