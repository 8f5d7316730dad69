// The heap's young generation under a load that makes V8 enlarge it.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { KEEPER_LIMITS } from "./memory-share.ts";

const MEGABYTE = 2 ** 20;
/** As `bin/pdpp.js` starts a server. */
const MAIN_LIMIT = ["--max-semi-space-size=8"];

const urlOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
const modules = `
  import { CalledThread } from ${urlOf("./thread-calls.ts")};
  import { getHeapSpaceStatistics } from "node:v8";
  import { Worker } from "node:worker_threads";
  import { liftLimitsForStart, limitHeapGrowth, setInitialHeapSize } from ${urlOf("./heap-growth.ts")};`;
const load = `
  const kept = [];
  for (let index = 0; index < 3_000_000; index++) kept[index % 300_000] = { index, text: String(index) };
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size);`;

const run = (program: string, flags = MAIN_LIMIT): number =>
  Number(
    execFileSync(
      process.execPath,
      ["--expose-internals", "--no-warnings", ...flags, "--input-type=module", "-e", modules + program],
      {
        encoding: "utf8",
      },
    ),
  );

/** A thread that tells how many of Node's own modules it had to compile, although they are in Node's program file. */
const compiling = `
  import { createRequire } from "node:module";
  import { answerCalls } from ${urlOf("./thread-calls.ts")};
  const { internalBinding } = createRequire("file:///")("internal/test/binding");
  answerCalls({ answer: () => [...internalBinding("builtins").getCacheUsage().compiledWithoutCache].length });`;
const startThread = `
  setInitialHeapSize();
  limitHeapGrowth();
  const program = new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(compiling)}`)});
  const thread = new CalledThread({ program, name: "compiling" });
  const compiled = await thread.call({});
  await thread.close();`;

/** The size of the young generation after many objects have lived for a while. */
const youngBytes = (before: string, flags = MAIN_LIMIT): number => run(before + load, flags);

/** The same in a thread with these limits. */
const youngBytesInThread = (resourceLimits: object): number =>
  run(`setInitialHeapSize();
    const program = ${JSON.stringify(`const { getHeapSpaceStatistics } = process.getBuiltinModule("node:v8"); ${load}`)};
    new Worker(program, { eval: true, resourceLimits: ${JSON.stringify(resourceLimits)} });`);

it("O-09 the heap's young generation does not grow while a server handles requests", () => {
  expect(youngBytes("", [])).toBeGreaterThan(16 * MEGABYTE);
  expect(youngBytes("setInitialHeapSize(); limitHeapGrowth();")).toBeLessThan(16 * MEGABYTE);
  expect(youngBytes("setInitialHeapSize(); limitHeapGrowth(); liftLimitsForStart();")).toBeLessThanOrEqual(
    16 * MEGABYTE,
  );
});

it("O-09 the keeper's young generation stays smaller than the initial one of other threads", () => {
  expect(youngBytesInThread({})).toBeGreaterThan(8 * MEGABYTE);
  expect(youngBytesInThread(KEEPER_LIMITS)).toBeLessThan(4 * MEGABYTE);
});

it("O-09 a thread that starts later uses Node's compiled modules, and the heap is limited again afterwards", () => {
  expect(run(`${startThread} console.log(compiled);`)).toBe(0);
  expect(youngBytes(startThread)).toBeLessThan(16 * MEGABYTE);
});
