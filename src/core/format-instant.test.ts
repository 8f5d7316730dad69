// Instants are formatted exactly as Date formats them.
import fc from "fast-check";
import { expect, it } from "vitest";
import { formatInstant } from "./instant.ts";

it("formats every instant as Date does", () => {
  const instant = fc.oneof(
    fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
    fc.integer({ min: -1e6, max: 1e6 }),
    fc.double({ min: -1e13, max: 1e13, noNaN: true }),
  );
  fc.assert(
    fc.property(instant, (milliseconds) => {
      expect(formatInstant(milliseconds)).toBe(new Date(milliseconds).toISOString());
    }),
    { numRuns: 5000 },
  );
});

it("refuses values that are not instants", () => {
  expect(() => formatInstant(Number.NaN)).toThrow(RangeError);
  expect(() => formatInstant(8_640_000_000_000_001)).toThrow(RangeError);
});
