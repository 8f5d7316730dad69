// Compares columns with an oracle: the same queries in plain SQL over json_extract must give the same results.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SourceDeclaration } from "../../contract/declaration.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";

const SEED = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);
const every = ["gte", "gt", "lte", "lt"] as const;
const FIELDS = ["id", "n", "i", "s", "g", "b", "t", "d"] as const;
type FieldName = (typeof FIELDS)[number];

const declaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/oracle" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Oracle" },
  streams: [
    {
      name: "rows",
      semantics: "mutable_state",
      primary_key: ["id"],
      cursor_field: "t",
      consent_time_field: "t",
      schema: {
        type: "object",
        properties: {
          id: { type: "string" },
          n: { type: ["number", "null"] },
          i: { type: ["integer", "null"] },
          s: { type: ["string", "null"] },
          g: { type: ["string", "null"] },
          b: { type: ["boolean", "null"] },
          t: { type: ["string", "null"], format: "date-time" },
          d: { type: ["string", "null"], format: "date" },
          l: { type: ["array", "null"], items: { type: "string" } },
          p: { type: ["array", "null"], items: { type: "object", properties: { name: { type: "string" } } } },
          o: { type: ["object", "null"], properties: { name: { type: "string" } } },
        },
      },
      query: {
        range_filters: {
          id: [...every],
          n: [...every],
          i: [...every],
          s: [...every],
          b: [...every],
          t: [...every],
          d: [...every],
        },
        aggregations: {
          sum: ["n", "i"],
          avg: ["n", "i"],
          min: ["n", "i", "s", "t", "d"],
          max: ["n", "i", "s", "t", "d"],
          count_distinct: ["n", "s", "g", "b", "t"],
          group_by: ["g", "b", "d", "s", "l", "p.name", "o.name"],
          group_by_time: ["t", "d"],
        },
      },
    },
  ],
};

/** Multiples of a quarter add up exactly in any order, so a difference is a bug, not rounding. */
const VALUES = {
  n: [0, -0.25, 0.5, 1e6, -3, 2.75, 100.25],
  i: [0, 1, -1, 7, 2 ** 31, -(2 ** 40)],
  s: ["", "a", "A", "ä", "a\u0308", "ﬀ", "𝒳", "z z", "10", "9"],
  g: ["red", "green", "blue"],
  b: [true, false],
  t: [
    "2024-01-01T00:00:00Z",
    "2024-01-01T00:00:00.125Z",
    "2024-02-29T23:30:00-01:00",
    "2023-12-31T23:59:59+00:00",
    "2024-07-01T12:00:00+05:30",
    "1969-12-31T23:59:59Z",
  ],
  d: ["2024-01-01", "2024-02-29", "1999-12-31", "1960-06-01"],
} as const;

const ITEMS = ["red", "green", "blue", "", "ä", "10"];
const items = fc.option(fc.array(fc.constantFrom(...ITEMS), { maxLength: 4 }), { freq: 4, nil: null });
const record = fc.record({
  l: items,
  o: fc.option(fc.constantFrom(...ITEMS), { freq: 4, nil: null }).map((name) => (name === null ? null : { name })),
  p: items.map((list) => list?.map((name) => ({ name, role: "x" })) ?? null),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, values]) => [
      name,
      fc.option(fc.constantFrom(...(values as readonly (string | number | boolean)[])), { freq: 5, nil: null }),
    ]),
  ),
});
const line = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.option(record, { freq: 8, nil: null }));

const milliseconds = (expression: string): string =>
  `CAST(round(unixepoch(${expression}, 'subsec') * 1000) AS INTEGER)`;
/** A field as SQL sees it. Times and days are milliseconds. */
const column = (name: FieldName): string => {
  const value = `json_extract(data, '$.${name}')`;
  return name === "t" || name === "d" ? milliseconds(value) : value;
};
const bound = (name: FieldName, value: Scalar): string | number =>
  name === "t" || name === "d" ? Date.parse(String(value)) : typeof value === "boolean" ? Number(value) : value;

type Scalar = string | number | boolean;
/** A list's values as SQL rows. */
const ITEMS_SQL = {
  l: "SELECT DISTINCT value FROM json_each(data, '$.l') WHERE type <> 'null'",
  "p.name": "SELECT DISTINCT json_extract(value, '$.name') AS value FROM json_each(data, '$.p') WHERE type <> 'null'",
  // A single object counts as a list of one.
  "o.name": "SELECT value FROM json_each(data, '$.o') WHERE key = 'name'",
} as const;
type ListName = keyof typeof ITEMS_SQL;
const itemsOf = (name: string): string => ITEMS_SQL[name as ListName];
const isList = (name: string): boolean => Object.hasOwn(ITEMS_SQL, name);

