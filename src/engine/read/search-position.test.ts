// C-05: search cursors are short, and cursors from another ranking are refused.
import { expect, it } from "vitest";
import type { SearchPosition } from "../projection/search/types.ts";
import { positionOf, sealedPosition } from "./search-position.ts";

const POSITION: SearchPosition = {
  relaxation: "none",
  feedback: { weights: [700, 912], related: [["lease", 120]] },
  statistics: { units: 12, words: 345, titles: 5, titleWords: 20, matching: [6, 7, 3] },
  score: 8.25,
  time: null,
  key: "17",
  id: "m-1",
};

it("C-05 a position is decoded unchanged, and is shorter than with field names", () => {
  const sealed = sealedPosition(POSITION);
  expect(positionOf(sealed)).toEqual(POSITION);
  expect(JSON.stringify(sealed).length).toBeLessThan(JSON.stringify(POSITION).length / 2);
});

it("C-05 a cursor from an earlier ranking is refused, because its position has no meaning in this order", () => {
  const earlier = ["none", 12, 345, [6, 7], 8.25, null, "17", "m-1"];
  for (const sealed of [earlier, JSON.parse(JSON.stringify(POSITION))])
    expect(() => positionOf(sealed)).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
});
