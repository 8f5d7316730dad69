// Tests that numbers in records are grouped for people and not rounded.
import { expect, test } from "vitest";
import { numberWords } from "./values.ts";

test("P-06 keeps every digit of a number in a record", () => {
  const numbers = [53.349805, -6.26031, 1_234_567.5, 0.1 + 0.2, 1e-7, 1e-300, 0, -1350, Number.MAX_SAFE_INTEGER];
  expect(numbers.map((number) => numberWords("value", number))).toEqual([
    "53.349805",
    "-6.26031",
    "1,234,567.5",
    "0.30000000000000004",
    "0.0000001",
    "1e-300",
    "0",
    "-1,350",
    "9,007,199,254,740,991",
  ]);
  expect(numberWords("release_year", 2024)).toBe("2024");
});
