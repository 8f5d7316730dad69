// Compares the index with a simple implementation, for random histories, scopes and queries.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../core/search/parse-query.ts";
import { EVERY_RECORD } from "../../../core/search/query.ts";
import { change, type IndexChange, put, queryText, SHAPES, scope } from "./arbitraries.fixture.ts";
import { grouped, oracleSearch } from "./oracle.fixture.ts";
import { compileScope } from "./scope.ts";
import type { SearchIndex } from "./search-index.ts";
import type { SearchPosition, SearchScopeRow } from "./types.ts";
import { World, withoutVersion } from "./world.fixture.ts";

const LIMIT = 1000;
const FIELDS = new Set(["subject", "body", "secret", "text", "tags"]);

function newWorld(): World {
  const world = new World();
  for (const [streamNo, shape] of Object.entries(SHAPES)) world.shapes.set(Number(streamNo), shape);
  return world;
}

async function apply(world: World, index: SearchIndex, step: IndexChange, memory?: number): Promise<SearchIndex> {
  if (step.kind === "put") world.put(step.streamNo, step.id, step.data);
  else if (step.kind === "flush") await index.at(world.version).then(() => index.flush());
  else if (step.kind === "tidy") await index.tidy();
  else if (step.kind === "at") await index.at(world.version);
  else if (step.kind === "catchUp") await index.catchUp(world.version, 3);
  else return world.index(memory);
  return index;
}

function searchableFields(rows: readonly SearchScopeRow[]): Set<string> {
  return new Set([...FIELDS].filter((name) => rows.some((row) => row.fields === null || row.fields.has(name))));
}

async function expectSame(
  world: World,
  index: SearchIndex,
  typed: string,
  rows: SearchScopeRow[],
  order: "relevance" | "newest",
) {
  const query = parseQuery(typed, searchableFields(rows));
  const answer = await index.search(
    { query, scope: compileScope(rows), limit: LIMIT, order, months: true },
    world.version,
  );
  const expected = oracleSearch(world, query, rows, order);
  const shown =
    order === "relevance" ? grouped(expected.hits) : expected.hits.map(({ passage: _passage, ...hit }) => hit);
  expect(answer.hits.map(withoutVersion)).toEqual(shown);
  expect(answer.total).toBe(expected.hits.length);
  expect(answer.plan).toEqual(expected.plan);
  expect(answer.suggestions).toEqual(expected.suggestions);
  expect([...answer.perStream.values()].reduce((sum, count) => sum + count, 0)).toBe(expected.hits.length);
  for (const [streamNo, count] of answer.perStream)
    expect(count).toBe(expected.hits.filter((hit) => hit.streamNo === streamNo).length);
  const months = Object.groupBy(expected.hits, (hit) =>
    hit.time === undefined ? "" : new Date(hit.time).toISOString().slice(0, 7),
  );
  expect(Object.fromEntries(answer.perMonth!)).toEqual(
    Object.fromEntries(Object.entries(months).map(([month, hits]) => [month, hits!.length])),
  );
  return answer;
}

