// P-01: source declarations. An invalid one is refused as a whole, the error shows where it is invalid, and nothing
// changes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library");
  await server.ingest("books", connection, BOOKS);
});
afterAll(() => server.close());

const copy = (): Loose =>
  structuredClone({ ...library, source: { kind: "connector", id: "https://test.example/bad" } });
const put = (declaration: unknown, key = "bad") => server.call("PUT", `/v1/connectors/${key}`, { body: declaration });

const BAD: [what: string, change: (declaration: Loose) => unknown, place: string][] = [
  ["is a list", () => [], "declaration"],
  ["is a string", () => "x", "declaration"],
  ["has no protocol_version", (d) => delete d.protocol_version, "protocol_version"],
  ["has another protocol version", (d) => (d.protocol_version = "0.2.0"), "protocol_version"],
  ["has no source", (d) => delete d.source, "source"],
  ["has a source that is not a URI", (d) => (d.source.id = "library"), "source.id"],
  ["has a source of another kind", (d) => (d.source.kind = "magic"), "source.kind"],
  ["has no version", (d) => (d.declaration_version = ""), "declaration_version"],
  ["has no publisher", (d) => delete d.publisher, "publisher"],
  ["has no name", (d) => (d.display = {}), "display.name"],
  ["has no streams", (d) => (d.streams = []), "streams"],
  ["has an unknown property", (d) => (d.surprise = 1), "declaration"],
  ["has an unknown property in a stream", (d) => (d.streams[1].surprise = 1), "streams[1]"],
  ["names a stream twice", (d) => (d.streams[1].name = "books"), "streams[1].name"],
  ["has a stream name with a slash", (d) => (d.streams[0].name = "a/b"), "streams[0].name"],
  ["has unknown semantics", (d) => (d.streams[0].semantics = "sometimes"), "streams[0].semantics"],
  ["has no schema", (d) => delete d.streams[0].schema, "streams[0].schema"],
  ["has a schema that is a list", (d) => (d.streams[0].schema = []), "streams[0].schema"],
  [
    "has a schema of an unknown type",
    (d) => (d.streams[0].schema.properties.title = { type: "text" }),
    "streams[0].schema",
  ],
  ["has properties that are not an object", (d) => (d.streams[0].schema.properties = 5), "streams[0].schema"],
  ['has a "required" that is not a list', (d) => (d.streams[0].schema.required = "id"), "streams[0].schema"],
  [
    "refers to a URL",
    (d) => (d.streams[0].schema.properties.title = { $ref: "https://evil.example/schema" }),
    "streams[0].schema",
  ],
  [
    "refers to a file",
    (d) => (d.streams[0].schema.properties.title = { $ref: "file:///etc/passwd" }),
    "streams[0].schema",
  ],
  [
    "has a broken reference",
    (d) => (d.streams[0].schema.properties.title = { $ref: "#/$defs/nothing" }),
    "streams[0].schema",
  ],
  [
    "is of an unknown dialect",
    (d) => (d.streams[0].schema.$schema = "http://json-schema.org/draft-04/schema#"),
    "streams[0].schema",
  ],
  ["has no key", (d) => (d.streams[0].primary_key = []), "streams[0].primary_key"],
  ["has a key that is not a field", (d) => (d.streams[0].primary_key = ["nothing"]), "streams[0].primary_key"],
  ["has an object as key", (d) => (d.streams[0].primary_key = ["extra"]), "streams[0].primary_key"],
  ["is ordered by an unknown field", (d) => (d.streams[0].cursor_field = "nothing"), "streams[0].cursor_field"],
  ["is ordered by an object", (d) => (d.streams[0].cursor_field = "extra"), "streams[0].cursor_field"],
  [
    "has a string field as consent time",
    (d) => (d.streams[0].consent_time_field = "title"),
    "streams[0].consent_time_field",
  ],
  [
    "has a consent time that is not a field",
    (d) => (d.streams[0].consent_time_field = "nothing"),
    "streams[0].consent_time_field",
  ],
  [
    "has a range filter on an unknown field",
    (d) => (d.streams[0].query.range_filters.nothing = ["gte"]),
    "streams[0].query.range_filters",
  ],
  [
    "has a range filter on an object",
    (d) => (d.streams[0].query.range_filters.extra = ["gte"]),
    "streams[0].query.range_filters",
  ],
  [
    "has an unknown operator",
    (d) => (d.streams[0].query.range_filters.title = ["like"]),
    "streams[0].query.range_filters",
  ],
  [
    "searches an unknown field",
    (d) => d.streams[0].query.search.lexical_fields.push("nothing"),
    "streams[0].query.lexical_fields",
  ],
  ["sums an unknown field", (d) => d.streams[0].query.aggregations.sum.push("nothing"), "streams[0].query.sum"],
  [
    "groups by an unknown field",
    (d) => d.streams[0].query.aggregations.group_by.push("nothing"),
    "streams[0].query.group_by",
  ],
  [
    "has an unknown aggregation",
    (d) => (d.streams[0].query.aggregations.median = ["pages"]),
    "streams[0].query.aggregations",
  ],
  ["has a view with an unknown field", (d) => d.streams[0].views[0].fields.push("nothing"), "streams[0].views.card"],
  ["has a view twice", (d) => d.streams[0].views.push({ id: "card", fields: ["title"] }), "streams[0].views.card"],
  [
    "has a relation to an unknown stream",
    (d) => (d.streams[0].relationships[0].stream = "nothing"),
    "streams[0].relationships.author",
  ],
  [
    "has a relation by an unknown field",
    (d) => (d.streams[0].relationships[0].foreign_key = "nothing"),
    "streams[0].relationships.author",
  ],
  [
    "has a relation twice",
    (d) => d.streams[0].relationships.push({ ...d.streams[0].relationships[0] }),
    "streams[0].relationships.author",
  ],
  [
    "has an unknown cardinality",
    (d) => (d.streams[0].relationships[0].cardinality = "some"),
    "streams[0].relationships[0].cardinality",
  ],
  [
    "expands an unknown relation",
    (d) => d.streams[0].query.expand.push({ name: "nothing" }),
    "streams[0].query.expand",
  ],
  [
    "expands more by default than its maximum",
    (d) => (d.streams[0].query.expand[1].default_limit = 9),
    "streams[0].query.expand",
  ],
];

