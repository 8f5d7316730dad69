// P-01: schema documents and streams: exactly what a caller can read.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, library, sourceLike } from "../library.ts";

let server: TestServer;
let first: string;
let second: string;
let other: string;
let token: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  await server.register("archive", sourceLike("archive"));
  first = await server.connect("library", "First");
  second = await server.connect("library", "Second");
  other = await server.connect("archive", "Other");
  await server.ingest("books", first, BOOKS);
  await server.ingest("authors", first, AUTHORS);
  const fields = ["title", "pages", "published_at"];
  const issued = await server.grant({
    selections: [
      { connection_id: first, stream: "books", fields, since: "2024-02-01T00:00:00Z", until: "2025-01-01T00:00:00Z" },
    ],
  });
  token = issued.access_token;
});
afterAll(() => server.close());

const named = (connection_id: string) => ({ connection_id, display_name: expect.any(String) });

describe("P-01 the schema document", () => {
  test("P-01 the schema without a stream is an index of names and connections", async () => {
    const { body } = await server.get("/v1/schema");
    expect(body).toMatchObject({
      object: "schema",
      detail: "compact",
      bearer: { kind: "owner", scope: "owner" },
      connector_count: 2,
      stream_count: 6,
    });
    expect(body.extensions).toEqual({ "https://pdpp.dev/extensions/grant-scoped-query": expect.any(String) });
    const [archive, lib] = body.connectors;
    expect([archive.connector_key, lib.connector_key, lib.source.id]).toEqual([
      "archive",
      "library",
      "https://test.example/library",
    ]);
    expect(lib.streams[0]).toEqual({
      name: "books",
      label: "Books",
      record_count: 12,
      time_span: { field: "published_at", first: "2024-01-01T00:00:00Z", last: "2025-01-01T00:00:00.500Z" },
      granted_connections: [named(first), named(second)],
    });
    expect((await server.get("/v1/schema", { query: { connection_id: other } })).body.connectors).toHaveLength(1);
    expect((await server.get("/v1/schema", { query: { view: "compact" } })).body).toEqual(body);
  });

  test("P-01 the schema of a stream lists each field's type and capabilities, once for all connections with the same schema", async () => {
    const { body } = await server.get("/v1/schema", { query: { stream: "books", connection_id: first } });
    const [stream] = body.connectors[0].streams;
    expect(stream.field_capabilities.pages).toEqual({
      type: "integer",
      nullable: true,
      granted: true,
      exact_filter: true,
      range_filter: ["gte", "gt", "lte", "lt"],
      set_filter: ["in", "ne", "exists"],
      sort: true,
      lexical_search: false,
      semantic_search: false,
      aggregation: {
        count_distinct: true,
        group_by: false,
        group_by_time: false,
        sum: true,
        min: true,
        max: true,
        avg: true,
      },
    });
    expect(stream.field_capabilities.notes).toMatchObject({
      exact_filter: false,
      sort: false,
      range_filter: [],
      lexical_search: true,
    });
    expect(stream.field_capabilities.extra).toMatchObject({ type: "object", exact_filter: false, sort: false });
    expect(stream.expand_capabilities).toEqual([
      { name: "author", stream: "authors", cardinality: "has_one", default_limit: 10, max_limit: 100 },
      { name: "loans", stream: "loans", cardinality: "has_many", default_limit: 2, max_limit: 3 },
    ]);
    expect("schema" in stream).toBe(false);
    const both = (await server.get("/v1/schema", { query: { stream: "books" } })).body;
    expect(
      both.connectors.map((one: Loose) => one.streams.map((row: Loose) => row.granted_connections.length)),
    ).toEqual([[1], [2]]);
  });

  test("P-01 the full schema has the raw JSON Schema, and with several sources the caller must choose", async () => {
    const { body } = await server.get("/v1/schema", {
      query: { stream: "books", connection_id: first, detail: "full" },
    });
    expect(body.detail).toBe("full");
    expect(body.connectors[0].streams[0].schema.properties).toEqual(library.streams[0]!.schema.properties);
    const { status, body: refused } = await server.get("/v1/schema", { query: { stream: "books", detail: "full" } });
    expect([status, refused.error.code, refused.error.retry_with, refused.error.available_connections.length]).toEqual([
      409,
      "ambiguous_connection",
      "connection_id",
      3,
    ]);
    expect((await server.get("/v1/schema", { query: { detail: "full" } })).body.error).toMatchObject({
      code: "invalid_request",
      param: "stream",
    });
    expect((await server.get("/v1/schema", { query: { stream: "none" } })).body.error.code).toBe("not_found");
  });

  test("P-02 the schema under a grant contains only granted streams, fields, views, relations and connections", async () => {
    const index = (await server.get("/v1/schema", { token })).body;
    expect(index.bearer).toEqual({
      kind: "client",
      scope: "grant",
      subject_id: expect.any(String),
      client_id: expect.stringMatching(/^cli_/),
      grant_id: expect.stringMatching(/^grt_/),
    });
    expect(index.connectors.map((one: Loose) => one.streams)).toEqual([
      [
        {
          name: "books",
          label: "Books",
          record_count: 5,
          time_span: { field: "published_at", first: "2024-02-01T12:00:00+02:00", last: "2024-10-27T01:30:00Z" },
          granted_connections: [named(first)],
        },
      ],
    ]);
    const { text, body } = await server.get("/v1/schema", { token, query: { stream: "books", detail: "full" } });
    const [stream] = body.connectors[0].streams;
    expect(Object.keys(stream.field_capabilities)).toEqual(["id", "title", "pages", "published_at"]);
    expect(Object.keys(stream.schema.properties)).toEqual(["id", "title", "pages", "published_at"]);
    expect(stream.time_constraint).toEqual({
      field: "published_at",
      since: "2024-02-01T00:00:00.000Z",
      until: "2025-01-01T00:00:00.000Z",
    });
    expect(stream.views).toEqual([{ id: "card", label: "Card", fields: ["title"] }]);
    expect([stream.relationships, stream.expand_capabilities]).toEqual([[], []]);
    for (const hidden of ["secret", "author_id", "genre", "authors", "loans", second, other])
      expect(text).not.toContain(hidden);
  });

  test("P-02 hides cursor_field and consent_time_field if they are not granted", async () => {
    const { access_token: narrow } = await server.grant({
      selections: [{ connection_id: first, stream: "books", fields: ["title"] }],
    });
    const { body } = await server.get("/v1/streams/books", { token: narrow });
    expect(["cursor_field" in body, "consent_time_field" in body]).toEqual([false, false]);
    expect((await server.get("/v1/streams/books", { token })).body).toMatchObject({
      cursor_field: "published_at",
      consent_time_field: "published_at",
    });
  });
});

