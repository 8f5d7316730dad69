// The order of strings is the order of their UTF-8 bytes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { compareCodePoints, sortByCodePoints } from "./code-point-order.ts";
import { compareAt, tableOf } from "./string-table.ts";
import { orderByText } from "./text-order.ts";

const text = fc.string({ unit: "binary", maxLength: 20 });
const bytewise = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));

it("sorts supplementary characters after the rest of the basic plane", () => {
  expect(sortByCodePoints(["\u{1f600}", "\uffee", "a"])).toEqual(["a", "\uffee", "\u{1f600}"]);
});

it("agrees with the byte order", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const table = tableOf([a, b]);
      expect(Math.sign(compareCodePoints(a, b))).toBe(bytewise(a, b));
      expect(Math.sign(compareAt(table, 0, table, 1))).toBe(bytewise(a, b));
    }),
  );
});

it("sorts many strings, with shared prefixes and zero bytes at the end", () => {
  const part = fc.constantFrom("common prefix ", "a", "\0", "bcdefghijk", "\u{1f600}", "é");
  const texts = fc.array(
    fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")),
    {
      minLength: 65,
      maxLength: 400,
      size: "max",
    },
  );
  fc.assert(
    fc.property(texts, (list) => {
      const found = Array.from(orderByText(tableOf(list)), (row) => list[row]);
      expect(found).toEqual(list.toSorted(bytewise));
    }),
    { numRuns: 50 },
  );
});
