// The JSON scan finds every number that a double would alter, and does not mistake digests for such numbers.
import fc from "fast-check";
import { expect, it } from "vitest";
import { scanJson } from "./json-depth.ts";

const isLong = (text: string): boolean => scanJson(text).hasLongNumber;

/** True if the number is not finite, or is an integer that changes when it is parsed and printed. */
const isAltered = (number: string): boolean => {
  const value = Number(number);
  return !Number.isFinite(value) || (/^-?\d+$/.test(number) && BigInt(number) !== BigInt(value));
};

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^(?:0|[1-9][0-9]{0,${maxLength}})$`));
const jsonNumber = fc
  .record({
    sign: fc.constantFrom("", "-"),
    whole: digits(25),
    fraction: fc.option(fc.stringMatching(/^[0-9]{1,20}$/), { nil: undefined }),
    exponent: fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "E+", "e-"), fc.stringMatching(/^[0-9]{1,4}$/)), {
      nil: undefined,
    }),
  })
  .map(({ sign, whole, fraction, exponent }) =>
    [sign, whole, fraction === undefined ? "" : `.${fraction}`, ...(exponent ?? [])].join(""),
  );

it("P-01 finds every number that a double would alter, at any position", () => {
  const places = [
    (n: string) => n,
    (n: string) => `[${n}]`,
    (n: string) => `{"a": ${n},"b":"x"}`,
    (n: string) => `[1, ${n}]`,
  ];
  fc.assert(
    fc.property(jsonNumber, fc.constantFrom(...places), (number, place) => {
      if (isAltered(number)) expect(isLong(place(number))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it.each(["9007199254740993", "-9007199254740993", "1e400", "1E+400", "12.5e309", "1e0309", `1${"0".repeat(400)}`])(
  "P-01 finds the number %s",
  (number) => {
    expect([isLong(number), isLong(`{"a":[true,${number}]}`)]).toEqual([true, true]);
  },
);

it.each([
  '{"digest":"sha256:9e123456789012345678901234567890e999"}',
  '{"id":"12345678901234567890","text":"call 1234567890123456, or 1e999"}',
  '{"quote":"\\"12345678901234567890","back":"\\\\"}',
  '[true,false,1e22,-1.5e-400,123456789012345,0.123456789012345,"e1234"]',
])("finds no long number in %s", (text) => {
  JSON.parse(text);
  expect(isLong(text)).toBe(false);
});

it("counts how deeply brackets are nested outside strings", () => {
  expect(scanJson('{"a":[[1],"]]]","\\"[["]}').depth).toBe(3);
  expect(scanJson("7").depth).toBe(0);
});