describe("P-01 streams and connections", () => {
  test("P-01 streams show their record count and last change, under the grant", async () => {
    const owner = (await server.get("/v1/streams", { query: { connection_id: first } })).body;
    expect(owner.data.map(({ name, record_count }: Loose) => [name, record_count])).toEqual([
      ["books", 12],
      ["authors", 2],
      ["loans", 0],
    ]);
    expect(owner.data[0]).toMatchObject({
      object: "stream",
      connection_id: first,
      connector_key: "library",
      display_name: "First",
    });
    expect(Date.parse(owner.data[0].last_updated)).toBeLessThanOrEqual(Date.now());
    expect(owner.data[2].last_updated).toBeNull();
    const granted = (await server.get("/v1/streams", { token })).body;
    expect(granted.data.map(({ name, record_count }: Loose) => [name, record_count])).toEqual([["books", 5]]);
  });

  test("P-01 a stream's metadata includes the schema, and a request that fits several connections is ambiguous", async () => {
    const { body } = await server.get("/v1/streams/loans", { query: { connection_id: first } });
    expect(body).toMatchObject({
      object: "stream_metadata",
      name: "loans",
      semantics: "append_only",
      primary_key: ["book_id", "day"],
      selection: { fields: false, resources: false },
    });
    expect(body.schema.required).toEqual(["book_id", "day"]);
    expect((await server.get("/v1/streams/loans")).body.error.code).toBe("ambiguous_connection");
    expect((await server.get("/v1/streams/loans", { token })).body.error.code).toBe("grant_stream_not_allowed");
    expect((await server.get("/v1/streams/nowhere", { token })).body.error.code).toBe("grant_stream_not_allowed");
  });

  test("P-02 connections and connectors are limited to those in the grant", async () => {
    expect((await server.get("/v1/connections")).body.data.map((one: Loose) => one.connection_id)).toEqual([
      first,
      second,
      other,
    ]);
    const mine = (await server.get("/v1/connections", { token })).body;
    expect(mine.data).toEqual([
      expect.objectContaining({ connection_id: first, display_name: "First", streams: ["books"] }),
    ]);
    const ids = async (path: string, as: object = {}) =>
      (await server.get(path, as)).body.data.map((one: Loose) => one.connection_id);
    expect(await ids("/v1/connections?connector_key=library")).toEqual([first, second]);
    expect(await ids("/v1/connections?connector_key=library", { token })).toEqual([first]);
    expect(await ids("/v1/connections?connector_key=other", { token })).toEqual([]);
    const sources = (await server.get("/v1/connectors", { token })).body.data;
    expect([sources.length, sources[0].connector_key, "declaration" in sources[0]]).toEqual([1, "library", false]);
    expect(sources[0]).not.toHaveProperty("created_at");
    expect(sources[0].streams).toEqual(["books"]);
    const own = (await server.get("/v1/connectors")).body.data[1];
    expect(own.declaration).toEqual(library);
    expect(own.created_at).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

describe("P-01 the landing page", () => {
  test("P-01 serves people and programs", async () => {
    const page = await server.get("/", { token: null, headers: { Accept: "text/html" } });
    expect(page.headers.get("content-type")).toContain("text/html");
    const index = (await server.get("/", { token: null })).body;
    for (const address of [index.openapi, index.errors, index.protected_resource])
      expect((await fetch(address)).status).toBe(200);
    expect((await fetch(index.schema)).status).toBe(401);
  });
});

test("P-02 G-02 a view, definition or file reachable only through hidden fields appears nowhere under a grant", async () => {
  const declared = structuredClone(library);
  declared.source.id = "https://test.example/hidden-names";
  const books = declared.streams.find((stream) => stream.name === "books")!;
  books.views = [...(books.views ?? []), { id: "diagnosis", fields: ["secret"] }];
  books.schema.$defs = { diagnosis: { type: "string" }, plain: { type: "string" } };
  books.schema.properties!.secret = { $ref: "#/$defs/diagnosis" };
  books.schema.properties!.genre = { $ref: "#/$defs/plain" };
  await server.register("hidden-names", declared);
  const connection = await server.connect("hidden-names");
  await server.ingest("books", connection, [
    {
      key: "b",
      data: { id: "b", title: "T", secret: "s" },
      provenance: { file: "/home/nora/clinic/export.mbox", run_id: "r" },
    },
  ]);
  const { access_token } = await server.grant({
    selections: [{ connection_id: connection, stream: "books", fields: ["title", "genre"] }],
  });
  const query = { connection_id: connection };
  const seen = [
    await server.get("/v1/streams/books", { token: access_token, query }),
    await server.get("/v1/schema", { token: access_token, query: { stream: "books", detail: "full", ...query } }),
    await server.get("/v1/streams/books/records", { token: access_token, query: { ...query, view: "nope" } }),
    await server.get("/v1/streams/books/records", { token: access_token, query }),
  ].map(({ text }) => text);
  for (const text of seen) expect(text).not.toMatch(/diagnosis|clinic|mbox|provenance/);
  expect(seen[0]).toContain('"plain"');
  expect(seen[3]).toContain('"title":"T"');
});
