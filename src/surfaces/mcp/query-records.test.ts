// Tests query_records: pages limited by count or by bytes, typed filters, one source, and relations only if they exist.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import { book } from "../../../test/library.ts";
import { type Gate, libraryGate, recordHandles, recordIds, resultBytes, textAndDataBytes } from "../../../test/mcp.ts";

let gate: Gate;
let books: { stream: string; connection_id: string };

beforeAll(async () => {
  gate = await libraryGate();
  books = { stream: "books", connection_id: gate.home };
});
afterAll(() => gate.close());

describe("a page", () => {
  it("E-14 shows the count, the cursor and why the page ended, in text and in structured content", async () => {
    const { text, structuredContent } = await gate.call("query_records", { ...books, limit: 5, count: "exact" });
    expect(structuredContent).toMatchObject({
      has_more: true,
      count: { kind: "exact", value: 12 },
      page_ended_by: "limit",
    });
    expect(text).toContain("count: 12 (exact)");
    expect(text).toContain(`next_cursor: ${structuredContent.next_cursor}`);
    expect(text).toContain("page_ended_by: limit");
    expect(text).toContain(JSON.stringify(structuredContent.record_handle));
    for (const id of recordIds(structuredContent)) expect(text).toContain(id);
  });

  it("E-14 shows next_changes_since at the end of a list of changes", async () => {
    const { text, structuredContent } = await gate.call("query_records", {
      ...books,
      changes_since: "beginning",
      limit: 100,
    });
    expect(structuredContent.next_changes_since).toBeTruthy();
    expect(text).toContain(`next_changes_since: ${structuredContent.next_changes_since}`);
    const later = await gate.call("query_records", { ...books, changes_since: structuredContent.next_changes_since });
    expect(later.structuredContent.data).toEqual([]);
  });

  it("K-05 pages over all connections, with a separate handle for each record", async () => {
    const args = { stream: "books", connection_id: "all", fields: ["title"], limit: 6 };
    const first = await gate.call("query_records", { ...args, count: "exact" });
    expect(first.structuredContent).toMatchObject({ connection_id: "all", count: { value: 14 }, has_more: true });
    const ids = recordIds(first.structuredContent);
    expect(ids).toEqual(["b11", "b12", "b08", "b07", "c02", "c01"]);
    const [shelf, , , , handle] = recordHandles(first.structuredContent);
    expect([shelf, handle]).toEqual([`${gate.home}/books:b11`, `${gate.cabin}/books:c02`]);
    expect(first.text).toContain(handle);
    const fetched = await gate.call("fetch", { id: handle });
    expect(fetched.structuredContent.title).toBe("Small heron");
    const next = await gate.call("query_records", { ...args, cursor: first.structuredContent.next_cursor });
    expect(recordIds(next.structuredContent)).toHaveLength(6);
    for (const id of recordIds(next.structuredContent)) expect(ids).not.toContain(id);
  });

  it("E-19 fields narrows the payload to the requested fields and the key", async () => {
    const { text, structuredContent } = await gate.call("query_records", { ...books, fields: ["title"] });
    for (const { data } of structuredContent.data)
      expect(Object.keys(data).filter((name) => name !== "title")).toEqual(["id"]);
    expect(JSON.stringify(structuredContent)).not.toMatch(/thin but dense|genre|pages/);
    expect(text).not.toMatch(/thin but dense|genre|pages/);
  });

  it("E-26 C-05 gives connection_id, connector_key and stream once and an id for each record; a display name selects nothing", async () => {
    const { structuredContent } = await gate.call("query_records", { ...books, limit: 1 });
    expect(structuredContent).toMatchObject({
      connection_id: gate.home,
      connector_key: "library",
      display_name: "Home shelf",
      stream: "books",
      record_handle: `${gate.home}/books:{id}`,
    });
    expect(Object.keys(structuredContent.data[0])).toEqual(["data"]);
    expect(recordIds(structuredContent)).toEqual(["b11"]);
    const byName = await gate.call("query_records", { stream: "books", connection_id: "Home shelf" });
    expect(byName.structuredContent.error.code).toBe("connection_not_found");
  });
});

