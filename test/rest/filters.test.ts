// K-03: filters by sets of values, by inequality and by presence, and invalid filters.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ids, type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, library } from "../library.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  await server.ingest("books", await server.connect("library", "My shelf"), BOOKS);
});
afterAll(() => server.close());

const list = (query: Query | [string, string][] = {}) => server.get("/v1/streams/books/records", { query });
const found = async (query: Query | [string, string][]): Promise<string[]> => {
  const { status, body, text } = await list(query);
  expect(status, text).toBe(200);
  return ids(body.data);
};

const ALL = BOOKS.map(({ key }) => String(key)).sort();

describe("K-03 filters by sets of values", () => {
  test("K-03 in and ne together select all records, and ne also matches records without a value", async () => {
    for (const [field, values] of [
      ["genre", ["novel"]],
      ["pages", ["320"]],
      ["lent", ["true"]],
      ["bought_on", ["2024-10-27"]],
      ["published_at", ["2024-02-01T10:00:00Z"]],
    ] as const) {
      const chosen = await found({ [`filter[${field}][in]`]: values.join(",") });
      const others = await found({ [`filter[${field}][ne]`]: values[0] });
      expect(chosen.length, field).toBeGreaterThan(0);
      expect([...chosen, ...others].sort(), field).toEqual(ALL);
      const there = await found({ [`filter[${field}][exists]`]: "true" });
      const missing = await found({ [`filter[${field}][exists]`]: "false" });
      expect([...there, ...missing].sort(), field).toEqual(ALL);
      expect(others, field).toEqual(expect.arrayContaining(missing));
      for (const record of BOOKS)
        expect(there.includes(String(record.key)), `${record.key} ${field}`).toBe(
          (record.data as Loose)[field] != null,
        );
    }
  });

  test("K-03 values that contain commas are passed one by one, and the link to the next page keeps them", async () => {
    const query: [string, string][] = [
      ["filter[title][in][]", "a, b"],
      ["filter[title][in][]", "𝒳-ray"],
      ["filter[genre][ne]", "nothing, really"],
    ];
    const { body } = await list(query);
    expect(body.data.map(({ id }: Loose) => id)).toEqual(["b06"]);
    const self = new URL(body.links.self, "http://x");
    expect(self.searchParams.getAll("filter[title][in][]")).toEqual(["a, b", "𝒳-ray"]);
    const first = (await list({ "filter[genre][ne]": "poem", limit: 3 })).body;
    const next = new URL(first.links.next, "http://x");
    const second = (await list([...next.searchParams] as [string, string][])).body;
    expect(second.data[0].id).not.toBe(first.data[0].id);
  });

  test.each([
    [[["filter[genre][in]", Array.from({ length: 101 }, (_, n) => n).join(",")]], /at most 100 values/],
    [[["filter[pages][in]", "1,many"]], /filter\[pages\]\[in\] needs a number, not "many"/],
    [[["filter[genre][exists]", "perhaps"]], /true or false, not "perhaps"/],
    [[["filter[notes][ne]", "x"]], /free text/],
    [[["filter[genre][like]", "x"]], /gte\|gt\|lte\|lt\|contains\|in\|ne\|exists/],
    [[["filter[genre][ne][]", "x"]], /filter\[FIELD\]/],
    [
      [
        ["filter[genre][ne]", "a"],
        ["filter[genre][ne]", "b"],
      ],
      /given twice/,
    ],
  ] as [[string, string][], RegExp][])(
    "K-03 %j is refused, and the error shows the correct form",
    async (query, message) => {
      const { error } = (await list(query)).body;
      expect(error.code).toBe("invalid_filter");
      expect(error.message).toMatch(message);
      expect(error.next_step).toMatch(/\S{3,}/);
    },
  );
});