describe("P-01 a source declaration", () => {
  test.each(BAD)(
    "P-01 row 24 a declaration that %s is refused as a whole, and the error shows the position",
    async (_what, change, place) => {
      const declaration = copy();
      const changed = change(declaration);
      const { status, body } = await put(
        Array.isArray(changed) && changed.length === 0 && place === "declaration"
          ? changed
          : place === "declaration" && changed === "x"
            ? '"x"'
            : declaration,
      );
      expect([status, body.error?.code]).toEqual([400, "invalid_declaration"]);
      expect(body.error.param.startsWith(place), `${body.error.param} at ${place}`).toBe(true);
      expect(body.error.message).toContain(body.error.param);
      const registered = (await server.get("/v1/connectors")).body.data.map((one: Loose) => one.connector_key);
      expect(registered).toEqual(["library"]);
    },
  );

  test("P-01 a refused declaration leaves existing sources readable and writable", async () => {
    await put({ ...copy(), streams: [] });
    await put({ ...library, declaration_version: "2", streams: [] }, "library");
    expect((await server.get("/v1/streams/books/records", { query: { count: "exact" } })).body.meta.count.value).toBe(
      12,
    );
    await server.ingest("books", connection, [book("b01", BOOKS[0]!.data)]);
  });

  test("P-01 registering the same declaration again changes nothing, and a key is a short name for one source", async () => {
    expect((await put(library, "library")).status).toBe(200);
    for (const key of ["Library", "a b", "-x", "x".repeat(64)]) {
      expect((await put(copy(), encodeURIComponent(key))).body.error).toMatchObject({
        code: "invalid_request",
        param: "connector_key",
      });
    }
    expect((await put(copy(), "library")).body.error.code).toBe("already_exists");
    expect((await put(library, "other")).body.error.code).toBe("already_exists");
  });
});

describe("P-01 a new version of a declaration", () => {
  const next = (): Loose => structuredClone({ ...library, declaration_version: "2" });
  const STAYS: [what: string, change: (declaration: Loose) => unknown, place: string][] = [
    ["the key", (d) => (d.streams[0].primary_key = ["title"]), "streams[0].primary_key"],
    ["the sort field", (d) => (d.streams[0].cursor_field = "bought_on"), "streams[0].cursor_field"],
    ["the type of the sort field", (d) => delete d.streams[0].schema.properties.published_at.format, "streams[0]"],
    ["the consent time", (d) => (d.streams[0].consent_time_field = "bought_on"), "streams[0].consent_time_field"],
    ["the semantics", (d) => (d.streams[0].semantics = "append_only"), "streams[0].semantics"],
    ["the set of streams", (d) => d.streams.pop(), "streams"],
  ];
  test.each(STAYS)("P-01 cannot change %s", async (_what, change, place) => {
    const declaration = next();
    change(declaration);
    const { status, body } = await put(declaration, "library");
    expect([status, body.error.code]).toEqual([400, "invalid_declaration"]);
    expect(body.error.param.startsWith(place)).toBe(true);
  });

  test("P-01 cannot change the type of the sort field in a stream without a consent time", async () => {
    const notes = (type: string) => ({
      ...library,
      source: { kind: "connector", id: "https://test.example/ordered" },
      streams: [
        {
          name: "notes",
          semantics: "mutable_state",
          primary_key: ["id"],
          cursor_field: "rank",
          schema: { type: "object", properties: { id: { type: "string" }, rank: { type } } },
        },
      ],
    });
    expect((await put(notes("string"), "ordered")).status).toBe(200);
    const { body } = await put(notes("number"), "ordered");
    expect(body.error).toMatchObject({ code: "invalid_declaration", param: "streams[0].cursor_field" });
  });

  test("P-02 can add streams, fields and ranges; existing connections get them, and existing grants do not", async () => {
    const { access_token: token } = await server.grant({
      selections: [{ connection_id: connection, stream: "books" }],
    });
    const declaration = next();
    declaration.streams[0].schema.properties.mood = { type: "string" };
    declaration.streams[0].query.range_filters.genre = ["gte"];
    declaration.streams.push({
      name: "shelves",
      semantics: "mutable_state",
      primary_key: ["id"],
      schema: { type: "object", properties: { id: { type: "string" } } },
    });
    expect((await put(declaration, "library")).status).toBe(200);
    await server.ingest("shelves", connection, [{ key: "s", data: { id: "s" } }]);
    await server.ingest("books", connection, [book("moody", { mood: "blue", genre: "zine" })]);
    expect(
      (await server.get("/v1/streams/books/records", { query: { "filter[mood]": "blue" } })).body.data,
    ).toHaveLength(1);
    expect(
      (await server.get("/v1/streams/books/records", { query: { "filter[genre][gte]": "z" } })).body.data,
    ).toHaveLength(1);
    expect(
      (await server.get("/v1/streams/books/records", { token, query: { "filter[mood]": "blue" } })).body.error.code,
    ).toBe("field_not_granted");
    expect("mood" in (await server.get("/v1/streams/books/records/moody", { token })).body.data).toBe(false);
    expect((await server.get("/v1/streams/shelves", { token })).body.error.code).toBe("grant_stream_not_allowed");
  });
});
