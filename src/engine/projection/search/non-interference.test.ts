// Hidden data does not affect search results: they are the same as in a home with only the visible data.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../contract/record.ts";
import { parseDay, parseInstant } from "../../../core/instant.ts";
import { recordText } from "../../../core/search/field-text.ts";
import { parseQuery } from "../../../core/search/parse-query.ts";
import { put, queryText, SHAPES, scope } from "./arbitraries.fixture.ts";
import { compileScope } from "./scope.ts";
import type { SearchHit, SearchScopeRow, SearchShape } from "./types.ts";
import { World, withoutVersion } from "./world.fixture.ts";

/** The fields of a record that some row of the Scope shows. Undefined if no row shows the record. */
function shown(
  streamNo: number,
  id: string,
  data: JsonObject,
  rows: readonly SearchScopeRow[],
): JsonObject | undefined {
  const shape = SHAPES[streamNo]!;
  const value = data[shape.consentTimeField ?? shape.timeField ?? ""];
  const time = typeof value === "string" ? (parseInstant(value) ?? parseDay(value)) : undefined;
  const admitting = rows.filter(
    (row) =>
      row.streamNo === streamNo &&
      (!row.ids || row.ids.has(id)) &&
      (!row.time ||
        (time !== undefined && time >= (row.time.since ?? -Infinity) && time < (row.time.until ?? Infinity))),
  );
  if (admitting.length === 0) return undefined;
  const visible = Object.entries(data).filter(([name]) =>
    admitting.some((row) => row.fields === null || row.fields.has(name)),
  );
  return Object.fromEntries(visible);
}

/** The texts of hits that are used for feedback, limited to the Scope. */
const textsIn =
  (world: World, rows?: readonly SearchScopeRow[]) =>
  async (hits: readonly SearchHit[]): Promise<string[][]> =>
    hits.map(({ streamNo, id }) => {
      const { data } = world.live().find((record) => record.streamNo === streamNo && record.id === id)!;
      const visible = rows ? shown(streamNo, id, data, rows)! : data;
      return SHAPES[streamNo]!.fields.flatMap((field) => recordText(visible, field) ?? []);
    });

it("P-02 R-07 hidden records and fields do not affect hits, counts, order, scores, forms, repeats, feedback, suggestions, facets or relaxations", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(put, { maxLength: 60 }),
      scope,
      fc.array(queryText, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.boolean()),
      async (history, rows, asked, coins) => {
        const world = new World();
        const only = new World();
        for (const [streamNo, shape] of Object.entries(SHAPES)) {
          world.shapes.set(Number(streamNo), shape);
          only.shapes.set(Number(streamNo), shape);
        }
        const index = world.index();
        for (const step of history) {
          if (step.kind !== "put") continue;
          world.put(step.streamNo, step.id, step.data);
          // Makes the segments differ from those of the other home.
          if (coins.next().value) await index.at(world.version);
        }
        // The order of arrival differs too, because versions must not matter.
        for (const { streamNo, id, data } of world.live().reverse()) {
          const visible = shown(streamNo, id, data, rows);
          if (visible) only.put(streamNo, id, visible);
        }
        // That home has only granted data, so everything is visible without conditions.
        const open = [
          ...new Map(
            rows.map((row) => [row.streamNo, { streamNo: row.streamNo, key: row.key, fields: null }]),
          ).values(),
        ];
        for (const typed of asked) {
          for (const order of ["relevance", "newest"] as const) {
            const query = parseQuery(typed, new Set(["subject", "body", "text", "tags"]));
            const request = { query, limit: 3, order, months: true };
            const one = await index.search(
              { ...request, scope: compileScope(rows), texts: textsIn(world, rows) },
              world.version,
            );
            const other = await only
              .index()
              .search({ ...request, scope: compileScope(open), texts: textsIn(only) }, only.version);
            const plain = (answer: typeof one) => ({
              ...answer,
              hits: answer.hits.map(withoutVersion),
            });
            expect(plain(one)).toEqual(plain(other));
          }
        }
      },
    ),
    { numRuns: 250 },
  );
});

it("P-02 a field outside the grant cannot exclude, sort, date or suggest anything", async () => {
  const world = new World();
  const shape: SearchShape = {
    fields: [
      { name: "title", weight: 2 },
      { name: "note", weight: 1 },
    ],
    timeField: "at",
  };
  world.shapes.set(1, shape);
  world.put(1, "a", { title: "invoice", note: "secretword", at: "2024-01-01T00:00:00Z" });
  world.put(1, "b", { title: "invoice", note: "x", at: "2024-02-01T00:00:00Z" });
  const scope = compileScope([{ streamNo: 1, key: "k", fields: new Set(["title"]) }]);
  const ask = (typed: string) =>
    world
      .index()
      .search({ query: parseQuery(typed, new Set(["title"])), scope, limit: 9, order: "relevance" }, world.version);
  expect((await ask("invoice -secretword")).hits.map((hit) => hit.id)).toEqual(["a", "b"]);
  expect((await ask("invoice")).hits.every((hit) => hit.time === undefined)).toBe(true);
  expect((await ask("invoice after:2024-01-15")).total).toBe(0);
  expect((await ask("secretwrod")).suggestions).toBeUndefined();
  expect((await ask("invoce")).suggestions).toEqual(["invoice"]);
});
