// Tests which of several copies is kept: the newest, or the first among equals. A copy from a truncated file is kept
// only if no other file has one.
import { expect, test } from "vitest";
import { createKeptCopies } from "./kept-copy.ts";

function kept(...entries: { isWhole: boolean; rank: string }[]): number[] {
  const copies = createKeptCopies();
  for (const [index, { isWhole, rank }] of entries.entries()) {
    copies.note("a", rank, index, 0);
    copies.settle(isWhole);
  }
  return entries.flatMap((_, index) => (copies.isKept("a", index, 0) ? [index] : []));
}

test("P-05 the newest copy is kept, or the first if several are equal", () => {
  const [old, young] = [
    { isWhole: true, rank: "1" },
    { isWhole: true, rank: "2" },
  ];
  expect([kept(old, young), kept(young, old), kept(old, old)]).toEqual([[1], [0], [0]]);
});

test("P-05 a copy from a truncated file is kept only if there is no other", () => {
  const [whole, broken] = [
    { isWhole: true, rank: "1" },
    { isWhole: false, rank: "2" },
  ];
  expect([kept(whole, broken), kept(broken, whole), kept(broken)]).toEqual([[0], [1], [0]]);
});