interface Condition {
  field: FieldName | ListName;
  op: "eq" | (typeof every)[number] | "in" | "ne" | "exists" | "contains";
  value: Scalar | Scalar[];
}
const SQL_OPERATORS = { eq: "=", gte: ">=", gt: ">", lte: "<=", lt: "<", ne: "IS NOT" } as const;
const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(...(Object.keys(VALUES) as (keyof typeof VALUES)[]))
  .chain((field) =>
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          field: fc.constant(field),
          op: field === "g" ? fc.constantFrom("eq", "ne") : fc.constantFrom("eq", "ne", ...every),
          value: fc.constantFrom(...(VALUES[field] as readonly Scalar[])),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          field: fc.constant(field),
          op: fc.constant("in" as const),
          value: fc.array(fc.constantFrom(...(VALUES[field] as readonly Scalar[])), { minLength: 1, maxLength: 4 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ field: fc.constant(field), op: fc.constant("exists" as const), value: fc.boolean() }),
      },
    ),
  );
const listCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constantFrom("l", "p.name", "o.name"),
    op: fc.constantFrom("contains", "ne"),
    value: fc.constantFrom(...ITEMS, "nowhere"),
  }),
  fc.record({
    field: fc.constantFrom("l", "p.name", "o.name"),
    op: fc.constant("in" as const),
    value: fc.array(fc.constantFrom(...ITEMS), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    field: fc.constantFrom("l", "p.name", "o.name"),
    op: fc.constant("exists" as const),
    value: fc.boolean(),
  }),
);
const conditionSql = ({ field, op, value }: Condition): string => {
  if (isList(field)) {
    if (op === "exists") return `${value ? "" : "NOT "}EXISTS (${itemsOf(field)})`;
    const asked = [value].flat().map(() => "?");
    return `${op === "ne" ? "NOT " : ""}EXISTS (SELECT 1 FROM (${itemsOf(field)}) WHERE value IN (${asked.join(", ")}))`;
  }
  return scalarSql({ field: field as FieldName, op, value });
};
const scalarSql = ({ field, op, value }: Condition & { field: FieldName }): string => {
  if (op === "exists") return `${column(field)} IS ${value ? "NOT " : ""}NULL`;
  if (op === "in") return `${column(field)} IN (${(value as Scalar[]).map(() => "?").join(", ")})`;
  return `${column(field)} ${SQL_OPERATORS[op as keyof typeof SQL_OPERATORS]} ?`;
};
const conditions = fc.uniqueArray(
  fc.oneof({ weight: 3, arbitrary: condition }, { weight: 1, arbitrary: listCondition }),
  { maxLength: 3, selector: ({ field }) => field },
);

