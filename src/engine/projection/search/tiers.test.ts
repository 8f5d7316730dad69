// Tests which segments are merged: several of one size, or one that is mostly dead, but never beyond the limits.
import { expect, it } from "vitest";
import { INDEX } from "./limits.ts";
import { chooseMerge } from "./tiers.ts";

const segment = (live: number, documents = live, bytes = live * 100) => ({ live, documents, bytes });

it("waits until a tier is full", () => {
  expect(chooseMerge(Array.from({ length: INDEX.tier - 1 }, () => segment(1)))).toEqual([]);
  expect(chooseMerge(Array.from({ length: INDEX.tier }, () => segment(1)))).toHaveLength(INDEX.tier);
});

it("rewrites a segment that is mostly dead", () => {
  const dying = segment(100, 1000);
  expect(chooseMerge([segment(5000), dying])).toEqual([dying]);
});

it("respects the limits of a segment and of a quick merge", () => {
  const large = Array.from({ length: 9 }, () => segment(20_000));
  expect(chooseMerge(large)).toHaveLength(3);
  expect(chooseMerge(large, INDEX.quickMerge)).toEqual([]);
  expect(chooseMerge(Array.from({ length: 9 }, () => segment(20_000, 20_000, INDEX.segmentBytes)))).toEqual([]);
  expect(chooseMerge(Array.from({ length: 20 }, () => segment(INDEX.segmentDocuments)))).toEqual([]);
});

it("a home that grows one record at a time has few segments", () => {
  let segments: ReturnType<typeof segment>[] = [];
  for (let number = 0; number < 20_000; number++) {
    segments.push(segment(1));
    for (let chosen = chooseMerge(segments); chosen.length > 0; chosen = chooseMerge(segments)) {
      segments = segments.filter((one) => !chosen.includes(one));
      segments.push(segment(chosen.reduce((sum, one) => sum + one.live, 0)));
    }
  }
  expect(segments.length).toBeLessThan(INDEX.tier * 6);
});
