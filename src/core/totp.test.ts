// One-time passwords, checked against the test vectors in their RFCs.
import { describe, expect, it } from "vitest";
import { base32, fromBase32, oneTimePassword, stepOf } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");
/** RFC 6238, appendix B, rows for SHA-1. */
const VECTORS: [seconds: number, code: string][] = [
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
];

describe("V-13 one-time passwords", () => {
  it("V-13 match RFC 6238", () => {
    for (const [seconds, code] of VECTORS) {
      expect(oneTimePassword(secret, Math.floor(seconds / 30), 8)).toBe(code);
      expect(oneTimePassword(secret, Math.floor(seconds / 30))).toBe(code.slice(2));
    }
  });

  it("V-13 are valid during their own step and one step before and after it, and only once", () => {
    const at = 1111111109_000;
    const step = Math.floor(at / 30_000);
    expect(stepOf(secret, "081804", at, 0)).toBe(step);
    expect(stepOf(secret, "081804", at + 30_000, 0)).toBe(step);
    expect(stepOf(secret, "081804", at - 30_000, 0)).toBe(step);
    expect(stepOf(secret, "081804", at + 61_000, 0)).toBeUndefined();
    expect(stepOf(secret, "081804", at, step)).toBeUndefined();
    for (const wrong of ["081805", "", "08180", "0818040", "abcdef"])
      expect(stepOf(secret, wrong, at, 0)).toBeUndefined();
  });

  it("V-13 have secrets in RFC 4648 format, which can be parsed even with spaces", () => {
    for (const [text, written] of [
      ["f", "MY"],
      ["fo", "MZXQ"],
      ["foo", "MZXW6"],
      ["foob", "MZXW6YQ"],
      ["fooba", "MZXW6YTB"],
      ["foobar", "MZXW6YTBOI"],
    ] as const) {
      expect(base32(Buffer.from(text))).toBe(written);
      expect(Buffer.from(fromBase32(written.toLowerCase().replace(/(..)/g, "$1 "))!).toString()).toBe(text);
    }
    expect(fromBase32("not base 32!")).toBeUndefined();
  });
});