describe("search index", () => {
  it("P-02 gives the same hits, order, scores and counts as the simple implementation, after any history", async () => {
    const queries = fc.array(fc.tuple(queryText, scope, fc.constantFrom("relevance" as const, "newest" as const)), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 80, size: "max" }),
        queries,
        fc.constantFrom(undefined, 2000, 1),
        async (history, asked, memory) => {
          const world = newWorld();
          let index = world.index(memory);
          for (const step of history) index = await apply(world, index, step, memory);
          for (const [typed, rows, order] of asked) await expectSame(world, index, typed, rows, order);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("returns the same results if segments, bitmaps or the manifest are damaged or missing", async () => {
    const harm = fc.tuple(fc.nat(), fc.nat(), fc.boolean());
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 5, maxLength: 40 }),
        fc.array(put, { maxLength: 4 }),
        harm,
        queryText,
        scope,
        async (history, later, [which, where, gone], typed, rows) => {
          const world = newWorld();
          let index = world.index();
          for (const step of history) index = await apply(world, index, step);
          await index.at(world.version);
          await index.flush();
          const names = [...world.blobs.keys(), "manifest"];
          const name = names[which % names.length]!;
          const bytes = name === "manifest" ? world.manifest!.slice() : world.blobs.get(name)!.slice();
          bytes[where % bytes.length]! ^= 0x5a;
          if (name === "manifest") world.manifest = gone ? undefined : bytes;
          else if (gone) world.blobs.delete(name);
          else world.blobs.set(name, bytes);
          for (const step of later) await apply(world, index, step);
          const again = world.index();
          await expectSame(world, again, typed, rows, "relevance");
          await again.flush();
          await expectSame(world, world.index(), typed, rows, "relevance");
          expect([...world.blobs.keys()].length).toBeLessThanOrEqual(
            again.status.segments * 2 + (name === "manifest" ? names.length : 0),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it("reindexes a stream if its declaration changes, even across a restart", async () => {
    const world = newWorld();
    world.put(1, "a", { subject: "tax", body: "report", secret: "2024", sent_at: "2024-01-01T00:00:00Z" });
    world.put(2, "b", { text: "tax" });
    let index = world.index();
    const rows: SearchScopeRow[] = [1, 2, 3].map((streamNo) => ({ streamNo, key: `k${streamNo}`, fields: null }));
    await expectSame(world, index, "report", rows, "relevance");
    await index.flush();
    world.shapes.set(1, { fields: [{ name: "subject", weight: 1 }], timeField: "sent_at" });
    await expectSame(world, index, "report", rows, "relevance");
    await expectSame(world, index, "tax", rows, "relevance");
    index = world.index();
    await expectSame(world, index, "report", rows, "relevance");
    await index.flush();
    world.shapes.delete(1);
    index = world.index();
    await expectSame(world, index, "tax", rows, "relevance");
    world.shapes.set(1, SHAPES[1]!);
    await expectSame(world, index, "tax report 2024", rows, "relevance");
  });

  it("E-15 pages contain every hit once, in order, and unchanged records keep their position while others are added", async () => {
    const order = fc.constantFrom("relevance" as const, "newest" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(put, { minLength: 10, maxLength: 60 }),
        fc.array(put, { maxLength: 10 }),
        queryText,
        scope,
        order,
        fc.integer({ min: 1, max: 5 }),
        async (history, meanwhile, typed, rows, order, limit) => {
          const world = newWorld();
          const index = world.index();
          for (const step of history) await apply(world, index, step);
          const query = parseQuery(typed, searchableFields(rows));
          const compiled = compileScope(rows);
          const expected = oracleSearch(world, query, rows, order).hits.map((hit) => `${hit.streamNo}/${hit.id}`);
          const seen: string[] = [];
          const touched = new Set<string>();
          let position: SearchPosition | undefined;
          do {
            const answer = await index.search(
              { query, scope: compiled, limit, order, ...(position ? { position } : {}) },
              world.version,
            );
            for (const hit of answer.hits)
              seen.push(...[hit, ...(hit.repeats?.hits ?? [])].map(({ streamNo, id }) => `${streamNo}/${id}`));
            position = answer.next && (JSON.parse(JSON.stringify(answer.next)) as SearchPosition);
            const step = meanwhile.pop();
            if (step?.kind !== "put") continue;
            world.put(step.streamNo, step.id, step.data);
            touched.add(`${step.streamNo}/${step.id}`);
          } while (position && seen.length < 1000);
          // Among equal passages, a new record may be ahead of existing ones, but each is still seen once.
          const still = (list: string[]) => list.filter((name) => !touched.has(name)).toSorted();
          expect(still(seen)).toEqual(still(expected));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("reads only segments and the newest feed rows after a restart, including deletions", async () => {
    const world = newWorld();
    const rows: SearchScopeRow[] = [{ streamNo: 2, key: "k", fields: null }];
    const index = world.index();
    for (let number = 0; number < 100; number++) world.put(2, `r${number}`, { text: `tax ${number}` });
    await index.at(world.version);
    await index.flush();
    for (let number = 0; number < 20; number++) world.put(2, `r${number * 3}`, number % 2 ? null : { text: "report" });
    await index.at(world.version);
    await index.flush();
    const after = world.version;
    world.put(2, "r1", { text: "report" });
    const asked: number[] = [];
    const { changes } = world;
    world.changes = (from, ...rest) => {
      asked.push(from);
      return changes.call(world, from, ...rest);
    };
    const again = world.index();
    await expectSame(world, again, "tax", rows, "relevance");
    await expectSame(world, again, "report", rows, "relevance");
    expect(asked).toEqual([after]);
  });

  it("counts everything in a Scope by stream and month, and narrows hits by typed filters", async () => {
    const world = newWorld();
    for (let number = 0; number < 40; number++)
      world.put(1, `r${number}`, { subject: "tax", sent_at: `2024-0${1 + (number % 3)}-05T00:00:00Z` });
    world.put(2, "a", { text: "report" });
    const rows: SearchScopeRow[] = [
      {
        streamNo: 1,
        key: "k1",
        fields: null,
        ids: new Set(Array.from({ length: 100 }, (_, number) => `r${number * 2}`)),
      },
      { streamNo: 2, key: "k2", fields: null },
    ];
    const request = { scope: compileScope(rows), limit: 5, order: "newest" as const, months: true };
    const all = await world.index().search({ ...request, query: EVERY_RECORD }, world.version);
    expect([all.total, [...all.perStream]]).toEqual([
      21,
      [
        [1, 20],
        [2, 1],
      ],
    ]);
    expect([...all.perMonth!]).toEqual([
      ["2024-01", 7],
      ["2024-02", 6],
      ["2024-03", 7],
      ["", 1],
    ]);
    const admitted = new Set([1, 2, 3, 7]);
    const some = await world.index().search({ ...request, query: parseQuery("tax", FIELDS), admitted }, world.version);
    expect([some.total, some.hits.map((hit) => hit.id)]).toEqual([3, ["r2", "r0", "r6"]]);
  });

  it("uses the index of another process that saved first", async () => {
    const world = newWorld();
    const rows: SearchScopeRow[] = [{ streamNo: 2, key: "k", fields: null }];
    const [one, other] = [world.index(), world.index()];
    world.put(2, "a", { text: "tax" });
    await one.at(world.version);
    await other.at(world.version);
    await one.flush();
    world.put(2, "b", { text: "tax report" });
    await other.at(world.version);
    await other.flush();
    await expectSame(world, other, "tax", rows, "relevance");
    await other.flush();
    await expectSame(world, one, "tax", rows, "relevance");
    await expectSame(world, world.index(), "tax", rows, "relevance");
  });

  it("limits memory by dropping stored segments, and still returns results", async () => {
    const world = newWorld();
    const rows: SearchScopeRow[] = [{ streamNo: 2, key: "k", fields: null }];
    const index = world.index(40_000);
    for (let number = 0; number < 3000; number++) {
      world.put(2, `r${number}`, { text: `tax ${number} report of the year ${number % 7}` });
      if (number % 500 === 499) await index.at(world.version).then(() => index.flush());
    }
    const { residentBytes, bytes } = index.status;
    expect(bytes).toBeGreaterThan(100_000);
    expect(residentBytes).toBeLessThanOrEqual(40_000);
    const answer = await index.search(
      { query: parseQuery("report", FIELDS), scope: compileScope(rows), limit: 10, order: "relevance" },
      world.version,
    );
    expect(answer.total).toBe(3000);
    world.put(2, "r17", { text: "nothing" });
    expect(
      (
        await index.search(
          { query: parseQuery("report", FIELDS), scope: compileScope(rows), limit: 10, order: "relevance" },
          world.version,
        )
      ).total,
    ).toBe(2999);
  });

  it("creates no small segments while there are no searches, and has new records ready for the next search", async () => {
    const world = newWorld();
    const index = world.index();
    const scope = compileScope([{ streamNo: 2, key: "k", fields: null }]);
    const arrive = async () => {
      world.put(2, `r${world.version}`, { text: "tax report" });
      await index.catchUp(world.version, 100);
    };
    for (let number = 0; number < 5; number++) await arrive();
    expect(index.status).toMatchObject({ documents: 5, segments: 0 });
    const request = { query: parseQuery("report", FIELDS), scope, limit: 10, order: "relevance" } as const;
    expect((await index.search(request, world.version)).total).toBe(5);
    expect(index.status.segments).toBe(1);
    await arrive();
    expect(index.status.segments).toBe(2);
  });
});
