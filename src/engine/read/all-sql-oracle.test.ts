// K-05: compares reads over all connections with an oracle, which is plain SQL over json_extract on the rows of every
// connection.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SourceDeclaration } from "../../contract/declaration.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";

const SEED = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);
const OWNER = { home: true } as const;

const declaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/banks" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Bank" },
  streams: [
    {
      name: "bookings",
      semantics: "mutable_state",
      primary_key: ["id"],
      cursor_field: "at",
      consent_time_field: "at",
      schema: {
        type: "object",
        "x-kind": "transaction",
        properties: {
          id: { type: "string" },
          at: { type: ["string", "null"], format: "date-time", "x-role": "time" },
          amount: { type: ["number", "null"], "x-role": "amount" },
          currency: { type: ["string", "null"], "x-role": "currency" },
          category: { type: ["string", "null"] },
        },
      },
      query: {
        range_filters: { amount: ["gte", "lt"] },
        aggregations: {
          sum: ["amount"],
          avg: ["amount"],
          min: ["amount"],
          max: ["amount"],
          count_distinct: ["category"],
          group_by: ["category", "currency"],
        },
      },
    },
  ],
};

const nullable = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { freq: 6, nil: null });
/** Multiples of a quarter add up exactly in any order. */
const booking = fc.record({
  at: nullable("2024-01-01T00:00:00Z", "2024-02-29T23:30:00-01:00", "2023-12-31T23:59:59Z"),
  amount: nullable(0, -0.25, 0.5, 1e6, -3, 2.75, 100.25),
  currency: nullable("EUR", "GBP", "USD"),
  category: nullable("food", "rent", "fun", ""),
});
const line = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.option(booking, { freq: 8, nil: null }));

const home = mkdtempSync(join(tmpdir(), "pdpp-all-oracle-"));
let host: EngineHost;
let oracle: DatabaseSync;

beforeAll(async () => {
  prepareHome(home);
  host = localHost(openSqliteStore(home), { home, persist: true });
  await host.call("putConnector", { connector_key: "bank", declaration }, OWNER);
  for (const [index, batch] of fc
    .sample(fc.array(line, { minLength: 20, maxLength: 60, size: "max" }), { numRuns: 5, seed: SEED })
    .entries()) {
    const { connection_id } = await host.call("createConnection", { connector_id: "bank" }, OWNER);
    const text = batch.map(([number, data]) => {
      const id = `r${number}`;
      return JSON.stringify({ key: id, ...(data === null ? { op: "delete" } : { data: { id, ...data } }) });
    });
    // One connection stays empty.
    if (index > 0) await host.call("ingest", { stream: "bookings", connection_id, text: text.join("\n") }, OWNER);
  }
  oracle = new DatabaseSync(join(home, "records.db"), { readOnly: true });
});
afterAll(async () => {
  oracle.close();
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

const value = (name: string): string => `json_extract(data, '$.${name}')`;
const filter = fc.constantFrom<[filter: object | undefined, sql: string]>(
  [undefined, "1"],
  [{ category: "food" }, `${value("category")} = 'food'`],
  [{ amount: { gte: 0 } }, `${value("amount")} >= 0`],
  [{ currency: { exists: false } }, `${value("currency")} IS NULL`],
  [{ category: { in: ["food", "rent"] } }, `${value("category")} IN ('food', 'rent')`],
  [{ category: "nothing" }, "0"],
);

it("K-05 pages over all connections have the same records in the same order as SQL, each once", async () => {
  await fc.assert(
    fc.asyncProperty(
      filter,
      fc.constantFrom("amount", "-amount", "category", "-id"),
      fc.constantFrom(1, 7, 100),
      async ([where, sql], sort, limit) => {
        const field = sort.replace("-", "");
        const rows = oracle
          .prepare(
            `SELECT id, ${value(field)} AS value FROM record WHERE data IS NOT NULL AND ${sql}
             ORDER BY value IS NULL, value ${sort.startsWith("-") ? "DESC" : ""}`,
          )
          .all();
        const seen: { place: string; id: string; value: unknown }[] = [];
        let cursor: string | undefined;
        do {
          const query = { stream: "bookings", connection_id: "all", sort, limit, cursor, count: "exact" } as const;
          const page = await host.call("records", { ...query, ...(where && { filter: where }) } as never, OWNER);
          expect(page.meta.count?.value).toBe(rows.length);
          for (const record of page.data)
            if ("data" in record)
              seen.push({ place: record.connection_id, id: record.id, value: record.data[field] ?? null });
          cursor = page.next_cursor;
        } while (cursor !== undefined);
        expect(seen.map((one) => one.value)).toEqual(rows.map((row) => row.value));
        expect(seen.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => String(id)).sort());
        expect(new Set(seen.map(({ place, id }) => `${place} ${id}`)).size).toBe(seen.length);
      },
    ),
    { numRuns: 40, seed: SEED },
  );
});

it("K-05 counts, groups and sums over all connections are the same as in SQL, with currencies separate", async () => {
  await fc.assert(
    fc.asyncProperty(
      filter,
      fc.constantFrom("count", "sum", "avg", "min", "max"),
      fc.constantFrom(undefined, "category", "currency"),
      async ([where, sql], metric, group_by) => {
        const money = metric !== "count";
        const keys = [...(group_by === undefined ? [] : [group_by]), ...(money ? ["currency"] : [])];
        const rows = oracle
          .prepare(
            `SELECT ${[...new Set(keys)].map((name) => `${value(name)} AS ${name}`).join(", ") || "1"}, count(*) AS count,
             ${metric === "count" ? "count(*)" : `${metric}(${value("amount")})`} AS value
             FROM record WHERE data IS NOT NULL AND ${sql} ${keys.length === 0 ? "" : `GROUP BY ${[...new Set(keys)].map(value).join(", ")}`}`,
          )
          .all();
        const expected = rows
          .map((row) => JSON.stringify([...[...new Set(keys)].map((name) => row[name]), row.count, row.value]))
          .sort();
        const answer = await host.call(
          "aggregate",
          {
            stream: "bookings",
            connection_id: "all",
            metric,
            limit: 100,
            ...(money ? { field: "amount" } : {}),
            ...(group_by && { group_by }),
            ...(where && { filter: where }),
          } as never,
          OWNER,
        );
        const groups = answer.groups ?? [
          { key: answer.currency ?? null, count: answer.filtered_record_count, value: answer.value ?? null },
        ];
        const found = groups.map(({ key, currency, count, value: own }) =>
          JSON.stringify([
            ...(group_by === undefined ? (money ? [key] : []) : [key]),
            ...(money && group_by === "category" ? [currency ?? answer.currency ?? null] : []),
            count,
            own,
          ]),
        );
        const isEmpty = rows.every(({ count }) => count === 0);
        if (isEmpty) expect(answer.filtered_record_count).toBe(0);
        else expect(found.sort()).toEqual(expected);
      },
    ),
    { numRuns: 60, seed: SEED },
  );
});
