// P-01: listing records: the envelope, order, pages, filters, projections and counts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseHandle, type WindowHandle } from "../../src/contract/handle.ts";
import { ids, type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, book, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library", "My shelf");
  await server.ingest("books", connection, BOOKS);
  await server.ingest("authors", connection, AUTHORS);
});
afterAll(() => server.close());

const list = (query: Query | [string, string][] = {}, token?: string) =>
  server.get("/v1/streams/books/records", { query, ...(token === undefined ? {} : { token }) });
const found = async (query: Query | [string, string][], token?: string): Promise<string[]> => {
  const { status, body, text } = await list(query, token);
  expect(status, text).toBe(200);
  return ids(body.data);
};

const DESC = ["b11", "b12", "b08", "b07", "b05", "b04", "b03", "b06", "b02", "b01", "b10", "b09"];

/** No schedule refreshes the source of these records. */
const UNKNOWN = { status: "unknown", checked_at: null, next_check_at: null };

describe("P-01 the list envelope", () => {
  test("P-01 a list has exactly these fields", async () => {
    const { body } = await list({ limit: 1, count: "exact" });
    expect(body).toEqual({
      object: "list",
      url: "/v1/streams/books/records",
      data: [
        {
          object: "record",
          id: "b11",
          stream: "books",
          data: BOOKS[10]!.data,
          emitted_at: "2024-06-01T00:00:00.000Z",
          ingested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          connection_id: connection,
          connector_key: "library",
          display_name: "My shelf",
        },
      ],
      has_more: true,
      next_cursor: expect.any(String),
      connection_id: connection,
      connector_key: "library",
      display_name: "My shelf",
      links: {
        self: "/v1/streams/books/records?limit=1&count=exact",
        next: `/v1/streams/books/records?limit=1&count=exact&cursor=${body.next_cursor}`,
      },
      meta: { count: { kind: "exact", value: 12 }, freshness: UNKNOWN },
    });
  });

  test("P-01 the last page has neither next_cursor nor links.next, and links work as returned", async () => {
    const { body } = await list({ limit: 7, "filter[genre]": "novel" });
    expect([body.has_more, "next_cursor" in body, "next" in body.links]).toEqual([false, false, false]);
    const first = (await list({ limit: 2, "filter[pages][gte]": 1, sort: "-title", fields: "title,pages" })).body;
    const again = (await server.get(first.links.self)).body;
    expect(again.data).toEqual(first.data);
    const next = (await server.get(first.links.next)).body;
    expect(ids(next.data)).not.toEqual(expect.arrayContaining(ids(first.data)));
    expect(next.data).toHaveLength(2);
  });

  test("P-01 a limit above 100 is clamped with a warning, and invalid limits are refused", async () => {
    const { body } = await list({ limit: 101 });
    expect(body.meta.warnings).toEqual([
      { code: "limit_clamped", message: expect.stringContaining("100"), param: "limit" },
    ]);
    expect((await list({ limit: 100 })).body.meta).toEqual({ freshness: UNKNOWN });
    for (const limit of ["0", "-1", "1.5", "abc", "", "1e3", "99999999999999999"]) {
      const refused = await list({ limit });
      expect([refused.status, refused.body.error.code, refused.body.error.param], limit).toEqual([
        400,
        "invalid_request",
        "limit",
      ]);
    }
  });

  test.each([
    ["order", "up", "invalid_request"],
    ["count", "some", "invalid_request"],
    ["sort", "-", "unknown_field"],
    ["sort", "nothing", "unknown_field"],
    ["sort", "extra", "invalid_sort"],
    ["sort", "notes", "invalid_sort"],
    ["fields", "nothing", "unknown_field"],
    ["fields", "", "invalid_request"],
    ["view", "nothing", "invalid_request"],
    ["cursor", "nothing", "invalid_cursor"],
    ["changes_since", "nothing", "invalid_cursor"],
    ["expand", "nothing", "invalid_expand"],
    ["expand_limit[author]", "0", "invalid_request"],
    ["expand_limit[author]", "x", "invalid_request"],
    ["expand_limit", "1", "invalid_expand"],
    ["filter", "x", "invalid_filter"],
    ["filter[]", "x", "invalid_filter"],
    ["filter[title", "x", "invalid_filter"],
    ["filter[title][like]", "x", "invalid_filter"],
    ["filter[title][gte][x]", "x", "invalid_filter"],
    ["connection_id", "cin_nowhere", "connection_not_found"],
    ["connection_id", "", "invalid_request"],
  ])("P-01 %s=%s is refused with %s", async (name, value, code) => {
    const { status, body } = await list([[name, value]]);
    expect([body.error?.code, body.error?.param?.replace(/[[.].*/, "")]).toEqual([code, name.replace(/\[.*/, "")]);
    expect(status).toBeLessThan(500);
  });

  test("P-01 contradictory or repeated conditions are refused", async () => {
    for (const query of [
      [
        ["filter[genre]", "a"],
        ["filter[genre]", "b"],
      ],
      [
        ["filter[pages]", "1"],
        ["filter[pages][gte]", "1"],
      ],
      [
        ["filter[pages][gte]", "1"],
        ["filter[pages]", "1"],
      ],
      [
        ["filter[pages][gte]", "1"],
        ["filter[pages][gte]", "2"],
      ],
    ] as [string, string][][]) {
      expect((await list(query)).body.error.code).toBe("invalid_filter");
    }
    expect((await list({ sort: "-title", order: "asc" })).body.error.code).toBe("invalid_sort");
    const limits: [string, string][] = [
      ["expand", "author"],
      ["expand_limit[author]", "1"],
      ["expand_limit[author]", "2"],
    ];
    expect((await list(limits)).body.error.code).toBe("invalid_expand");
    expect((await list({ fields: "title", view: "card" })).body.error).toMatchObject({
      code: "invalid_request",
      param: "view",
    });
    const many = Array.from({ length: 21 }, (_, index) => [`filter[f${index}]`, "1"] as [string, string]);
    expect((await list(many)).body.error.code).toBe("invalid_request");
  });
});

describe("P-01 order", () => {
  test("P-01 the default order is cursor_field, then key, descending; records without a time are last in both directions", async () => {
    expect(await found({})).toEqual(DESC);
    expect(await found({ order: "asc" })).toEqual([...DESC.slice(0, 10).reverse(), "b09", "b10"]);
  });

  const VALUES = (field: string) => BOOKS.map((line) => ({ id: line.key as string, value: line.data![field] ?? null }));
  const codePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const rank = (field: string, value: Loose): number | string =>
    field === "published_at" || field === "bought_on"
      ? Date.parse(value)
      : typeof value === "boolean"
        ? Number(value)
        : value;

  test.each(["id", "title", "genre", "pages", "price", "lent", "bought_on", "published_at", "author_id"])(
    "P-01 sort=%s works in both directions, with ties by id and nulls last",
    async (field) => {
      for (const descending of [false, true]) {
        const sign = descending ? -1 : 1;
        const expected = VALUES(field)
          .sort((a, b) => {
            if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
            const [left, right] = [rank(field, a.value), rank(field, b.value)];
            const byValue =
              a.value === null
                ? 0
                : typeof left === "string"
                  ? codePoints(left, right as string)
                  : left - (right as number);
            return sign * (byValue || codePoints(a.id, b.id));
          })
          .map(({ id }) => id);
        const sort = descending ? `-${field}` : field;
        expect(await found({ sort })).toEqual(expected);
        expect(ids(await server.all("/v1/streams/books/records", { query: { sort, limit: 1 } }))).toEqual(expected);
      }
    },
  );

  test("P-01 order=desc reverses sort", async () => {
    expect(await found({ sort: "pages", order: "desc" })).toEqual(await found({ sort: "-pages" }));
  });

  test("P-01 a stream without cursor_field is ordered by id", async () => {
    const { body } = await server.get("/v1/streams/authors/records");
    expect(ids(body.data)).toEqual(["a2", "a1"]);
  });
});

describe("P-01 pages", () => {
  test.each([
    {},
    { order: "asc" },
    { sort: "genre" },
    { sort: "-price" },
    { "filter[lent]": "true" },
    { sort: "title", "filter[pages][gt]": "1" },
  ])("P-01 pages of %j records add up to the whole list, in order, without duplicates", async (query: Query) => {
    const whole = await found(query);
    for (const limit of [1, 2, 3, 5, 11, 12]) {
      expect(ids(await server.all("/v1/streams/books/records", { query: { ...query, limit } }))).toEqual(whole);
    }
  });

  test("P-01 pages stay complete and stable while records are added, changed and deleted", async () => {
    const place = await server.connect("library", "Busy");
    const at = (n: number): string => new Date(Date.UTC(2024, 0, 1) + n * 1000).toISOString();
    const steady = Array.from({ length: 60 }, (_, n) =>
      book(`s${String(n).padStart(3, "0")}`, { published_at: at(n * 10), genre: "g" }),
    );
    await server.ingest("books", place, steady);
    for (const query of [{}, { order: "asc" }, { sort: "title" }, { "filter[genre]": "g" }]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      let round = 0;
      do {
        const { body } = await list({
          ...query,
          connection_id: place,
          limit: 7,
          ...(cursor === undefined ? {} : { cursor }),
        });
        seen.push(...ids(body.data));
        cursor = body.next_cursor;
        round++;
        await server.ingest("books", place, [book(`n${round}`, { published_at: at(round * 37), genre: "g" })]);
        await server.ingest("books", place, [{ key: `n${round}`, op: "delete" }]);
      } while (cursor !== undefined);
      expect(seen.filter((id) => id.startsWith("s")).sort()).toEqual(steady.map(({ key }) => key));
      expect(new Set(seen).size).toBe(seen.length);
    }
    await server.call("DELETE", `/v1/connections/${place}`);
  });
});

describe("P-01 filters", () => {
  test.each([
    ["filter[genre]", "novel", ["b11", "b03", "b02", "b10", "b09"]],
    ["filter[genre]", "", ["b08"]],
    ["filter[title]", "𝒳-ray", ["b06"]],
    ["filter[title]", "BETA", []],
    ["filter[pages]", "320", ["b03", "b02"]],
    ["filter[pages]", "320.0", ["b03", "b02"]],
    ["filter[price]", "0.1", ["b06"]],
    ["filter[price]", "1e9", ["b09"]],
    ["filter[lent]", "true", ["b07", "b04", "b06", "b01"]],
    ["filter[lent]", "false", ["b08", "b05", "b02", "b09"]],
    ["filter[bought_on]", "2024-10-27", ["b08", "b07"]],
    ["filter[published_at]", "2024-02-01T10:00:00Z", ["b03"]],
    ["filter[published_at]", "2024-02-01T11:00:00+01:00", ["b03"]],
    ["filter[id]", "b01", ["b01"]],
    ["filter[pages][gte]", "500", ["b12", "b06", "b11"].sort((a, b) => DESC.indexOf(a) - DESC.indexOf(b))],
    ["filter[pages][gt]", "500", ["b12", "b06"]],
    ["filter[pages][lte]", "7", ["b07", "b05"]],
    ["filter[pages][lt]", "7", ["b05"]],
    ["filter[price][lt]", "0", ["b08"]],
    ["filter[title][gte]", "𝒳", ["b06"]],
    ["filter[title][lt]", "B", ["b08"]],
    ["filter[bought_on][gte]", "2024-04-01", ["b08", "b07", "b05"]],
    ["filter[bought_on][lt]", "2024-01-01", ["b06"]],
    ["filter[published_at][gte]", "2025-01-01", ["b11", "b12"]],
    ["filter[published_at][gt]", "2025-01-01T00:00:00.250Z", ["b11"]],
    ["filter[published_at][lte]", "2024-01-01T00:00:00Z", ["b02", "b01"]],
    ["filter[genre][in]", "novel", ["b11", "b03", "b02", "b10", "b09"]],
    ["filter[genre][in][]", "novel,", []],
    ["filter[pages][in]", "7,320,500.0", ["b11", "b07", "b03", "b02"]],
    ["filter[lent][in]", "true,false", ["b08", "b07", "b05", "b04", "b06", "b02", "b01", "b09"]],
  ])("P-01 K-03 %s=%s finds exactly the expected records", async (name, value, expected) => {
    expect(await found([[name, value]])).toEqual(expected);
    expect(
      (
        await list([
          [name, value],
          ["count", "exact"],
          ["limit", "1"],
        ])
      ).body.meta.count.value,
    ).toBe(expected.length);
  });

  test("P-01 several conditions must all be true", async () => {
    expect(await found({ "filter[genre]": "novel", "filter[pages][gte]": 100, "filter[pages][lt]": 400 })).toEqual([
      "b03",
      "b02",
    ]);
    expect(await found({ "filter[pages][gt]": 5, "filter[pages][lt]": 5 })).toEqual([]);
  });

  test.each([
    ["filter[pages]", "many"],
    ["filter[pages]", ""],
    ["filter[pages]", "NaN"],
    ["filter[pages]", "Infinity"],
    ["filter[lent]", "yes"],
    ["filter[lent]", ""],
    ["filter[bought_on]", "2024-02-30"],
    ["filter[published_at]", "yesterday"],
    ["filter[published_at][gte]", "2024-13-01T00:00:00Z"],
    ["filter[price][gt]", "1"],
    ["filter[genre][gte]", "a"],
    ["filter[notes]", "thin"],
    ["filter[extra]", "x"],
    ["filter[cover]", "x"],
  ])("P-01 %s=%s is refused with invalid_filter", async (name, value) => {
    const { status, body } = await list([[name, value]]);
    expect([status, body.error.code]).toEqual([400, "invalid_filter"]);
    expect(body.error.param).toContain(/\[(\w+)\]/.exec(name)![1]);
  });

  test("P-01 a filter on free text is refused, and the next step suggests search", async () => {
    expect((await list({ "filter[notes]": "thin" })).body.error.next_step).toContain("/v1/search");
  });

  test('P-01 an unknown field returns unknown_field to the owner, including names like "constructor"', async () => {
    for (const name of ["nothing", "constructor", "toString"]) {
      expect((await list([[`filter[${name}]`, "x"]])).body.error, name).toMatchObject({ code: "unknown_field" });
    }
  });

  test("P-01 a filter on __proto__ is refused, not ignored", async () => {
    for (const name of ["filter[__proto__]", "filter[__proto__][gte]", "expand_limit[__proto__]"]) {
      expect((await list([[name, "1"]])).body.error, name).toMatchObject({
        code: "invalid_request",
        param: name.replace("[gte]", ""),
      });
    }
  });

  test("P-02 a field outside the grant returns field_not_granted for filter, sort and fields, whether it exists or not", async () => {
    const { access_token: token } = await server.grant({
      selections: [{ connection_id: connection, stream: "books", fields: ["title", "genre"] }],
    });
    for (const field of ["secret", "pages", "nothing", "constructor"]) {
      for (const query of [
        { [`filter[${field}]`]: "1" },
        { [`filter[${field}][gte]`]: "1" },
        { sort: field },
        { fields: field },
      ]) {
        const { status, body } = await list(query, token);
        expect([status, body.error.code], JSON.stringify(query)).toEqual([403, "field_not_granted"]);
        expect(body.error.message.replace(field, "F")).toBe('the grant does not include the field "F"');
      }
    }
    expect(await found({ "filter[genre]": "essay" }, token)).toEqual(["b06", "b05"]);
    expect(Object.keys((await list({ limit: 1 }, token)).body.data[0].data)).toEqual(["id", "title", "genre"]);
  });
});

describe("P-01 projections and counts", () => {
  test("P-01 fields and views show the listed fields and the key", async () => {
    for (const query of [
      { fields: "title,genre" },
      { view: "card" },
      [
        ["fields[]", "title"],
        ["fields[]", "genre"],
      ] as [string, string][],
    ]) {
      const { body } = await list(query);
      expect(Object.keys(body.data[0].data).sort()).toEqual(["genre", "id", "title"]);
    }
    expect((await list({ fields: "pages" })).body.data.find((record: Loose) => record.id === "b10").data).toEqual({
      id: "b10",
    });
  });

  test("P-01 a view under a grant shows only its granted fields", async () => {
    const { access_token: token } = await server.grant({
      selections: [{ connection_id: connection, stream: "books", fields: ["genre", "pages"] }],
    });
    expect(Object.keys((await list({ view: "card", limit: 1 }, token)).body.data[0].data)).toEqual(["id", "genre"]);
  });

  test("K-11 long texts in a list are cut and have a handle for the rest; texts=full returns them completely", async () => {
    const notes = `😀${"long ".repeat(50_000)}`;
    await server.ingest("books", connection, [
      book("lengthy", { notes, title: "x".repeat(2000), author_id: "lengthy", published_at: "2030-01-01T00:00:00Z" }),
    ]);
    for (const connection_id of [connection, "all"]) {
      const { body, text } = await list({ limit: 3, connection_id });
      expect(text.length).toBeLessThan(10_000);
      const { data, cut } = body.data[0];
      expect([data.title.length, [...data.notes].length]).toEqual([2000, 1000]);
      expect(cut).toEqual([
        { field: "notes", shown_chars: 1000, total_chars: [...notes].length, next_handle: expect.any(String) },
      ]);
      const { field, offset, revision } = parseHandle(cut[0].next_handle) as WindowHandle;
      const query = { field, offset_chars: offset!, revision: revision! };
      const { window } = (await server.get("/v1/streams/books/records/lengthy/field-window", { query })).body;
      expect(notes.startsWith(data.notes + window.text)).toBe(true);
      const whole = (await list({ limit: 1, connection_id, texts: "full" })).body.data[0];
      expect([whole.data.notes, whole.cut]).toEqual([notes, undefined]);
      // Pages with cut texts and pages with full texts share cursors.
      const cursor = (await list({ limit: 1, connection_id })).body.next_cursor;
      expect(ids((await list({ limit: 1, connection_id, texts: "full", cursor })).body.data)).toEqual(["b11"]);
    }
    // The change feed always has full texts.
    const feed = await server.all("/v1/streams/books/records", { query: { changes_since: "beginning" } });
    expect(feed.find(({ id }) => id === "lengthy").data.notes).toBe(notes);
    await server.ingest("books", connection, [{ key: "lengthy", op: "delete" }]);
  });

  test('P-01 the count is omitted by default, and "exact" and "estimated" both return the exact count', async () => {
    expect((await list()).body.meta).toEqual({ freshness: UNKNOWN });
    expect((await list({ count: "none" })).body.meta).toEqual({ freshness: UNKNOWN });
    for (const count of ["exact", "estimated"]) {
      expect((await list({ count, limit: 2 })).body.meta.count.value).toBe(12);
      expect((await list({ count, limit: 2, "filter[genre]": "novel" })).body.meta.count.value).toBe(5);
    }
  });

  test("X-13 a record shows when and from where it was ingested, and this stays the same until the record changes", async () => {
    const place = await server.connect("library", "Provenance");
    const provenance = { run_id: "run_1", file: "export.zip", digest: "sha256:ab", entry: "a/b.json", offset: 7 };
    const before = Date.now();
    await server.ingest("books", place, [
      { ...book("p1", { title: "one" }), provenance, emitted_at: "2024-05-05T05:05:05+02:00" },
      book("p2"),
    ]);
    const read = async (id: string) =>
      (await server.get(`/v1/streams/books/records/${id}`, { query: { connection_id: place } })).body;
    const first = await read("p1");
    expect(first.provenance).toEqual(provenance);
    expect(first.emitted_at).toBe("2024-05-05T03:05:05.000Z");
    expect(Date.parse(first.ingested_at)).toBeGreaterThanOrEqual(before);
    expect("provenance" in (await read("p2"))).toBe(false);
    await server.ingest("books", place, [{ ...book("p1", { title: "one" }), provenance: { run_id: "run_2" } }]);
    expect((await read("p1")).provenance).toEqual(provenance);
    await server.ingest("books", place, [{ ...book("p1", { title: "two" }), provenance: { run_id: "run_3" } }]);
    expect((await read("p1")).provenance).toEqual({ run_id: "run_3" });
    const { access_token: token } = await server.grant({
      selections: [{ connection_id: place, stream: "books", fields: ["genre"] }],
    });
    const granted = (await server.get("/v1/streams/books/records/p1", { token })).body;
    // Only a hidden field changed, so for this app the record is still the one from the first run.
    expect([granted.emitted_at, granted.ingested_at]).toEqual([first.ingested_at, first.ingested_at]);
    // Only the owner sees the provenance (G-02).
    expect(granted).not.toHaveProperty("provenance");
    await server.call("DELETE", `/v1/connections/${place}`);
  });

  test("G-01 G-02 the emitted_at that an app sees does not depend on a hidden field with the same value", async () => {
    const place = await server.connect("library", "Emission");
    const claimed = "2024-05-05T03:05:05.000Z";
    await server.ingest("books", place, [
      { ...book("same", { title: "hidden", published_at: claimed }), emitted_at: claimed },
      { ...book("other", { title: "hidden", published_at: "2023-01-01T00:00:00Z" }), emitted_at: claimed },
    ]);
    const { access_token: token } = await server.grant({
      selections: [{ connection_id: place, stream: "books", fields: ["genre"] }],
    });
    const seen: Loose[] = (await server.get("/v1/streams/books/records", { token })).body.data;
    expect(seen).toHaveLength(2);
    for (const { emitted_at, ingested_at } of seen) expect(emitted_at).toBe(ingested_at);
    const owners: Loose[] = (await server.get("/v1/streams/books/records", { query: { connection_id: place } })).body
      .data;
    const emitted = new Map(owners.map(({ id, emitted_at }) => [id, emitted_at]));
    expect(emitted.get("other")).toBe(claimed);
    expect(emitted.get("same")).toBe(seen[0]!.ingested_at);
    await server.call("DELETE", `/v1/connections/${place}`);
  });
});
