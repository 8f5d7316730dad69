// Compares columns with a naive list: any history, any query, small segments, a small memory budget, restarts in
// between.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../contract/record.ts";
import type { ColumnValue } from "../../../core/fields.ts";
import type { Predicate } from "../../../core/filter.ts";
import type { AggregateRequest } from "./aggregate.ts";
import { Columns } from "./columns.ts";
import { memoryFeed } from "./memory-feed.fixture.ts";
import { memorySegments } from "./memory-segments.fixture.ts";
import { NaiveColumns } from "./naive-columns.fixture.ts";
import type { PageRequest } from "./page.ts";
import type { Selection } from "./selection.ts";
import type { ColumnsShape } from "./shape.ts";
import type { StreamColumns } from "./stream-columns.ts";

const FIELDS = ["name", "amount", "flag", "at", "day"] as const;
const LISTS = ["tags", "sizes", "people.name"] as const;
const shapeSorted = (defaultSort: string | undefined): ColumnsShape => ({
  columns: [
    { field: "name", kind: "string" },
    { field: "amount", kind: "number" },
    { field: "flag", kind: "boolean" },
    { field: "at", kind: "instant" },
    { field: "day", kind: "day" },
    { field: "tags", kind: "string", list: { field: "tags" } },
    { field: "sizes", kind: "number", list: { field: "sizes" } },
    { field: "people.name", kind: "string", list: { field: "people", member: "name" } },
  ],
  ...(defaultSort === undefined ? {} : { defaultSort }),
});

const text = fc.constantFrom(
  "",
  "a",
  "ab",
  "b",
  "\u{1f600}",
  "\uffee",
  "é",
  "z\u{10000}",
  "z\ue000",
  "long ".repeat(20),
);
const id = fc.oneof(
  fc.nat(40).map(String),
  text.filter((value) => value !== ""),
);
const cents = fc.integer({ min: -500, max: 500 }).map((value) => value / 100);
const moment = fc
  .integer({ min: 0, max: 40 })
  .map((n) => new Date(Date.UTC(2024, 2, 1) + n * 31 * 3_600_000).toISOString());
const record: fc.Arbitrary<JsonObject> = fc.record({
  name: fc.option(text),
  amount: fc.option(cents),
  flag: fc.option(fc.boolean()),
  at: fc.option(moment),
  day: fc.option(moment.map((value) => value.slice(0, 10))),
  tags: fc.option(fc.array(fc.oneof(text, fc.constantFrom(null, 7)), { maxLength: 4 })),
  sizes: fc.option(fc.array(cents, { maxLength: 3 })),
  people: fc.option(
    fc.array(fc.oneof(fc.record({ name: text, role: text }), fc.constantFrom("nobody", {})), { maxLength: 3 }),
  ),
});

type Step = { put: [string, JsonObject] } | { remove: string } | { event: "ask" | "flush" | "restart" | "nibble" };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ put: fc.tuple(id, record) }) },
  { weight: 4, arbitrary: fc.record({ remove: id }) },
  { weight: 3, arbitrary: fc.record({ event: fc.constantFrom("ask", "flush", "restart", "nibble") }) },
);

