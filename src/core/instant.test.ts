// Instants: strict RFC 3339, the fast path and the general one in agreement.
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDay, formatInstant, parseDay, parseInstant } from "./instant.ts";

test("reads what machines write as Date does", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0100-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
      (date) => {
        const text = date.toISOString();
        expect(parseInstant(text)).toBe(date.getTime());
        expect(parseInstant(text.replace("Z", "+00:00"))).toBe(date.getTime());
        expect(formatInstant(date.getTime())).toBe(text);
      },
    ),
  );
});

test.each([
  ["2024-05-31T09:00:00Z", "2024-05-31T09:00:00.000Z"],
  ["2024-05-31t09:00:00z", "2024-05-31T09:00:00.000Z"],
  ["2024-05-31 09:00:00+02:00", "2024-05-31T07:00:00.000Z"],
  ["2024-05-31T09:00:00.5-05:30", "2024-05-31T14:30:00.500Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
])("reads %s", (text, instant) => {
  expect(formatInstant(parseInstant(text)!)).toBe(instant);
});

test.each([
  "",
  "2024-05-31",
  "2024-05-31T09:00:00",
  "2024-02-30T09:00:00Z",
  "2023-02-29T09:00:00Z",
  "2024-13-01T09:00:00Z",
  "2024-00-01T09:00:00Z",
  "2024-05-31T24:00:00Z",
  "2024-05-31T09:60:00Z",
  "2024-05-31T09:00:61Z",
  "2024-05-31T09:00:00+24:00",
  "2024-5-31T09:00:00Z",
  "yesterday",
  "20240531T090000Z",
  "2024-05-3١T09:00:00Z",
])("refuses %j", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test("reads calendar dates, and only those that exist", () => {
  expect(formatDay(parseDay("2024-02-29")!)).toBe("2024-02-29");
  expect(formatDay(parseDay("0099-03-01")!)).toBe("0099-03-01");
  for (const text of ["2023-02-29", "2024-04-31", "2024-1-1", "2024-01-01T00:00:00Z"])
    expect(parseDay(text)).toBeUndefined();
});
