// Tests that treemap areas match shares, and that nothing overlaps or leaves the box, for any sizes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, fitted, squarified } from "./treemap.ts";

const BOX: Box = { x: 10, y: 20, width: 640, height: 400 };
const sizes = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 100 })), {
    maxLength: 60,
  })
  .map((list) => list.sort((one, other) => other - one));

describe("a treemap", () => {
  it("P-06 gives each item its share of the area, inside the box", () => {
    fc.assert(
      fc.property(sizes, (list) => {
        const boxes = squarified(list, BOX);
        expect(boxes).toHaveLength(list.length);
        const total = list.reduce((sum, size) => sum + size, 0);
        for (const [at, { x, y, width, height }] of boxes.entries()) {
          expect(width * height).toBeCloseTo(total === 0 ? 0 : (list[at]! / total) * BOX.width * BOX.height, 0);
          expect(x).toBeGreaterThanOrEqual(BOX.x - 1e-6);
          expect(y).toBeGreaterThanOrEqual(BOX.y - 1e-6);
          expect(x + width).toBeLessThanOrEqual(BOX.x + BOX.width + 0.5);
          expect(y + height).toBeLessThanOrEqual(BOX.y + BOX.height + 0.5);
        }
      }),
    );
  });

  it("P-06 draws no item over another", () => {
    fc.assert(
      fc.property(sizes, (list) => {
        const boxes = squarified(list, BOX);
        for (const [at, one] of boxes.entries()) {
          for (const other of boxes.slice(at + 1)) {
            const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
            const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
            expect(Math.max(0, across) * Math.max(0, down)).toBeLessThan(0.5);
          }
        }
      }),
    );
  });

  it("is as square as possible: equal sizes make a grid", () => {
    const boxes = squarified(Array(16).fill(1), { x: 0, y: 0, width: 400, height: 400 });
    for (const { width, height } of boxes) expect([Math.round(width), Math.round(height)]).toEqual([100, 100]);
  });

  it("shortens labels that do not fit, with an ellipsis, or omits them", () => {
    expect(fitted("photos", 100, 12)).toBe("photos");
    expect(fitted("a very long name of a folder", 100, 12)).toMatch(/^a very.*…$/);
    expect(fitted("a very long name", 14, 12)).toBeUndefined();
    expect(fitted("写真写真写真写真", 60, 12)).toBeUndefined();
  });
});
