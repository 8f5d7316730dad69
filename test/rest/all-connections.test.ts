// K-05: one read across every connection that has a stream: pages in one order, counts, groups, and sums by currency.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SourceDeclaration } from "../../src/contract/declaration.ts";
import { type Line, type Loose, type Query, type TestServer, testServer } from "../harness.ts";

const bank: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/bank" },
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
      selection: { fields: true, resources: true },
      schema: {
        type: "object",
        "x-kind": "transaction",
        required: ["id"],
        properties: {
          id: { type: "string" },
          at: { type: ["string", "null"], format: "date-time", "x-role": "time" },
          amount: { type: ["number", "null"], "x-role": "amount" },
          currency: { type: ["string", "null"], "x-role": "currency" },
          category: { type: ["string", "null"] },
          tags: { type: "array", items: { type: "string" } },
        },
      },
      query: {
        aggregations: {
          sum: ["amount"],
          avg: ["amount"],
          min: ["amount"],
          max: ["amount"],
          count_distinct: ["category"],
          group_by: ["category", "tags"],
        },
      },
    },
  ],
};

const booking = (
  id: string,
  day: number | null,
  amount: number,
  currency: string,
  category: string,
  tags: string[] = [],
): Line => ({
  key: id,
  data: {
    id,
    at: day === null ? null : `2024-05-${String(day).padStart(2, "0")}T00:00:00Z`,
    amount,
    currency,
    category,
    tags,
  },
});

let server: TestServer;
let connections: string[];
beforeAll(async () => {
  server = await testServer();
  await server.register("bank", bank);
  connections = [];
  for (const name of ["Liffey Bank", "Tejo Banco", "Empty Bank"]) connections.push(await server.connect("bank", name));
  await server.ingest("bookings", connections[0]!, [
    booking("x1", 1, 0.1, "EUR", "food", ["a", "b", "c"]),
    booking("x2", 3, 0.2, "EUR", "rent", ["a", "b", "d"]),
    booking("same", 5, 5, "EUR", "food", ["a"]),
    booking("none", null, 1, "EUR", "food"),
  ]);
  await server.ingest("bookings", connections[1]!, [
    booking("y1", 2, 7, "GBP", "food", ["c", "d"]),
    booking("y2", 3, 0.3, "EUR", "rent", ["a", "b", "c", "d"]),
    booking("same", 5, 9, "GBP", "fun"),
  ]);
});
afterAll(() => server.close());

const all = (query: Query = {}, token?: string) =>
  server.get("/v1/streams/bookings/records", {
    query: { connection_id: "all", ...query },
    ...(token === undefined ? {} : { token }),
  });
const ask = async (query: Query): Promise<Loose> =>
  (await server.get("/v1/streams/bookings/aggregate", { query: { connection_id: "all", ...query } })).body;

describe("K-05 pages across all connections", () => {
  test.each([
    [{}, [5, 5, 3, 3, 2, 1, null]],
    [{ order: "asc" }, [1, 2, 3, 3, 5, 5, null]],
  ])("K-05 %j has one order and one cursor, with each record once, at any page size", async (order, days) => {
    const whole = (await all({ ...order, count: "exact" })).body;
    const dayOf = ({ data }: Loose) => (data.at === null ? null : Number(data.at.slice(8, 10)));
    expect(whole.data.map(dayOf)).toEqual(days);
    expect(whole.meta.count.value).toBe(7);
    expect([whole.connection_id, whole.connection_count]).toEqual(["all", 3]);
    for (const record of whole.data) expect(connections).toContain(record.connection_id);
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Loose = (await all({ ...order, limit, ...(cursor === undefined ? {} : { cursor }) })).body;
        seen.push(...page.data.map((record: Loose) => `${record.connection_id} ${record.id}`));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(whole.data.map((record: Loose) => `${record.connection_id} ${record.id}`));
    }
  });

  test("K-05 filters apply in each connection, and sorting by any field produces a single order", async () => {
    const { body } = await all({ "filter[category][in]": "food,fun", sort: "-amount" });
    expect(body.data.map(({ data }: Loose) => data.amount)).toEqual([9, 7, 5, 1, 0.1]);
    expect((await all({ "filter[nothing]": "x" })).body.error.code).toBe("unknown_field");
    expect((await all({ changes_since: "beginning" })).body.error.code).toBe("invalid_request");
  });

  test("K-05 without connection_id=all, the request is ambiguous, and the next step suggests connection_id=all", async () => {
    const { body } = await server.get("/v1/streams/bookings/records");
    expect(body.error.code).toBe("ambiguous_connection");
    expect(body.error.next_step).toContain("connection_id=all");
  });

  test("K-05 P-02 an app reads everything its grant shows and nothing else", async () => {
    const selections = [{ connection_id: connections[1]!, stream: "bookings", fields: ["id", "at", "amount"] }];
    const token = (await server.grant({ selections })).access_token;
    const { body } = await all({}, token);
    expect(body.data.map(({ id }: Loose) => id)).toEqual(["same", "y2", "y1"]);
    expect(body.connection_count).toBe(1);
    expect((await all({ "filter[currency]": "EUR" }, token)).body.error.code).toBe("field_not_granted");
  });
});