const field = fc.constantFrom(...FIELDS);
const likely = {
  name: text,
  amount: cents,
  flag: fc.boolean(),
  at: moment.map((value) => Date.parse(value)),
  day: moment.map((value) => Date.parse(value.slice(0, 10))),
};
const listed = { tags: text, sizes: cents, "people.name": text };
const listPredicate: fc.Arbitrary<Predicate> = fc.constantFrom(...LISTS).chain((name) => {
  const of = fc.constant(name as string);
  const value: fc.Arbitrary<ColumnValue> = listed[name];
  return fc.oneof(
    fc.record({ field: of, op: fc.constant("ne" as const), value }),
    fc.record({ field: of, op: fc.constant("in" as const), values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ field: of, op: fc.constant("exists" as const), value: fc.boolean() }),
  );
});
const scalarPredicate: fc.Arbitrary<Predicate> = field.chain((name) => {
  const of = fc.constant(name as string);
  const value = fc.oneof(
    { weight: 9, arbitrary: likely[name] as fc.Arbitrary<ColumnValue> },
    { weight: 1, arbitrary: fc.constantFrom(null, "a", 1) },
  );
  return fc.oneof(
    fc.record({ field: of, op: fc.constantFrom("eq", "gte", "gt", "lte", "lt"), value }),
    fc.record({ field: of, op: fc.constant("ne" as const), value }),
    fc.record({ field: of, op: fc.constant("in" as const), values: fc.array(value, { minLength: 1, maxLength: 5 }) }),
    fc.record({ field: of, op: fc.constant("exists" as const), value: fc.boolean() }),
  );
});
const predicate = fc.oneof({ weight: 2, arbitrary: scalarPredicate }, { weight: 1, arbitrary: listPredicate });
const selection: fc.Arbitrary<Selection> = fc.record(
  { where: fc.array(predicate, { maxLength: 2 }), ids: fc.array(id, { maxLength: 20 }).map((ids) => new Set(ids)) },
  { requiredKeys: ["where"] },
);
const sort = fc.record({ field, descending: fc.boolean() }, { requiredKeys: ["descending"] });
const pageRequest: fc.Arbitrary<PageRequest> = fc.record(
  { sort, limit: fc.integer({ min: 0, max: 12 }) },
  { requiredKeys: ["limit"] },
);
const granularity = fc.constantFrom("minute", "hour", "day", "week", "month", "quarter", "year");
const groupByTime = fc.record({
  field: fc.constant("at"),
  granularity,
  timeZone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu"),
});
const metric: fc.Arbitrary<Pick<AggregateRequest, "metric" | "field">> = fc.oneof(
  fc.record({ metric: fc.constant("count" as const) }),
  fc.record({ metric: fc.constantFrom("sum", "avg"), field: fc.constant("amount") }),
  fc.record({ metric: fc.constantFrom("min", "max", "count_distinct"), field }),
  fc.record({ metric: fc.constant("count_distinct" as const), field: fc.constantFrom(...LISTS) }),
);
const aggregateRequest: fc.Arbitrary<AggregateRequest> = fc
  .tuple(
    metric,
    fc.oneof(
      fc.record({ groupBy: field }),
      fc.record({ groupBy: fc.constantFrom(...LISTS) }),
      fc.record({ groupByTime }),
      fc.constant({}),
    ),
    fc.record({
      orderBy: fc.constantFrom("value", "-value", "key", "-key", "count", "-count"),
      limit: fc.integer({ min: 1, max: 8 }),
    }),
  )
  .map((parts) => Object.assign({}, ...parts) as AggregateRequest);

interface Questions {
  selections: Selection[];
  pages: PageRequest[];
  aggregates: AggregateRequest[];
}
const questions: fc.Arbitrary<Questions> = fc.record({
  selections: fc.array(selection, { minLength: 1, maxLength: 4 }),
  pages: fc.array(pageRequest, { minLength: 1, maxLength: 4 }),
  aggregates: fc.array(aggregateRequest, { minLength: 1, maxLength: 4 }),
});

async function compare(columns: StreamColumns, naive: NaiveColumns, asked: Questions): Promise<void> {
  for (const rows of [{ where: [] }, ...asked.selections]) {
    expect(await columns.count(rows)).toBe(naive.count(rows));
    for (const request of asked.pages) await walk(columns, naive, rows, request);
    for (const request of asked.aggregates) {
      expect(await columns.aggregate(rows, request)).toEqual(naive.aggregate(rows, request));
    }
  }
}

/**
 * Reads every page from the first to the last, each twice, so that the second read uses the orders that the first one
 * built.
 */
