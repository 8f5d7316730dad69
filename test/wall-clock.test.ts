// O-10: forbidden uses of the clock in tests, found in their source text.
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** These files read the clock to choose when to kill, or for a figure in a soak, but compare nothing with it. */
const CHOOSE = [
  ...["crashes", "file-crashes", "imap-crashes", "import-crashes", "import-server.test"].map(
    (name) => `test/crash/${name}.ts`,
  ),
  "test/processes/mixed-load.ts",
  "test/wall-clock.test.ts",
];
/** These are separate commands that no test runs. */
const COMMANDS = /^test\/(soak|clients)\//;

const CLOCKED = [
  // Durations and remaining times. On a busy machine, any limit on them will eventually fail, but a limit on CPU time
  // will not.
  /performance\.now\(\)/,
  /expect\(Date\.now\(\) - /,
  /toBeGreaterThan\(Date\.now\(\) \+ /,
  /Date\.now\(\) > /,
  // Test timeouts and waits. vitest.config.ts has one limit for all tests, which ends tests that hang.
  /^\s*\}, \d{2,}_\d{3}\);$/,
  /^ {2,4}\d+_\d{3},$/,
  /\btimeout: \d/,
  // A fixed number of attempts. `expect.poll` retries until the condition is true.
  /tries < \d/,
];

it("O-10 tests and their helpers compare nothing with the wall clock", () => {
  const found = globSync(["src/**/*.{test,fixture}.ts", "test/**/*.ts"])
    .filter((path) => !CHOOSE.includes(path) && !COMMANDS.test(path))
    .flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .map((line, index) => ({ line, at: `${path}:${index + 1}` })),
    )
    .filter(({ line }) => CLOCKED.some((pattern) => pattern.test(line)))
    .map(({ at, line }) => `${at}: ${line.trim()}`);
  expect(found).toEqual([]);
});
