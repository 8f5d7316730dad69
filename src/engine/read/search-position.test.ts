// C-05: cursors of search are short, and those from before an upgrade still work.
import { expect, it } from "vitest";
import type { SearchPosition } from "../projection/search/types.ts";
import { positionOf, sealedPosition } from "./search-position.ts";

const POSITION: SearchPosition = {
  relaxation: "none",
  statistics: { units: 12, words: 345, matching: [6, 7] },
  score: 8.25,
  time: null,
  key: "17",
  id: "m-1",
};

it("C-05 a position comes back as it was, and takes less room than with names", () => {
  const sealed = sealedPosition(POSITION);
  expect(positionOf(sealed)).toEqual(POSITION);
  expect(JSON.stringify(sealed).length).toBeLessThan(JSON.stringify(POSITION).length / 2);
});

it("C-05 L-06 a cursor from before the upgrade, with names, goes on where it stopped", () => {
  expect(positionOf(JSON.parse(JSON.stringify(POSITION)))).toEqual(POSITION);
});