describe("the byte budget", () => {
  it("X-06 ends a page early and says so, and the next page neither skips nor repeats records", async () => {
    const wide = Array.from({ length: 40 }, (_, index) =>
      book(`w${String(index).padStart(2, "0")}`, {
        title: `Wide ${index}`,
        notes: `${index} ${"word ".repeat(150)}`,
        published_at: `2020-01-${String((index % 28) + 1).padStart(2, "0")}T00:00:00Z`,
      }),
    );
    const connection_id = await gate.server.connect("library", "Wide shelf");
    await gate.server.ingest("books", connection_id, wide);
    const { access_token } = await gate.server.grant({ selections: [{ connection_id, stream: "books" }] });
    const seen: string[] = [];
    let cursor: string | undefined;
    let byBytes = 0;
    do {
      const args = { stream: "books", limit: 40, ...(cursor === undefined ? {} : { cursor }) };
      const result = await gate.call("query_records", args, access_token);
      expect(resultBytes(result)).toBeLessThanOrEqual(20_000);
      const { has_more, next_cursor, page_ended_by } = result.structuredContent;
      if (has_more) {
        expect(page_ended_by).toBe("bytes");
        expect(result.text).toContain("page_ended_by: bytes");
        byBytes++;
      }
      seen.push(...recordIds(result.structuredContent));
      cursor = next_cursor;
    } while (cursor !== undefined);
    expect(byBytes).toBeGreaterThan(1);
    expect(seen).toHaveLength(40);
    expect(new Set(seen).size).toBe(40);
  });

  it.each([
    ["a long text", { notes: "long ".repeat(100_000) }],
    ["a large JSON value", { extra: { rows: Array.from({ length: 5000 }, (_, index) => ({ index, text: "row" })) } }],
    [
      "long texts everywhere",
      {
        title: "t".repeat(50_000),
        genre: "g".repeat(50_000),
        notes: "😀".repeat(50_000),
        secret: '"\n'.repeat(50_000),
      },
    ],
  ])("X-06 L-04 a record with %s is shown in part, with the id of the rest", async (_what, data) => {
    const connection_id = await gate.server.connect("library", "One");
    await gate.server.ingest("books", connection_id, [book("one", data)]);
    const { access_token } = await gate.server.grant({ selections: [{ connection_id, stream: "books" }] });
    const result = await gate.call("query_records", { stream: "books" }, access_token);
    expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
    const { cut } = result.structuredContent.data[0];
    expect(cut.map((row: Loose) => row.field)).toEqual(Object.keys(data));
    for (const { next_id, shown_chars, total_chars } of cut) {
      expect(total_chars).toBeGreaterThan(shown_chars);
      expect(result.text).toContain(JSON.stringify(next_id));
      const window = await gate.call("fetch", { id: next_id }, access_token);
      expect(window.structuredContent.metadata).toMatchObject({ start_chars: shown_chars, total_chars });
    }
  });

  it("X-06 a record with very many fields says how many are not shown", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`field_number_${index}`, { type: "string" }]),
    );
    const declaration = {
      protocol_version: "0.1.0",
      source: { kind: "connector", id: "https://test.example/many" },
      declaration_version: "1",
      publisher: { id: "test" },
      display: { name: "Many" },
      streams: [
        {
          name: "many",
          semantics: "append_only",
          primary_key: ["field_number_0"],
          schema: { type: "object", properties },
        },
      ],
    };
    await gate.server.register("many", declaration);
    const connection_id = await gate.server.connect("many");
    const data = Object.fromEntries(Object.keys(properties).map((name) => [name, "v".repeat(100)]));
    await gate.server.ingest("many", connection_id, [{ key: data.field_number_0!, data }]);
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    for (const [tool, args] of [
      ["query_records", { stream: "many" }],
      ["fetch", { id: `many:${data.field_number_0}` }],
    ] as const) {
      const result = await gate.call(tool, args, access_token);
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      expect(result.text).toMatch(/more fields: /);
    }
  });
});

