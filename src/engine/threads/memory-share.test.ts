// How a memory limit is divided.
import { expect, test } from "vitest";
import { memoryShare, parseMemory } from "./memory-share.ts";

test("O-09 a limit is divided so that everything kept in memory fits within it", () => {
  for (const text of ["192M", "256M", "1G", "8G"]) {
    const cap = parseMemory(text)!;
    const { columnsBudgetBytes, searchBudgetBytes, cacheMegabytes } = memoryShare(cap);
    expect(
      columnsBudgetBytes! + searchBudgetBytes! + (cacheMegabytes.writer + 4 * cacheMegabytes.reader) * 2 ** 20,
    ).toBeLessThan(cap);
  }
  expect(memoryShare(undefined).columnsBudgetBytes).toBeUndefined();
});

test("O-09 sizes are parsed as people write them", () => {
  expect(["256M", "1g", "2 GiB", "12", "x", "-1M"].map(parseMemory)).toEqual([
    256 * 2 ** 20,
    2 ** 30,
    2 ** 31,
    undefined,
    undefined,
    undefined,
  ]);
});