describe("columns and SQL give the same results", () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-oracle-"));
  let host: EngineHost;
  let oracle: DatabaseSync;
  let readers: { token: string | undefined; where: string; window?: { since: number; until: number } }[];
  const owner = { home: true } as const;
  const call = async (method: "records" | "aggregate", query: object, token?: string) =>
    await host.call(method, query as never, token === undefined ? owner : { token });

  beforeAll(async () => {
    prepareHome(home);
    host = localHost(openSqliteStore(home), { home, persist: true });
    await host.call("putConnector", { connector_key: "oracle", declaration }, owner);
    const { connection_id } = await host.call("createConnection", { connector_id: "oracle" }, owner);
    for (const batch of fc.sample(fc.array(line, { minLength: 60, maxLength: 120, size: "max" }), {
      numRuns: 12,
      seed: SEED,
    })) {
      const text = batch.map(([number, data]) => {
        const id = `r${number}`;
        return JSON.stringify({
          key: id,
          emitted_at: "2024-01-01T00:00:00Z",
          ...(data === null ? { op: "delete" } : { data: { id, ...data } }),
        });
      });
      const report = await host.call("ingest", { stream: "rows", connection_id, text: text.join("\n") }, owner);
      expect(report.rejected).toBe(0);
      // Queries between the batches create segments of different ages.
      await call("aggregate", { stream: "rows", metric: "count" });
    }
    const [since, until] = ["2024-01-01T00:00:00Z", "2024-07-01T00:00:00Z"];
    const resources = Array.from({ length: 150 }, (_, n) => `r${n * 2}`);
    const grant = async (limits: object): Promise<string> =>
      (await host.call("issueGrant", { selections: [{ connection_id, stream: "rows", ...limits }] }, owner))
        .access_token;
    readers = [
      { token: undefined, where: "1" },
      {
        token: await grant({ since, until }),
        where: `${column("t")} >= ${Date.parse(since)} AND ${column("t")} < ${Date.parse(until)}`,
        window: { since: Date.parse(since), until: Date.parse(until) },
      },
      {
        token: await grant({ resources }),
        where: "CAST(substr(id, 2) AS INTEGER) % 2 = 0 AND CAST(substr(id, 2) AS INTEGER) < 300",
      },
    ];
    oracle = new DatabaseSync(join(home, "records.db"), { readOnly: true });
  });
  afterAll(async () => {
    oracle.close();
    await host.close();
    rmSync(home, { recursive: true, force: true });
  });

  const whereOf = (
    reader: (typeof readers)[number],
    list: readonly Condition[],
  ): { sql: string; values: (string | number)[] } => ({
    sql: ["data IS NOT NULL", reader.where, ...list.map(conditionSql)].join(" AND "),
    values: list.flatMap(({ field, op, value }) =>
      op === "exists"
        ? []
        : [value].flat().map((one) => (isList(field) ? String(one) : bound(field as FieldName, one))),
    ),
  });
  const filterOf = (list: readonly Condition[]) =>
    Object.fromEntries(list.map(({ field, op, value }) => [field, op === "eq" ? value : { [op]: value }]));
  /** A time filter outside the grant's range causes an error instead of a list. */
  const outside = (reader: (typeof readers)[number], list: readonly Condition[]): boolean =>
    reader.window !== undefined && list.some(({ field }) => field === "t");

  it("for filtered, sorted pages and their counts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 2),
        conditions,
        fc.constantFrom(undefined, ...FIELDS),
        fc.boolean(),
        fc.constantFrom(7, 100),
        async (which, list, sort, descending, limit) => {
          const reader = readers[which]!;
          fc.pre(!outside(reader, list));
          const { sql, values } = whereOf(reader, list);
          const key = column(sort ?? "t");
          const way = descending ? "DESC" : "ASC";
          const expected = oracle
            .prepare(`SELECT id FROM record WHERE ${sql} ORDER BY ${key} IS NULL, ${key} ${way}, id ${way}`)
            .all(...values)
            .map((row) => row.id);
          const order =
            sort === undefined ? { order: descending ? "desc" : "asc" } : { sort: `${descending ? "-" : ""}${sort}` };
          const query = {
            stream: "rows",
            ...order,
            limit,
            count: "exact",
            ...(list.length > 0 ? { filter: filterOf(list) } : {}),
          };
          const found: string[] = [];
          let cursor: string | undefined;
          do {
            const page = (await call(
              "records",
              { ...query, ...(cursor === undefined ? {} : { cursor }) },
              reader.token,
            )) as unknown as { data: { id: string }[]; next_cursor?: string; meta: { count: { value: number } } };
            found.push(...page.data.map((one) => one.id));
            expect(page.meta.count.value).toBe(expected.length);
            cursor = page.next_cursor;
          } while (cursor !== undefined);
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 250, seed: SEED },
    );
  });

  const METRICS: [metric: string, field: FieldName | undefined][] = [
    ["count", undefined],
    ...(["n", "i"] as const).flatMap((field) =>
      ["sum", "avg", "min", "max"].map((metric): [string, FieldName] => [metric, field]),
    ),
    ...(["s", "t", "d"] as const).flatMap((field) =>
      ["min", "max"].map((metric): [string, FieldName] => [metric, field]),
    ),
    ...(["n", "s", "g", "b", "t"] as const).map((field): [string, FieldName] => ["count_distinct", field]),
  ];
  const metricSql = (metric: string, field: FieldName | undefined): string =>
    metric === "count"
      ? "count(*)"
      : metric === "count_distinct"
        ? `count(DISTINCT ${column(field!)})`
        : `${metric}(${column(field!)})`;
  const shown = (metric: string, field: FieldName | undefined, value: unknown): unknown => {
    if ((metric !== "min" && metric !== "max") || typeof value !== "number") return value;
    return field === "t"
      ? new Date(value).toISOString()
      : field === "d"
        ? new Date(value).toISOString().slice(0, 10)
        : value;
  };
  const LABELS: Record<string, string> = { hour: "%Y-%m-%dT%H", day: "%Y-%m-%d", month: "%Y-%m", year: "%Y" };
  const grouping = fc.oneof(
    fc.constant({}),
    fc.constantFrom("g", "b", "d", "s", "l", "p.name", "o.name").map((group_by) => ({ group_by })),
    fc
      .tuple(fc.constantFrom("t", "d"), fc.constantFrom(...Object.keys(LABELS)))
      .map(([group_by_time, granularity]) => ({ group_by_time, granularity })),
  ) as fc.Arbitrary<{ group_by?: FieldName | ListName; group_by_time?: FieldName; granularity?: string }>;

  it("for aggregations, whole and by group", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 2),
        conditions,
        fc.constantFrom(...METRICS),
        grouping,
        fc.constantFrom(3, 100),
        fc.constantFrom(undefined, "value", "-value", "key", "-key", "count", "-count"),
        async (which, list, [metric, field], group, limit, order_by) => {
          const reader = readers[which]!;
          fc.pre(!outside(reader, list));
          const { sql, values } = whereOf(reader, list);
          const { group_by, group_by_time, granularity } = group;
          const grouped = group_by !== undefined || group_by_time !== undefined;
          const answer = (await call(
            "aggregate",
            {
              stream: "rows",
              metric,
              ...(field === undefined ? {} : { field }),
              ...group,
              ...(grouped ? { limit, order_by } : {}),
              ...(list.length > 0 ? { filter: filterOf(list) } : {}),
            },
            reader.token,
          )) as unknown as {
            value?: unknown;
            filtered_record_count: number;
            groups: { key: unknown; count: number; value: unknown }[];
            other_count: number;
            other_value?: unknown;
          };
          const total = oracle
            .prepare(`SELECT count(*) AS count, ${metricSql(metric, field)} AS value FROM record WHERE ${sql}`)
            .get(...values)!;
          expect(answer.filtered_record_count).toBe(total.count);
          if (!grouped) {
            expect(answer.value).toBe(shown(metric, field, total.value));
            return;
          }
          // If the grouping field is a list, a record is in the group of each of its values, or in the null group.
          const grouped_by = group_by !== undefined && isList(group_by) ? group_by : undefined;
          const from =
            grouped_by === undefined
              ? "record"
              : `(SELECT DISTINCT record.id AS id, record.data AS data, ${grouped_by === "p.name" ? "json_extract(item.value, '$.name')" : "item.value"} AS item FROM record LEFT JOIN json_each(record.data, '$.${grouped_by[0]}') AS item ON item.type <> 'null')`;
          const key =
            grouped_by !== undefined
              ? "item"
              : group_by !== undefined
                ? `json_extract(data, '$.${group_by}')`
                : `strftime('${LABELS[granularity!]}', json_extract(data, '$.${group_by_time}'))`;
          const rows = oracle
            .prepare(
              `SELECT ${key} AS key, count(*) AS count, ${metricSql(metric, field)} AS value FROM ${from} WHERE ${sql} GROUP BY 1`,
            )
            .all(...values);
          const expected = new Map(
            rows.map((row) => [
              group_by === "b" && row.key !== null ? row.key === 1 : row.key,
              { count: row.count, value: shown(metric, field, row.value) },
            ]),
          );
          expect(answer.groups.length).toBe(Math.min(limit, expected.size));
          for (const one of answer.groups)
            expect({ count: one.count, value: one.value }, String(one.key)).toEqual(expected.get(one.key as string));
          expect(new Set(answer.groups.map((one) => one.key)).size).toBe(answer.groups.length);
          // SQL sorts the groups, keeps those within the limit and adds up the rest.
          const order = order_by ?? (group_by !== undefined ? "-value" : "key");
          const sorted = `SELECT key FROM (SELECT ${key} AS key, count(*) AS count, ${metricSql(metric, field)} AS value FROM ${from} WHERE ${sql} GROUP BY 1)
            ORDER BY ${order.replace("-", "")} IS NULL, ${order.replace("-", "")} ${order.startsWith("-") ? "DESC" : ""}, count DESC, key IS NULL, key`;
          const keys = oracle
            .prepare(`${sorted} LIMIT ${limit}`)
            .all(...values)
            .map((row) => (group_by === "b" && row.key !== null ? row.key === 1 : row.key));
          expect(answer.groups.map((one) => one.key)).toEqual(keys);
          const others = oracle
            .prepare(
              `SELECT count(*) AS count, ${metricSql(metric, field)} AS value FROM record WHERE ${sql} AND id IN (SELECT id FROM ${from} WHERE ${sql} AND NOT EXISTS (SELECT 1 FROM (${sorted} LIMIT ${limit}) AS top WHERE top.key IS ${key}))`,
            )
            .get(...values, ...values, ...values)!;
          expect(answer.other_count).toBe(others.count);
          expect(answer.other_value).toEqual(expected.size > limit ? shown(metric, field, others.value) : undefined);
        },
      ),
      { numRuns: 250, seed: SEED },
    );
  });
});
