// The heap's young generation under a load that makes V8 enlarge it.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { KEEPER_LIMITS } from "./memory-share.ts";

const MEGABYTE = 2 ** 20;

const modules = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { Worker } from "node:worker_threads";
  import { limitHeapGrowth, setInitialHeapSize } from ${JSON.stringify(new URL("./heap-growth.ts", import.meta.url).href)};`;
const load = `
  const kept = [];
  for (let index = 0; index < 3_000_000; index++) kept[index % 300_000] = { index, text: String(index) };
  console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size);`;

const run = (program: string): number =>
  Number(execFileSync(process.execPath, ["--input-type=module", "-e", modules + program], { encoding: "utf8" }));

/** The size of the young generation after many objects have lived for a while. */
const youngBytes = (before: string): number => run(before + load);

/** The same in a thread with these limits. */
const youngBytesInThread = (resourceLimits: object): number =>
  run(`setInitialHeapSize();
    const program = ${JSON.stringify(`const { getHeapSpaceStatistics } = process.getBuiltinModule("node:v8"); ${load}`)};
    new Worker(program, { eval: true, resourceLimits: ${JSON.stringify(resourceLimits)} });`);

it("O-09 the heap's young generation does not grow while a server handles requests", () => {
  expect(youngBytes("")).toBeGreaterThan(16 * MEGABYTE);
  expect(youngBytes("setInitialHeapSize(); limitHeapGrowth();")).toBeLessThan(16 * MEGABYTE);
});

it("O-09 the keeper's young generation stays smaller than the initial one of other threads", () => {
  expect(youngBytesInThread({})).toBeGreaterThan(8 * MEGABYTE);
  expect(youngBytesInThread(KEEPER_LIMITS)).toBeLessThan(4 * MEGABYTE);
});
