// A Scope with a few documents among many. Postings without visible documents are skipped, which does not affect the
// results.
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseQuery } from "../../../core/search/parse-query.ts";
import { compileScope } from "./scope.ts";
import type { SearchShape } from "./types.ts";
import { visibleRuns } from "./visible-runs.ts";
import { World, withoutVersion } from "./world.fixture.ts";

const STREAMS = 30;
const SHAPE: SearchShape = {
  fields: [
    { name: "title", weight: 2 },
    { name: "body", weight: 1 },
  ],
};
const QUERIES = [
  "alpha",
  "beta",
  "alpha beta",
  '"alpha beta"',
  "al*",
  "alpha -beta",
  "title:alpha",
  "omega",
  "body:be*",
];

it("P-02 a narrow Scope finds, counts and scores as if no other documents existed", async () => {
  await fc.assert(
    fc.asyncProperty(
      // How many documents of one stream arrive together: one at a time is the worst case, and many is the usual one.
      fc.constantFrom(1, 3, 40, 150),
      fc.uniqueArray(fc.integer({ min: 1, max: STREAMS }), { minLength: 1, maxLength: 3 }),
      fc.integer(),
      async (together, seen, seed) => {
        const world = new World();
        const only = new World();
        for (let stream = 1; stream <= STREAMS; stream++)
          for (const each of [world, only]) each.shapes.set(stream, SHAPE);
        let state = seed | 1;
        const chance = (share: number): boolean => {
          state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
          return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32 < share;
        };
        const words = (): string =>
          ["alpha", "beta", "alpha", "gamma", "beta", "album"]
            .filter((word) => chance(word === "gamma" ? 0.2 : 0.5))
            .join(" ");
        for (let number = 0; number < 1500; number++) {
          const stream = 1 + (Math.floor(number / together) % STREAMS);
          const data = { title: words(), body: words() };
          // Some are written again, so that there are dead documents between live ones.
          const id = `r${chance(0.1) ? Math.max(0, number - STREAMS * together) : number}`;
          world.put(stream, id, data);
        }
        for (const { streamNo, id, data } of world.live()) if (seen.includes(streamNo)) only.put(streamNo, id, data);
        const scope = compileScope(seen.map((streamNo) => ({ streamNo, key: `k${streamNo}`, fields: null })));
        const [index, alone] = [world.index(), only.index()];
        for (const typed of QUERIES) {
          const request = {
            query: parseQuery(typed, new Set(["title", "body"])),
            scope,
            limit: 20,
            order: "relevance",
          } as const;
          const [one, other] = [await index.search(request, world.version), await alone.search(request, only.version)];
          const plain = (answer: typeof one) => ({
            ...answer,
            hits: answer.hits.map(withoutVersion),
          });
          expect(plain(one), typed).toEqual(plain(other));
        }
      },
    ),
    { numRuns: 40 },
  );
});

it("a Scope of one stream in thirty is narrow, but one stream in ten is not, and small gaps are not skipped", () => {
  const streamOf = Uint16Array.from({ length: 3000 }, (_, document) => Math.floor(document / 20) % STREAMS);
  const showing = (streams: number) => Uint8Array.from({ length: STREAMS }, (_, stream) => (stream < streams ? 1 : 0));
  const runs = visibleRuns({ documents: 3000, streamOf }, showing(1));
  expect(runs?.slice(0, 4)).toEqual(Uint32Array.of(0, 20, 600, 620));
  expect(visibleRuns({ documents: 3000, streamOf }, showing(10))).toBeUndefined();
  expect(visibleRuns({ documents: 3000, streamOf }, showing(STREAMS))).toBeUndefined();
  const odd = Uint16Array.from({ length: 3000 }, (_, document) => (document < 400 && document % 100 === 0 ? 0 : 1));
  expect(visibleRuns({ documents: 3000, streamOf: odd }, Uint8Array.of(1, 0))).toEqual(Uint32Array.of(0, 301));
});
