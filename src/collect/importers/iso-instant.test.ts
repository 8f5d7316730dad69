// Every code path returns an instant as Date would print it, or undefined.
import fc from "fast-check";
import { expect, it } from "vitest";
import { isoInstant } from "./iso-instant.ts";

function slow(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < 0 || time.getUTCFullYear() > 9999
    ? undefined
    : time.toISOString();
}

it("agrees with Date on every instant, and on strings that are almost instants", () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
  const near = fc
    .tuple(
      fc.oneof(digits(4), fc.constantFrom("0000", "0099", "2024")),
      fc.oneof(digits(2), fc.constantFrom("01", "02", "12")),
      fc.oneof(digits(2), fc.constantFrom("01", "29", "30", "31")),
      fc.constantFrom("T", "t", " "),
      fc.oneof(digits(2), fc.constantFrom("00", "23", "24")),
      fc.oneof(digits(2), fc.constantFrom("00", "59")),
      fc.oneof(digits(2), fc.constantFrom("00", "59", "60")),
      fc.constantFrom("", ".5", ".123", ".1239", ".570"),
      fc.constantFrom("Z", "z", "+02:00", "-00:30", ""),
    )
    .map(([year, month, day, t, hour, minute, second, fraction, zone]) =>
      [year, "-", month, "-", day, t, hour, ":", minute, ":", second, fraction, zone].join(""),
    );
  const whole = fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString());
  fc.assert(
    fc.property(fc.oneof(near, whole), (text) => {
      expect(isoInstant(text)).toBe(slow(text));
    }),
    { numRuns: 5000 },
  );
});
