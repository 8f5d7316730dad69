// Data in results has no hidden characters, wherever they are in a value.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonValue } from "../../contract/record.ts";
import { plainText } from "../../core/unsafe-characters.ts";
import { plainData } from "./plain.ts";

/** Half of the texts contain characters that must be made visible. */
const text = fc.oneof(fc.string(), fc.constantFrom("__proto__", "a\u202eb", "\u200b", "\u0000", "tag\u{e0041}"));
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));

function naive(one: JsonValue): JsonValue {
  if (typeof one === "string") return plainText(one);
  if (Array.isArray(one)) return one.map(naive);
  if (one === null || typeof one !== "object") return one;
  return Object.fromEntries(Object.entries(one).map(([name, inner]) => [plainText(name), naive(inner)]));
}

it("makes every name and text of a value safe, and does not change the value itself", () => {
  fc.assert(
    fc.property(value, (one) => {
      const before = JSON.stringify(one);
      expect(JSON.stringify(plainData(one))).toBe(JSON.stringify(naive(one)));
      expect(JSON.stringify(one)).toBe(before);
    }),
    { numRuns: 1000 },
  );
});
