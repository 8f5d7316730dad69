// Sorting rows by keys: numbers of any size and sign, nulls first, and equal keys in their original order.
import fc from "fast-check";
import { expect, it } from "vitest";
import { orderByKey } from "./radix-sort.ts";

it("sorts numbers stably, null first", () => {
  const number = fc.oneof(fc.double(), fc.constantFrom(1, 2, 3, Number.NaN)).map((value) => value + 0);
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200 }), (values) => {
      const rows = Uint32Array.from(values, (_, row) => row);
      const rank = (value: number) => (Number.isNaN(value) ? 0 : 1);
      const expected = Array.from(rows).sort((a, b) => {
        const [x, y] = [values[a]!, values[b]!];
        return rank(x) - rank(y) || (x < y ? -1 : x > y ? 1 : a - b);
      });
      expect(Array.from(orderByKey(Float64Array.from(values), rows))).toEqual(expected);
    }),
  );
});

it("sorts codes stably", () => {
  const order = orderByKey(Uint8Array.of(2, 0, 1, 2, 0), Uint32Array.of(4, 3, 2, 1, 0));
  expect(Array.from(order)).toEqual([4, 1, 2, 3, 0]);
});
