// vector search finds the same records as an exhaustive comparison, survives a restart, and loses only damaged or
// deleted vectors.
import { expect, it } from "vitest";
import { EVERY_RECORD } from "../../../../core/search/query.ts";
import { compileScope } from "../scope.ts";
import { World } from "../world.fixture.ts";
import { distanceTo, signsOf, unitVector } from "./quantise.ts";
import { Vectors } from "./vectors.ts";

const DIMENSIONS = 96;
const PLACE = { field: "text", start: 0, end: 4 };

/** Pseudorandom numbers, the same in every run. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Vectors around a few centres, like those of real texts. */
function vectorsAround(centres: number, count: number, random: () => number): Float32Array[] {
  const one = () => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const middles = Array.from({ length: centres }, one);
  return Array.from({ length: count }, () => {
    const middle = middles[Math.floor(random() * centres)]!;
    return one().map((value, at) => middle[at]! + 0.6 * value);
  });
}

function cosine(one: Float32Array, other: Float32Array): number {
  const [a, b] = [unitVector(one), unitVector(other)];
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

it("R-06 finds the same nearest records within the scope as a comparison of all vectors", async () => {
  const world = new World();
  world.shapes.set(1, { fields: [{ name: "text", weight: 1 }] });
  world.shapes.set(2, { fields: [{ name: "text", weight: 1 }] });
  const random = randomly(7);
  const all = vectorsAround(40, 3000, random);
  for (const at of all.keys()) world.put(1 + (at % 2), `r${at}`, { text: "word" });
  const index = world.index();
  const vectors = new Vectors(new World());
  await vectors.use("m");
  await vectors.add(
    all.map((vector, at) => ({ version: at + 1, passages: [{ ...PLACE, vector }] })),
    DIMENSIONS,
    all.length,
  );
  const scope = compileScope([{ streamNo: 1, key: "a", fields: null }]);
  let right = 0;
  for (let asked = 0; asked < 20; asked++) {
    // A vector close to one of the texts, as a question's would be.
    const query = all[asked * 149]!.map((value) => value + 0.3 * (random() - 0.5));
    const request = { query: EVERY_RECORD, scope, limit: 10, order: "relevance" as const };
    const { hits, total } = await index.search(request, world.version, { vectors, vector: query, only: true });
    const exact = [...all.keys()]
      .filter((at) => at % 2 === 0)
      .map((at) => ({ id: `r${at}`, similarity: cosine(all[at]!, query) }))
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, 10)
      .map(({ id }) => id);
    expect(hits.every(({ streamNo }) => streamNo === 1)).toBe(true);
    expect(total).toBe(30);
    right += hits.filter(({ id }) => exact.includes(id)).length;
  }
  expect(right / 200).toBeGreaterThan(0.95);
});

it("R-06 vectors survive a restart, but those in damaged chunks and from other models are computed again", async () => {
  const store = new World();
  const random = randomly(3);
  const records = vectorsAround(3, 3000, random).map((vector, at) => ({
    version: at + 1,
    passages: [{ ...PLACE, vector }],
  }));
  const first = new Vectors(store);
  await first.use("m");
  await first.add(records.slice(0, 2500), DIMENSIONS, 2500);
  await first.save();
  await first.add(records.slice(2500), DIMENSIONS, 3000);
  await first.remove(7);
  await first.save();
  const again = new Vectors(store);
  await again.use("m");
  expect([again.passages, again.through, again.table!.size]).toEqual([2999, 3000, 3000]);
  expect(again.has(300, [PLACE])).toBe(true);
  expect(again.has(300, [{ ...PLACE, end: 5 }])).toBe(false);
  expect(again.has(7, [PLACE])).toBe(false);
  const rows = [0, 1500, 2999];
  const query = unitVector(records[0]!.passages[0]!.vector);
  const similar = await again.similarities(rows, query);
  for (const [index, row] of rows.entries())
    expect(similar[index]).toBeCloseTo(cosine(records[row]!.passages[0]!.vector, query), 1);
  // The bytes of a chunk changed, so its records have no vectors, and the walk starts again.
  const [head] = [...store.blobs.keys()].filter((name) => name.endsWith(".head"));
  store.blobs.get(head!)![40]! ^= 1;
  const damaged = new Vectors(store);
  await damaged.use("m");
  expect(damaged.through).toBe(0);
  expect(damaged.passages).toBeLessThan(2999);
  expect(damaged.passages).toBeGreaterThan(1900);
  await damaged.use("another model");
  expect([damaged.passages, damaged.through]).toEqual([0, 0]);
  await damaged.add(records.slice(0, 1), DIMENSIONS, 1);
  await damaged.save();
  expect(store.blobs.size).toBe(33);
  await damaged.forget();
  expect(store.blobs.size).toBe(0);
});

it("R-06 vectors of deleted records are removed from memory and from the store", async () => {
  const store = new World();
  const vectors = new Vectors(store);
  await vectors.use("m");
  const records = vectorsAround(3, 200, randomly(5)).map((vector, at) => ({
    version: at + 1,
    passages: [
      { ...PLACE, vector },
      { ...PLACE, start: 5, end: 9, vector },
    ],
  }));
  await vectors.add(records, DIMENSIONS, 200);
  await vectors.save();
  const before = Buffer.concat([...store.blobs.values()]).length;
  expect(await vectors.sweep((version) => version % 2 === 0)).toBe(100);
  await vectors.save();
  expect(vectors.passages).toBe(200);
  expect(Buffer.concat([...store.blobs.values()]).length).toBe(before);
  const again = new Vectors(store);
  await again.use("m");
  expect([again.has(1, [PLACE]), again.table!.rowOf(3), again.table!.rowOf(4)]).toEqual([false, -1, 6]);
});

it("R-06 the distance between codes is the number of differing signs, whatever their length", () => {
  const random = randomly(11);
  for (const dimensions of [1, 31, 32, 96, 384, 1000, 1536, 3072]) {
    const [one, other] = [0, 1].map(() => Float32Array.from({ length: dimensions }, () => random() - 0.5)) as [
      Float32Array,
      Float32Array,
    ];
    const differing = one.filter((value, at) => value > 0 !== other[at]! > 0).length;
    const codes = Uint32Array.of(7, ...signsOf(other));
    expect(distanceTo(signsOf(one), codes, 1)).toBe(differing);
    expect(distanceTo(signsOf(one), signsOf(one.map((value) => -value)), 0)).toBe(dimensions);
  }
});

it("R-06 deletion also drops vectors that have not been saved yet", async () => {
  const store = new World();
  const vectors = new Vectors(store);
  await vectors.use("m");
  vectors.begin();
  await vectors.add(
    [{ version: 1, passages: [{ ...PLACE, vector: new Float32Array(DIMENSIONS).fill(1) }] }],
    DIMENSIONS,
    1,
  );
  await vectors.forget();
  await vectors.save();
  expect(store.manifest).toBeUndefined();
  await vectors.use("m");
  expect([vectors.passages, vectors.through, vectors.isBegun]).toEqual([0, 0, false]);
});
