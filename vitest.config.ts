// Tests sit beside their source; what crosses modules or processes is in test/.
import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests start threads and commands by the thousand, from the same files: what was compiled for one is there for the next.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/postern/compiled");

/** What starts browsers, commands and servers takes longest, and begins first: no worker is left alone with it at the end. */
const SLOW = [
  /^test\/processes\/|^test\/browser\//,
  /^test\/([^/]+|(crash|files|parity|samples)\/.*)$|^src\/files\//,
  /^test\//,
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const path = relative(import.meta.dirname, moduleId).replaceAll("\\", "/");
      const found = SLOW.findIndex((slow) => slow.test(path));
      return found === -1 ? SLOW.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** What a person or an app sees of a server, once more on PostgreSQL: the part of it that asks the store most. */
const ON_POSTGRES = [
  "test/{events,mcp}/**/*.test.ts",
  "test/non-interference/events.test.ts",
  "test/oauth/{codes,downloads,revocation,second-factor}.test.ts",
  "test/rest/{aggregate,audit,blobs,changes,expand,grants,ingest,records}.test.ts",
  "test/rest/{all-connections,people,record-filter,schema,search,search-model,staying-current}.test.ts",
];
/** All of it: `npm run soak -- suites`. */
const ALL_ON_POSTGRES = ["test/{events,files,mcp,non-interference,oauth,rest}/**/*.test.ts"];
/** About the files of a home, or of no store at all. */
const NOT_ON_POSTGRES = [
  "test/rest/{homes,objects,openapi}.test.ts",
  "test/mcp/{scale,stdio,ten-questions}.test.ts",
  "test/files/connection-killed.test.ts",
];

/**
 * Most test code runs once, so V8's own threads took a quarter of the CPU time of the tests. Collecting garbage in the
 * thread that made it, less often, and leaving out the slowest compiler takes 19 % off.
 */
const V8_FLAGS = ["--single-threaded-gc", "--min-semi-space-size=16", "--max-opt=2"];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "home", include: ["src/**/*.test.ts", "test/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "postgres",
          include: process.env.POSTERN_TEST_ALL === undefined ? ON_POSTGRES : ALL_ON_POSTGRES,
          exclude: NOT_ON_POSTGRES,
          env: { POSTERN_TEST_ENGINE: "postgres" },
        },
      },
    ],
    environment: "node",
    globalSetup: ["scripts/ensure-built.js", "test/run-folder.ts"],
    // Processes, not threads: the code under test starts threads of its own.
    pool: "forks",
    execArgv: V8_FLAGS,
    // Node loads the sources itself, as it does in `npm run bench`: Vite's loader took 8 % more CPU time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Loading the server's modules anew for each file was a tenth of the whole run.
    isolate: false,
    setupFiles: ["test/fresh-process.ts"],
    // Twice what two cores have: most of them wait for a browser, a command or a database now and then.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    // These end a test that hangs, and nothing else: no test says how long it may take (O-10).
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    teardownTimeout: 10_000,
  },
});