describe("K-05 aggregates across all connections", () => {
  test("K-05 counts and groups add up across connections", async () => {
    const { groups, filtered_record_count } = await ask({ metric: "count", group_by: "category" });
    expect(filtered_record_count).toBe(7);
    expect(groups.map(({ key, count }: Loose) => [key, count])).toEqual([
      ["food", 4],
      ["rent", 2],
      ["fun", 1],
    ]);
    expect((await ask({ metric: "count_distinct", field: "category" })).value).toBe(3);
  });

  test("K-05 K-09 when only some groups of a list field are returned, each record in the other groups is counted once", async () => {
    const { data } = (await all()).body;
    const inEuros = data.filter(({ data: own }: Loose) => own.currency === "EUR");
    for (const limit of [1, 2, 3, 4, 5]) {
      const isCut = (shown: Loose[]) => {
        const keys = shown.map(({ key }) => key);
        return ({ data: own }: Loose) =>
          own.tags.length === 0 ? !keys.includes(null) : own.tags.some((tag: string) => !keys.includes(tag));
      };
      const counted = await ask({ metric: "count", group_by: "tags", order_by: "key", limit });
      expect(counted.other_count).toBe(data.filter(isCut(counted.groups)).length);
      const query = { metric: "sum", field: "amount", group_by: "tags", order_by: "key", limit };
      const summed = await ask({ ...query, "filter[currency]": "EUR" });
      const cut = inEuros.filter(isCut(summed.groups));
      expect(summed.other_count).toBe(cut.length);
      const sum = cut.reduce((total: number, { data: own }: Loose) => total + own.amount * 10, 0) / 10;
      expect(summed.other_value).toBe(cut.length === 0 ? undefined : sum);
      const mixed = await ask(query);
      const cutOfMixed = data.filter(({ data: own }: Loose) =>
        isCut(mixed.groups.filter(({ currency }: Loose) => currency === own.currency))({ data: own }),
      );
      expect([mixed.other_count, mixed.other_value]).toEqual([cutOfMixed.length, undefined]);
    }
  });

  test("K-05 aggregates over no records are empty", async () => {
    const nothing = { metric: "sum", field: "amount", "filter[category]": "none" };
    expect((await ask(nothing)).value).toBeNull();
    expect((await ask({ ...nothing, group_by: "tags" })).groups).toEqual([]);
  });

  test("K-05 sums in one connection are also grouped by currency, and a single currency is shown", async () => {
    const inOne = async (connection: string, query: Query): Promise<Loose> =>
      (await server.get("/v1/streams/bookings/aggregate", { query: { connection_id: connection, ...query } })).body;
    const sum = { metric: "sum", field: "amount" };
    const mixed = await inOne(connections[1]!, sum);
    expect([mixed.group_by, mixed.connection_id, mixed.value]).toEqual(["currency", connections[1], undefined]);
    expect(mixed.groups.map(({ key, value }: Loose) => [key, value])).toEqual([
      ["GBP", 16],
      ["EUR", 0.3],
    ]);
    const plain = await inOne(connections[0]!, sum);
    expect([plain.value, plain.currency]).toEqual([6.3, "EUR"]);
    const grouped = await inOne(connections[1]!, { ...sum, group_by: "category" });
    expect(grouped.groups.map(({ key, currency, value }: Loose) => [key, currency, value])).toEqual([
      ["fun", "GBP", 9],
      ["food", "GBP", 7],
      ["rent", "EUR", 0.3],
    ]);
    const selections = [{ connection_id: connections[1]!, stream: "bookings", fields: ["id", "at", "amount"] }];
    const token = (await server.grant({ selections })).access_token;
    const hidden = await server.get("/v1/streams/bookings/aggregate", { query: sum, token });
    expect([hidden.body.value, hidden.body.currency]).toEqual([16.3, undefined]);
  });

  test("K-05 sums of money never mix currencies and stay exact", async () => {
    const whole = await ask({ metric: "sum", field: "amount" });
    expect(whole.group_by).toBe("currency");
    expect(whole.groups.map(({ key, count, value }: Loose) => [key, count, value])).toEqual([
      ["GBP", 2, 16],
      ["EUR", 5, 6.6],
    ]);
    const by = await ask({ metric: "sum", field: "amount", group_by: "category" });
    expect(by.groups.map(({ key, currency, value }: Loose) => [key, currency, value])).toEqual([
      ["fun", "GBP", 9],
      ["food", "GBP", 7],
      ["food", "EUR", 6.1],
      ["rent", "EUR", 0.5],
    ]);
    const euros = await ask({ metric: "sum", field: "amount", "filter[currency]": "EUR" });
    expect([euros.value, euros.currency]).toEqual([6.6, "EUR"]);
    const average = await ask({ metric: "avg", field: "amount", "filter[category]": "rent" });
    expect([average.value, average.currency]).toEqual([0.25, "EUR"]);
  });
});
