// Sums over columns: decimals add up exactly, other numbers are rounded once, and groups do not affect each other.
import { expect, it } from "vitest";
import { Columns } from "./columns.ts";
import { memoryFeed } from "./memory-feed.fixture.ts";
import { memorySegments } from "./memory-segments.fixture.ts";

async function sums(values: [group: string, amount: number | null][]) {
  const feed = memoryFeed();
  for (const [i, [group, amount]] of values.entries()) feed.put(String(i), { group, amount });
  const columns = new Columns({ segments: memorySegments(), budgetBytes: 1e9, persist: false });
  const shape = {
    columns: [
      { field: "group", kind: "string" as const },
      { field: "amount", kind: "number" as const },
    ],
  };
  const found = await columns.at(1, shape, feed, feed.version);
  const request = { metric: "sum", field: "amount", groupBy: "group", orderBy: "-value", limit: 10 } as const;
  const { groups } = await found.aggregate({ where: [] }, request);
  return Object.fromEntries(groups!.map(({ key, value }) => [key, value]));
}

it("amounts of money add up exactly", async () => {
  const dimes = Array.from({ length: 1000 }, (): [string, number] => ["dimes", 0.1]);
  expect(await sums([["a", 0.1], ["a", 0.2], ...dimes])).toEqual({ a: 0.3, dimes: 100 });
});

it("values such as 1/3 in one group do not affect exact decimals in another", async () => {
  const found = await sums([
    ["thirds", 1 / 3],
    ["thirds", 1 / 3],
    ["thirds", 1 / 3],
    ["money", 0.1],
    ["money", 0.2],
  ]);
  expect(found).toEqual({ thirds: 1, money: 0.3 });
});

it("totals beyond 2^53 millionths stay exact", async () => {
  const large = Number.MAX_SAFE_INTEGER / 1e6 - 1;
  const scaled = Math.floor(large);
  const rows = Array.from({ length: 64 }, (): [string, number] => ["sum", scaled]);
  expect(await sums([...rows, ["sum", 0.25]])).toEqual({ sum: scaled * 64 + 0.25 });
});

it("the sum of no values is null", async () => {
  expect(await sums([["none", null]])).toEqual({ none: null });
});