async function walk(columns: StreamColumns, naive: NaiveColumns, rows: Selection, request: PageRequest): Promise<void> {
  let { after } = request;
  for (;;) {
    const asked = { ...request, ...(after && { after }) };
    const expected = naive.page(rows, asked);
    for (let time = 0; time < 2; time++) {
      const found = await columns.page(rows, asked);
      expect(found.map(({ id, value }) => ({ id, value }))).toEqual(expected);
    }
    const last = expected.at(-1);
    if (!last || expected.length < request.limit) return;
    after = last;
  }
}

const settings = fc.record({
  defaultSort: fc.option(field, { nil: undefined }),
  rows: fc.constantFrom(8, 32, 65_536),
  tailRows: fc.constantFrom(0, 3, 1024),
  budgetBytes: fc.constantFrom(0, 2000, 1e9),
  persist: fc.boolean(),
});

it("returns the same results as a plain list of the live records, after any history", async () => {
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.array(step, { maxLength: 150, size: "max" }),
      questions,
      async (chosen, steps, asked) => {
        const { defaultSort, rows, tailRows, budgetBytes, persist } = chosen;
        const shape = shapeSorted(defaultSort);
        const segments = memorySegments();
        const feed = memoryFeed();
        const live = new Map<string, JsonObject>();
        const rebuilds: string[] = [];
        const open = () =>
          new Columns({
            segments,
            budgetBytes,
            persist,
            limits: { rows, bytes: 1e9 },
            tailRows,
            onRebuild: (_streamNo, reason) => rebuilds.push(reason),
          });
        let columns = open();
        for (const each of steps) {
          if ("put" in each) {
            feed.put(...each.put);
            live.set(...each.put);
          } else if ("remove" in each) {
            feed.remove(each.remove);
            live.delete(each.remove);
          } else if (each.event === "flush") await columns.flush();
          else if (each.event === "restart") columns = open();
          else if (each.event === "nibble") await columns.catchUp(7, shape, feed, feed.version, 3);
          else {
            const found = await columns.at(7, shape, feed, feed.version);
            expect(await found.count({ where: [] })).toBe(live.size);
          }
        }
        const naive = new NaiveColumns(shape, live);
        await compare(await columns.at(7, shape, feed, feed.version), naive, asked);
        await columns.flush();
        columns = open();
        await compare(await columns.at(7, shape, feed, feed.version), naive, asked);
        expect(rebuilds).toEqual([]);
      },
    ),
    { numRuns: Number(process.env.FC_RUNS ?? 150) },
  );
});

it("returns the same results for the same live rows, regardless of their history", async () => {
  const rows = fc.uniqueArray(fc.tuple(id, record), { selector: ([key]) => key, maxLength: 45, size: "max" });
  await fc.assert(
    fc.asyncProperty(rows, fc.infiniteStream(fc.nat()), questions, async (wanted, random, asked) => {
      const answers: unknown[] = [];
      for (const shuffled of [false, true]) {
        const feed = memoryFeed();
        const columns = new Columns({
          segments: memorySegments(),
          budgetBytes: 1e9,
          persist: true,
          limits: shuffled ? { rows: 16, bytes: 1e9 } : { rows: 65_536, bytes: 1e9 },
          tailRows: shuffled ? 2 : 1024,
        });
        const shape = shapeSorted("at");
        const order = shuffled ? wanted.toSorted(() => (random.next().value! % 2) - 0.5) : wanted;
        for (const [key, data] of order) {
          if (shuffled) {
            feed.put(key, { name: "older", amount: 1 / 3 });
            feed.put(`gone ${key}`, { amount: 1e300 });
            await columns.catchUp(1, shape, feed, feed.version, 5);
            feed.remove(`gone ${key}`);
          }
          feed.put(key, data);
        }
        const found = await columns.at(1, shape, feed, feed.version);
        const given: unknown[] = [];
        for (const chosen of asked.selections) {
          for (const request of asked.pages) {
            given.push((await found.page(chosen, request)).map(({ id: key, value }) => [key, value]));
          }
          for (const request of asked.aggregates) given.push(await found.aggregate(chosen, request));
        }
        answers.push(given);
      }
      expect(answers[1]).toEqual(answers[0]);
    }),
    { numRuns: 100 },
  );
});