describe("arguments", () => {
  const cases: [string, object, string, string][] = [
    ["a string", { filter: "genre=poem" }, "invalid_filter", '"filter":{"genre":"poem"}'],
    ["a range in a string", { filter: "pages>=300" }, "invalid_filter", '"filter":{"pages":{"gte":"300"}}'],
    ["JSON in a string", { filter: '{"genre":"poem"}' }, "invalid_filter", '"filter":{"genre":"poem"}'],
    ["an empty object", { filter: {} }, "invalid_filter", 'query_records({"stream":"books"})'],
    ["pre-encoded brackets", { filter: { "filter[genre]": "poem" } }, "invalid_filter", '"filter":{"genre":"poem"}'],
    ["brackets of a range", { filter: { "pages[gte]": 300 } }, "invalid_filter", '"filter":{"pages":{"gte":300}}'],
    ["an argument with brackets", { "filter[genre]": "poem" }, "invalid_filter", '"filter":{"genre":"poem"}'],
    [
      "a list",
      { filter: [{ field: "genre", op: "eq", value: "poem" }] },
      "invalid_filter",
      '"filter":{"genre":"poem"}',
    ],
    [
      "an operator from another query language",
      { filter: { pages: { $gte: 300 } } },
      "invalid_filter",
      '"filter":{"pages":{"gte":300}}',
    ],
    [
      "a list of values",
      { filter: { genre: ["poem", "novel"] } },
      "invalid_filter",
      '"filter":{"genre":{"in":["poem","novel"]}}',
    ],
    ["K-03 null", { filter: { genre: null } }, "invalid_filter", '"filter":{"genre":{"exists":false}}'],
    ["K-03 $ne", { filter: { genre: { $ne: "poem" } } }, "invalid_filter", '"filter":{"genre":{"ne":"poem"}}'],
    ["K-03 not null", { filter: { genre: { ne: null } } }, "invalid_filter", '"filter":{"genre":{"exists":true}}'],
    ["K-03 !=", { filter: "genre!=poem" }, "invalid_filter", '"filter":{"genre":{"ne":"poem"}}'],
    [
      "K-03 $in with another condition",
      { filter: { genre: { $in: ["poem"] }, pages: { gte: 3 } } },
      "invalid_filter",
      '"filter":{"genre":{"in":["poem"]},"pages":{"gte":3}}',
    ],
    ["the older alias", { connector_instance_id: "cin_x" }, "invalid_request", '"connection_id":"cin_x"'],
    ["a number as text", { limit: "5" }, "invalid_request", '"limit":5'],
    ["names as text", { fields: "title, genre" }, "invalid_request", '"fields":["title","genre"]'],
    ["an unknown argument", { where: "x" }, "invalid_request", 'query_records({"stream":"books"})'],
  ];

  it.each(cases)("L-14 %s is refused, and the result has the correct call", async (_what, args, code, call) => {
    const { isError, text, structuredContent } = await gate.call("query_records", { stream: "books", ...args });
    expect(isError).toBe(true);
    expect(structuredContent.error.code).toBe(code);
    expect(structuredContent.error.next_step).toContain(call);
    expect(text).toContain(call);
  });

  it.each(cases.slice(0, 15))("L-14 %s is also refused on aggregate", async (_what, args, code) => {
    const { structuredContent } = await gate.call("aggregate", { stream: "books", metric: "count", ...args });
    expect(structuredContent.error.code).toBe(code);
  });

  it("L-14 a missing argument appears in the suggested call", async () => {
    const { structuredContent } = await gate.call("query_records", {});
    expect(structuredContent.error).toMatchObject({ param: "stream", message: "stream is missing" });
    expect(structuredContent.error.next_step).toContain('query_records({"stream":"STREAM"})');
  });

  it("L-14 an error stays small, no matter what was sent", async () => {
    const huge = "x".repeat(100_000);
    for (const args of [
      { [huge]: 1 },
      { filter: huge },
      { filter: { [huge]: [1] } },
      { filter: { [`${huge}[`]: 1 } },
      { sort: huge },
      { cursor: huge },
      { fields: [huge] },
      { limit: huge },
    ]) {
      const result = await gate.call("query_records", { ...books, ...args });
      expect(result.isError).toBe(true);
      for (const size of textAndDataBytes(result)) expect(size).toBeLessThanOrEqual(4_000);
    }
  });

  it("null counts as a missing argument, because strict hosts send it", async () => {
    const { isError } = await gate.call("query_records", { ...books, filter: null, cursor: null, limit: 2 });
    expect(isError).toBeUndefined();
  });
});

