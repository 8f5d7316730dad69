// The young generation of a heap under a load that makes V8 enlarge it.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

const MEGABYTE = 2 ** 20;

/** Bytes of the young generation after many objects lived for a while. */
function youngBytes(before: string): number {
  const program = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { limitHeapGrowth, setInitialHeapSize } from ${JSON.stringify(new URL("./heap-growth.ts", import.meta.url).href)};
    ${before}
    const kept = [];
    for (let index = 0; index < 3_000_000; index++) kept[index % 300_000] = { index, text: String(index) };
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}

it("O-09 the young generation of a heap does not grow while a server answers", () => {
  expect(youngBytes("")).toBeGreaterThan(16 * MEGABYTE);
  expect(youngBytes("setInitialHeapSize(); limitHeapGrowth();")).toBeLessThan(16 * MEGABYTE);
});
