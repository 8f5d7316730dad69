// Finding a stem among sorted hashes gives the same range as a scan, whether the hashes are spread evenly or not.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type SearchSegment, stemRange } from "./segment.ts";

const anywhere = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const crowded = fc.oneof(
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: 2 ** 32 - 50, max: 2 ** 32 - 1 }),
  fc.constant(2 ** 31),
);

it("finds the first and last entry of a hash", () => {
  fc.assert(
    fc.property(
      fc.oneof(...[anywhere, crowded].map((hash) => fc.array(hash, { maxLength: 2000, size: "max" }))),
      fc.oneof(anywhere, crowded),
      (hashes, other) => {
        const stemHashes = Uint32Array.from(hashes).sort();
        for (const hash of [other, ...hashes.slice(0, 20)]) {
          const from = stemHashes.findIndex((one) => one >= hash);
          const start = from < 0 ? stemHashes.length : from;
          const count = stemHashes.filter((one) => one === hash).length;
          expect(stemRange({ stemHashes } as SearchSegment, hash)).toEqual({ from: start, to: start + count });
        }
      },
    ),
  );
});
