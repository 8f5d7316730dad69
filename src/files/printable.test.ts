// Printed names are safe to display and can be parsed back.
import fc from "fast-check";
import { expect, it } from "vitest";
import { isPlain, printable, unprintable } from "./printable.ts";

it("S-13 every name prints on one line without invisible characters, and parses back to the same bytes", () => {
  const texts = fc.string({ unit: "binary" }).map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), texts), (bytes) => {
      const text = printable(bytes);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(unprintable(text).equals(bytes)).toBe(true);
      if (isPlain(bytes, text)) expect(Buffer.from(text).equals(bytes)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ["plain.txt", "plain.txt"],
  ["Übergröße 文書.pdf", "Übergröße 文書.pdf"],
  ["a\nb", "a\\x0ab"],
  ["a\\b", "a\\\\b"],
  ["\u202efdp.exe", "\\xe2\\x80\\xaefdp.exe"],
  [Buffer.from([0x66, 0xff, 0xc3, 0xa9]), "f\\xffé"],
])("%j prints as %j", (name, printed) => {
  expect(printable(Buffer.from(name))).toBe(printed);
});
