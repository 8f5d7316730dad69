// P-01: instants and days are parsed strictly and exactly, and formatted back.
import fc from "fast-check";
import { expect, it } from "vitest";
import { formatDay, formatInstant, parseDay, parseInstant } from "./instant.ts";

it("P-01 every instant that can be formatted can be parsed back", () => {
  const range = { min: Date.UTC(0, 0), max: Date.UTC(9999, 11, 31) };
  fc.assert(
    fc.property(fc.integer(range), fc.integer({ min: -14 * 60, max: 14 * 60 }), (milliseconds, offset) => {
      expect(parseInstant(formatInstant(milliseconds))).toBe(milliseconds);
      const local = formatInstant(milliseconds + offset * 60_000);
      fc.pre(local.length === 24);
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
        String(part).padStart(2, "0"),
      );
      expect(parseInstant(local.replace("Z", `${offset < 0 ? "-" : "+"}${hours}:${minutes}`))).toBe(milliseconds);
      expect(parseDay(formatDay(milliseconds))).toBe(Math.floor(milliseconds / 86_400_000) * 86_400_000);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  "2024-01-01",
  "2024-01-01T00:00:00",
  "2024-1-1T00:00:00Z",
  "2023-02-29T00:00:00Z",
  "2024-13-01T00:00:00Z",
  "2024-00-10T00:00:00Z",
  "2024-01-32T00:00:00Z",
  "2024-01-01T24:00:00Z",
  "2024-01-01T00:60:00Z",
  "2024-01-01T00:00:61Z",
  "2024-01-01T00:00:00+24:00",
  "2024-01-01T00:00:00+1:00",
  "+2024-01-01T00:00:00Z",
  "２０２４-01-01T00:00:00Z",
  "2024-01-01T00:00:00Z ",
  "",
  "now",
])("P-01 %j is refused as an instant", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

it.each(["2023-02-29", "2024-1-1", "2024-01-01T00:00:00Z", "20240101", ""])("P-01 %j is refused as a day", (text) => {
  expect(parseDay(text)).toBeUndefined();
});

it("P-01 leap days, leap seconds, fractions and the first century are exact", () => {
  expect(parseDay("2024-02-29")).toBe(Date.UTC(2024, 1, 29));
  expect(parseDay("1900-02-29")).toBeUndefined();
  expect(parseInstant("2016-12-31T23:59:60Z")).toBe(Date.UTC(2017, 0, 1));
  expect(parseInstant("2024-01-01t00:00:00.0625z")).toBe(Date.UTC(2024, 0, 1) + 62.5);
  expect(formatDay(parseDay("0050-03-01")!)).toBe("0050-03-01");
});
