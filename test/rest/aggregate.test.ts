// P-01: aggregations: every metric, groups by value and by time, remainders, and refused requests.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library", "Shelf");
  await server.ingest("books", connection, BOOKS);
});
afterAll(() => server.close());

const ask = async (query: Query, token?: string): Promise<Loose> =>
  (await server.get("/v1/streams/books/aggregate", { query, ...(token === undefined ? {} : { token }) })).body;
const groups = async (query: Query): Promise<[unknown, number, unknown][]> =>
  (await ask(query)).groups.map(({ key, count, value }: Loose) => [key, count, value]);

describe("P-01 a single value", () => {
  test("P-01 the response has exactly these fields", async () => {
    expect(await ask({ metric: "sum", field: "pages", "filter[genre]": "novel" })).toEqual({
      object: "aggregation",
      stream: "books",
      metric: "sum",
      field: "pages",
      filtered_record_count: 5,
      value: 320 + 320 + 44 + 500,
      approximate: false,
      connection_id: connection,
      connector_key: "library",
      display_name: "Shelf",
    });
  });

  test.each([
    [{ metric: "count" }, 12],
    [{ metric: "count", "filter[lent]": "true" }, 4],
    [{ metric: "sum", field: "price", "filter[price][lt]": "1" }, 0.1 + 0.2 + 0 - 3],
    [{ metric: "min", field: "pages" }, 0],
    [{ metric: "max", field: "pages" }, 1200],
    [{ metric: "min", field: "price" }, -3],
    [{ metric: "min", field: "title" }, ""],
    [{ metric: "max", field: "title" }, "𝒳-ray"],
    [{ metric: "min", field: "published_at" }, "2024-01-01T00:00:00.000Z"],
    [{ metric: "max", field: "published_at" }, "2025-01-01T00:00:00.500Z"],
    [{ metric: "min", field: "bought_on" }, "2023-12-31"],
    [{ metric: "max", field: "bought_on" }, "2024-10-27"],
    [{ metric: "avg", field: "price", "filter[genre]": "novel" }, (20 + 12.25 + 1e9 + 30) / 4],
    [{ metric: "avg", field: "pages", "filter[genre]": "essay" }, 600],
    [{ metric: "count_distinct", field: "genre" }, 5],
    [{ metric: "count_distinct", field: "pages" }, 9],
    [{ metric: "sum", field: "pages", "filter[genre]": "nothing" }, null],
    [{ metric: "avg", field: "pages", "filter[genre]": "nothing" }, null],
    [{ metric: "min", field: "pages", "filter[genre]": "nothing" }, null],
    [{ metric: "max", field: "bought_on", "filter[genre]": "nothing" }, null],
    [{ metric: "count_distinct", field: "genre", "filter[genre]": "nothing" }, 0],
  ])("P-01 %j returns %j", async (query: Query, expected) => {
    const { value } = await ask(query);
    if (typeof expected === "number" && !Number.isInteger(expected)) expect(value).toBeCloseTo(expected, 9);
    else expect(value).toBe(expected);
  });
});

