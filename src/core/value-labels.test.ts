// Values that look alike have different labels.
import { expect, it } from "vitest";
import { valueLabels } from "./value-labels.ts";

it("V-08 two different values never have the same label", () => {
  expect(valueLabels(["Family", "Family ", " Family", "Big  family", "Big family"])).toEqual([
    "Family",
    "Family␣",
    "␣Family",
    "Big ␣family",
    "Big family",
  ]);
  const alike = ["Caf\u00e9", "Cafe\u0301", "Fam\u200bily", "Family", "\u200b", "", "x".repeat(99), "x".repeat(98)];
  expect(new Set(valueLabels(alike)).size).toBe(alike.length);
  expect(valueLabels(alike).slice(0, 4)).toEqual(["Café", "Café (2)", "Family", "Family (2)"]);
});
