// O-10: what tests may not do with the clock, found in their text.
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** They read the clock to choose when to kill, or for a figure of a soak, and compare nothing with it. */
const CHOOSE = [
  ...["crashes", "file-crashes", "imap-crashes", "import-crashes", "import-server.test"].map(
    (name) => `test/crash/${name}.ts`,
  ),
  "test/processes/mixed-load.ts",
  "test/wall-clock.test.ts",
];
/** Commands of their own, which no test runs. */
const COMMANDS = /^test\/(soak|clients)\//;

const CLOCKED = [
  // How long something took, or has left: on a busy machine any figure is too small one day. CPU time is not.
  /performance\.now\(\)/,
  /expect\(Date\.now\(\) - /,
  /toBeGreaterThan\(Date\.now\(\) \+ /,
  /Date\.now\(\) > /,
  // How long a test may take, or wait: vitest.config.ts has one bound for all, which ends what hangs.
  /^\s*\}, \d{2,}_\d{3}\);$/,
  /^ {2,4}\d+_\d{3},$/,
  /\btimeout: \d/,
  // So many tries, and then it has to be so: `expect.poll` tries until it is.
  /tries < \d/,
];

it("O-10 tests and what they share compare nothing with the wall clock", () => {
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