describe("P-01 groups", () => {
  test("P-01 groups by value are sorted from largest to smallest, ties by count, with null as a separate group", async () => {
    expect(await groups({ metric: "count", group_by: "genre" })).toEqual([
      ["novel", 5, 5],
      ["essay", 2, 2],
      ["poem", 2, 2],
      ["", 1, 1],
      ["atlas", 1, 1],
      [null, 1, 1],
    ]);
    expect(await groups({ metric: "max", field: "pages", group_by: "lent" })).toEqual([
      [true, 4, 1200],
      [null, 4, 501],
      [false, 4, 320],
    ]);
    expect((await groups({ metric: "sum", field: "pages", group_by: "bought_on" }))[0]).toEqual([
      null,
      5,
      320 + 44 + 500 + 501,
    ]);
  });

  test("K-09 groups have the requested order, and groups beyond the limit are counted and summed", async () => {
    const sums = (query: Query) => ask({ metric: "sum", field: "pages", group_by: "genre", ...query });
    const whole = await sums({ limit: 100 });
    expect([whole.order_by, whole.other_count, whole.other_value]).toEqual(["-value", 0, undefined]);
    const total = (await ask({ metric: "sum", field: "pages" })).value;
    for (const order_by of ["value", "-value", "key", "-key", "count", "-count"]) {
      const all = await sums({ order_by, limit: 100 });
      const by = order_by.replace("-", "");
      const values = all.groups.map((group: Loose) => group[by]).filter((value: unknown) => value !== null);
      const ascending = order_by.startsWith("-") ? values.toReversed() : values;
      expect(ascending, order_by).toEqual(
        values.toSorted((a: never, b: never) =>
          typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : a - b,
        ),
      );
      const two = await sums({ order_by, limit: 2 });
      expect(two.groups, order_by).toEqual(all.groups.slice(0, 2));
      const sum = two.groups.reduce((so: number, { value }: Loose) => so + (value ?? 0), 0);
      expect(sum + two.other_value, order_by).toBe(total);
      expect(two.other_count).toBe(all.groups.slice(2).reduce((so: number, { count }: Loose) => so + count, 0));
    }
    const count = await ask({ metric: "count", group_by: "genre", limit: 1 });
    expect(count.other_value).toBe(count.other_count);
  });

  test("K-09 order_by needs a grouping and must be a known name", async () => {
    const { error } = await ask({ metric: "count", order_by: "key" });
    expect(error).toMatchObject({ code: "invalid_request", param: "order_by" });
    expect((await ask({ metric: "count", group_by: "genre", order_by: "size" })).error.code).toBe("invalid_request");
  });

  test("P-01 records in groups beyond the limit are counted in other_count", async () => {
    const body = await ask({ metric: "count", group_by: "genre", limit: 2 });
    expect([body.groups.length, body.limit, body.other_count, body.filtered_record_count]).toEqual([2, 2, 5, 12]);
    expect((await ask({ metric: "count", group_by: "genre" })).other_count).toBe(0);
  });

  test("P-01 groups by time are in ascending order in the requested time zone, even across clock changes", async () => {
    expect(await groups({ metric: "count", group_by_time: "published_at", granularity: "month" })).toEqual([
      ["2024-01", 3, 3],
      ["2024-02", 1, 1],
      ["2024-03", 2, 2],
      ["2024-10", 2, 2],
      ["2025-01", 2, 2],
      [null, 2, 2],
    ]);
    const hour = { metric: "count", group_by_time: "published_at", granularity: "hour", time_zone: "Europe/Berlin" };
    // On 31 March the hour from two to three does not exist. On 27 October it occurs twice.
    expect(
      await groups({ ...hour, "filter[published_at][gte]": "2024-03-31", "filter[published_at][lt]": "2024-04-01" }),
    ).toEqual([
      ["2024-03-31T01", 1, 1],
      ["2024-03-31T03", 1, 1],
    ]);
    expect(
      await groups({ ...hour, "filter[published_at][gte]": "2024-10-27", "filter[published_at][lt]": "2024-10-28" }),
    ).toEqual([["2024-10-27T02", 2, 2]]);
    expect(
      await groups({
        metric: "count",
        group_by_time: "published_at",
        granularity: "year",
        time_zone: "America/New_York",
        "filter[published_at][lt]": "2024-01-02",
      }),
    ).toEqual([["2023", 3, 3]]);
  });

  test.each([
    ["minute", "2024-02-01T10:00"],
    ["hour", "2024-02-01T10"],
    ["day", "2024-02-01"],
    ["week", "2024-01-29"],
    ["month", "2024-02"],
    ["quarter", "2024-Q1"],
    ["year", "2024"],
  ])("P-01 the key of a %s has the form %s", async (granularity, key) => {
    const body = await ask({ metric: "count", group_by_time: "published_at", granularity, "filter[id]": "b03" });
    expect(body).toMatchObject({
      group_by_time: "published_at",
      granularity,
      time_zone: "UTC",
      limit: 100,
      other_count: 0,
    });
    expect(body.groups).toEqual([{ key, count: 1, value: 1 }]);
  });

  test("P-01 dates do not shift with the time zone", async () => {
    const day = { metric: "count", group_by_time: "bought_on", granularity: "day", "filter[bought_on]": "2024-03-31" };
    for (const time_zone of ["UTC", "Pacific/Honolulu", "Asia/Tokyo"])
      expect(await groups({ ...day, time_zone })).toEqual([["2024-03-31", 1, 1]]);
  });

  test("P-01 the default granularity is a day, and the default limits are 10 for values and 100 for times", async () => {
    expect(await ask({ metric: "count", group_by_time: "bought_on" })).toMatchObject({
      granularity: "day",
      limit: 100,
    });
    expect(await ask({ metric: "count", group_by: "genre" })).toMatchObject({ limit: 10 });
  });
});