describe("errors", () => {
  it("E-22 C-06 with several sources, a typed error lists them all, with the call to make", async () => {
    const { text, structuredContent } = await gate.call("query_records", { stream: "books", limit: 3 });
    const { error } = structuredContent;
    expect(error).toMatchObject({
      code: "ambiguous_connection",
      retry_with: "connection_id",
      available_connections_total: 2,
      available_connections_truncated: false,
    });
    for (const row of error.available_connections) {
      expect(Object.keys(row).sort()).toEqual(["connection_id", "connector_key", "display_name", "grant_id"]);
      expect(text).toContain(`${row.connection_id} ${JSON.stringify(row.display_name)}`);
      expect(text).toContain(row.grant_id);
    }
    expect(text).toContain(`query_records({"stream":"books","limit":3,"connection_id":"${gate.home}"})`);
    expect(text).toContain("schema({})");
  });

  it("L-02 a filter that finds nothing suggests how to search, in text and structured content", async () => {
    const { text, structuredContent } = await gate.call("query_records", { ...books, filter: { genre: "nov" } });
    expect(structuredContent).toMatchObject({ data: [], note: expect.stringContaining("search") });
    expect(text).toContain(structuredContent.note);
  });

  it.each([
    ["a cursor of another query", { cursor: "AAAA" }, "invalid_cursor", /query_records\(.*\) starts again/],
    ["an invalid token", { changes_since: "AAAA" }, "invalid_cursor", /"changes_since":"beginning".* starts over/],
    [
      "an unknown field",
      { filter: { nope: 1 } },
      "field_not_granted",
      /schema\(\{"stream":"books","connection_id":"cin_/,
    ],
    ["a field that cannot be sorted by", { sort: "extra" }, "invalid_sort", /schema\(\{"stream":"books"/],
    ["a relation that does not exist", { expand: ["nope"] }, "invalid_expand", /schema\(\{"stream":"books"/],
  ])("L-14 %s suggests the next call in text and structured content", async (_what, args, code, step) => {
    const { text, structuredContent } = await gate.call("query_records", { ...books, ...args });
    expect(structuredContent.error.code).toBe(code);
    expect(structuredContent.error.next_step).toMatch(step);
    expect(text).toMatch(step);
  });
});

describe("expand", () => {
  it("F-05 for a stream whose current schema offers no relations, the call is refused before records are read", async () => {
    for (const [tool, args] of [
      ["query_records", { stream: "loans", expand: ["book"] }],
      ["query_records", { stream: "loans", expand_limit: { book: 2 } }],
      ["fetch", { id: "loans:x", expand: ["book"] }],
    ] as const) {
      const { text, structuredContent } = await gate.call(tool, args);
      expect(structuredContent.error.code).toBe("invalid_expand");
      expect(structuredContent.error.message).toContain("loans");
      expect(text).toContain("GET /v1/schema (expand_capabilities)");
    }
    const { body } = await gate.server.get("/v1/activity", { query: { limit: 6 } });
    expect(body.data.filter((row: Loose) => row.stream === "loans" && row.action !== "schema")).toEqual([]);
  });

  it("F-05 an unknown stream is passed on, and the resource server's error is returned", async () => {
    const { structuredContent } = await gate.call("query_records", { stream: "nope", expand: ["x"] });
    expect(structuredContent.error.code).toBe("grant_stream_not_allowed");
  });

  it("F-05 a relation that the schema offers is expanded, in text and structured content", async () => {
    const { text, structuredContent } = await gate.call("query_records", {
      ...books,
      filter: { genre: "poem" },
      expand: ["author", "loans"],
    });
    const record = structuredContent.data.find((row: Loose) => row.data.id === "b01");
    expect(record.expanded.loans).toMatchObject({ has_more: true });
    expect(record.expanded.author.data[0].data.name).toBe("Ada");
    expect(text).toContain(record.expanded.author.data[0].handle);
  });

  it("X-06 F-05 if more related records exist than fit, some are shown, and the result says so", async () => {
    const connection_id = await gate.server.connect("library", "Many loans");
    await gate.server.ingest("authors", connection_id, [{ key: "a1", data: { id: "a1", name: "n".repeat(1900) } }]);
    await gate.server.ingest(
      "books",
      connection_id,
      Array.from({ length: 40 }, (_, index) =>
        book(`x${index}`, {
          author_id: "a1",
          title: "t".repeat(1500),
          notes: "n".repeat(1900),
          secret: "s".repeat(1900),
          genre: "g".repeat(1900),
        }),
      ),
    );
    await gate.server.ingest(
      "loans",
      connection_id,
      Array.from({ length: 3 }, (_, index) => ({
        key: ["x0", `2024-01-0${index + 1}`],
        data: { book_id: "x0", day: `2024-01-0${index + 1}`, to: "k".repeat(1900) },
      })),
    );
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    for (const [tool, args] of [
      ["query_records", { stream: "books", filter: { id: "x0" }, expand: ["loans", "author"] }],
      ["fetch", { id: "books:x0", expand: ["loans", "author"] }],
    ] as const) {
      const result = await gate.call(tool, args, access_token);
      expect(result.isError, result.text).toBeUndefined();
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
    }
  });

  it("F-05 a schema change takes effect at the next call", async () => {
    const { sourceLike } = await import("../../../test/library.ts");
    const source = sourceLike("changing");
    const [stream, ...others] = source.streams;
    const without = { ...source, streams: [{ ...stream!, query: { ...stream!.query, expand: [] } }, ...others] };
    await gate.server.register("changing", without);
    const connection_id = await gate.server.connect("changing");
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    const args = { stream: "books", connection_id, expand: ["author"] };
    expect((await gate.call("query_records", args, access_token)).structuredContent.error.code).toBe("invalid_expand");
    await gate.server.register("changing", { ...source, declaration_version: "2" });
    expect((await gate.call("query_records", args, access_token)).isError).toBeUndefined();
  });
});
