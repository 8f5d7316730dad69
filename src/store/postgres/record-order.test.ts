// Order values encoded as text sort by bytes in the order of the values, and can be decoded.
import fc from "fast-check";
import { expect, it } from "vitest";
import { GREATEST_ORDER, orderFrom, orderText } from "./record-order.ts";

const numbers = fc.double({ noNaN: true });
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

it("P-07 encoded numbers sort like numbers and can be decoded", () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      expect(Math.sign(byBytes(orderText(a), orderText(b)))).toBe(Math.sign(a < b ? -1 : a > b ? 1 : 0));
      expect(orderFrom(orderText(a))).toBe(a === 0 ? 0 : a);
    }),
  );
});

it("P-07 numbers sort before strings, and every value sorts before the end mark", () => {
  fc.assert(
    fc.property(numbers, fc.string(), (number, text) => {
      expect(byBytes(orderText(number), orderText(text))).toBe(-1);
      expect(byBytes(orderText(text), GREATEST_ORDER)).toBe(-1);
    }),
  );
});