describe("P-01 refused requests", () => {
  test.each([
    [{ metric: "median" }, "metric"],
    [{}, "metric"],
    [{ metric: "sum" }, "field"],
    [{ metric: "count", field: "pages" }, "field"],
    [{ metric: "count", group_by: "genre", group_by_time: "published_at" }, "group_by"],
    [{ metric: "count", granularity: "day" }, "granularity"],
    [{ metric: "count", time_zone: "UTC" }, "granularity"],
    [{ metric: "count", group_by_time: "published_at", granularity: "decade" }, "granularity"],
    [{ metric: "count", group_by_time: "published_at", time_zone: "Mars/Olympus" }, "time_zone"],
    [{ metric: "count", group_by: "genre", limit: 101 }, "limit"],
    [{ metric: "count", group_by: "genre", limit: 0 }, "limit"],
  ])("P-01 %j is refused, and the error points to the parameter %s", async (query: Query, param) => {
    expect((await ask(query)).error).toMatchObject({ code: "invalid_request", param });
  });

  test.each([
    ["sum", "genre", "pages, price"],
    ["avg", "title", "pages, price"],
    ["min", "genre", "title, pages, price, bought_on, published_at"],
    ["count_distinct", "title", "genre, pages"],
  ])("P-01 %s of %s is refused, and the next step lists the allowed fields", async (metric, field, offered) => {
    const { error } = await ask({ metric, field });
    expect([error.code, error.param]).toEqual(["invalid_request", "field"]);
    for (const name of offered.split(", ")) expect(error.next_step).toContain(name);
    expect(error.next_step).not.toContain(field === "genre" ? "genre" : "notes");
  });

  test("P-01 grouping by a field that does not allow it is refused, and the next step lists the allowed fields", async () => {
    expect((await ask({ metric: "count", group_by: "title" })).error.next_step).toBe(
      "Use one of: genre, lent, bought_on.",
    );
    expect((await ask({ metric: "count", group_by_time: "title" })).error.next_step).toBe(
      "Use one of: bought_on, published_at.",
    );
    expect((await ask({ metric: "count", group_by: "nothing" })).error.code).toBe("unknown_field");
  });

  test("P-02 under a grant, only granted fields can be used and only granted records are counted", async () => {
    const { access_token: token } = await server.grant({
      selections: [
        { connection_id: connection, stream: "books", fields: ["genre", "pages"], since: "2024-03-01T00:00:00Z" },
      ],
    });
    expect((await ask({ metric: "count" }, token)).value).toBe(6);
    expect((await ask({ metric: "sum", field: "pages" }, token)).value).toBe(0 + 7 + 12 + 500 + 501);
    expect((await ask({ metric: "sum", field: "price" }, token)).error.code).toBe("field_not_granted");
    expect((await ask({ metric: "count", group_by: "secret" }, token)).error.code).toBe("field_not_granted");
    expect((await ask({ metric: "sum", field: "genre" }, token)).error.next_step).toBe("Use one of: pages.");
  });
});
