// Sums are exact, and the same in any order.
import fc from "fast-check";
import { expect, it } from "vitest";
import { addExact, emptySum, exactValue } from "./exact-sum.ts";

function sumOf(values: readonly number[]): number | null {
  const sum = emptySum();
  for (const value of values) addExact(sum, value);
  return exactValue(sum);
}

/** The sum in units of 2^-1074, computed with big integers. */
function viaBigIntegers(values: readonly number[]): number | null {
  const sum = { partials: [], big: 0n };
  for (const value of values) addExact(sum, value);
  return exactValue(sum);
}

it("rounds once", () => {
  expect(sumOf([1e100, 1, -1e100])).toBe(1);
  expect(sumOf([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52);
  expect(sumOf([1e16, 1, 1])).toBe(10000000000000002);
  expect(sumOf([])).toBe(0);
});

it("may exceed the range of doubles and return to it", () => {
  expect(sumOf([1e308, 1e308, -1e308])).toBe(1e308);
  expect(sumOf([1e308, 1e308, -1e308, -1e308, 5e-324])).toBe(5e-324);
  expect(sumOf([1.7e308, 1.7e308])).toBe(Number.POSITIVE_INFINITY);
});

it("is not a number for infinities of both signs", () => {
  expect(sumOf([Number.POSITIVE_INFINITY, 1])).toBe(Number.POSITIVE_INFINITY);
  expect(sumOf([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBe(null);
});

it("is the same in any order, with partial sums or big integers", () => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 30 });
  fc.assert(
    fc.property(values, (list) => {
      const expected = viaBigIntegers(list);
      expect(sumOf(list)).toBe(expected);
      expect(sumOf(list.toReversed())).toBe(expected);
      expect(sumOf(list.toSorted((a, b) => a - b))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
