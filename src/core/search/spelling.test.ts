// Edit distances between words.
import { expect, it } from "vitest";
import { distanceWithin, letters } from "./spelling.ts";

it.each([
  ["invoice", "invoice", 0],
  ["invoice", "invoce", 1],
  ["invoice", "invioce", 1],
  ["invoice", "nvoices", 2],
  ["invoice", "envelope", 3],
  ["東京都", "東都", 1],
])("%s and %s have an edit distance of %i", (one, other, distance) => {
  expect(distanceWithin(letters(one), letters(other), 2)).toBe(distance);
  expect(distanceWithin(letters(other), letters(one), 2)).toBe(distance);
});
