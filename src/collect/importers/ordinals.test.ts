// Equal items are numbered as in a plain list, and a million items need little memory.
import fc from "fast-check";
import { expect, it } from "vitest";
import { ordinals } from "./ordinals.ts";

it("numbers equal texts 0, 1, 2, whatever is between them", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 500 }), (texts) => {
      const ordinal = ordinals();
      const counts = new Map<string, number>();
      for (const text of texts) {
        const before = counts.get(text) ?? 0;
        expect(ordinal(text)).toBe(before);
        counts.set(text, before + 1);
      }
    }),
  );
});

it("distinguishes two hundred thousand similar texts", () => {
  const ordinal = ordinals();
  const numbered = (round: number): number =>
    Array.from({ length: 200_000 }, (_, n) => ordinal(`row ${n}`)).filter((found) => found === round).length;
  expect([numbered(0), numbered(1)]).toEqual([200_000, 200_000]);
});

it("stores a limited number of texts: beyond the limit, new texts always get number 0, and stored texts are still numbered", () => {
  const ordinal = ordinals(100);
  for (let n = 0; n < 100; n++) ordinal(`row ${n}`);
  expect([ordinal("new"), ordinal("new"), ordinal("row 7")]).toEqual([0, 0, 1]);
});
