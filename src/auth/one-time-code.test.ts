// One-time codes: all different, safe in a link, and matched only by their own hash.
import { expect, it } from "vitest";
import { isOneTimeCode, newOneTimeCode, oneTimeCodeHash } from "./one-time-code.ts";

it("SECURITY row 8: codes are long, unique and safe in a URL", () => {
  const codes = Array.from({ length: 1000 }, newOneTimeCode);
  expect(new Set(codes).size).toBe(1000);
  expect(codes.filter((code) => !/^[A-Za-z0-9_-]{32}$/.test(code))).toEqual([]);
});

it("SECURITY row 8: a code matches only its own hash", () => {
  const code = newOneTimeCode();
  const stored = oneTimeCodeHash(code);
  expect(stored).not.toContain(code);
  expect(isOneTimeCode(code, stored)).toBe(true);
  for (const other of [newOneTimeCode(), "", stored, code.slice(1), `${code} `])
    expect(isOneTimeCode(other, stored)).toBe(false);
  expect(isOneTimeCode(code, "")).toBe(false);
});
