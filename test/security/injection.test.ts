// Row 12: hostile text in every parameter, value, id and name never causes an internal error, damages nothing, and is
// stored as sent.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ids, type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";
import { callTool } from "../mcp.ts";

const HOSTILE = [
  "' OR '1'='1",
  "'; DROP TABLE record; --",
  '"; DELETE FROM entry; --',
  "1 UNION SELECT hash FROM token",
  "x') OR json_extract(data,'$.secret') IS NOT NULL --",
  "ATTACH DATABASE '/tmp/x' AS y",
  "PRAGMA writable_schema=1",
  "title:secret AND *",
  'NEAR("a" "b", 5)',
  '"unbalanced',
  "a* OR b^2",
  "$.a[*]",
  "$['secret']",
  "(a+)+$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  `${"a".repeat(3000)}!`,
  "\u0000",
  "a\u0000b",
  "\ufeff",
  "\u202e\u2066evil\u2069",
  "e\u0301\u0301\u0301",
  "ﬀ İ ı ſ K Å",
  "\ud83d\ude00\u200d\u2764",
  "\\x00\\u0000",
  "%00%2e%2e%2f",
  "../../../etc/passwd",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "[object Object]",
  "{}",
  "[]",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e999",
  "0x10",
  "9007199254740993",
  "true",
  `$\{7*7}`,
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\r\nSet-Cookie: a=b",
  "=cmd|' /C calc'!A0",
  " ",
  ",",
  "-",
  "--",
  "id",
  "-id",
];

let server: TestServer;
let connection: string;
let token: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library");
  await server.ingest("books", connection, [...BOOKS, book("text", { notes: "some text", extra: { a: { b: "c" } } })]);
  const granted = ["title", "genre", "notes", "extra", "published_at"];
  token = (await server.grant({ selections: [{ connection_id: connection, stream: "books", fields: granted }] }))
    .access_token;
});
afterAll(() => server.close());

const enc = encodeURIComponent;
const RECORDS = "/v1/streams/books/records";

/** The places where hostile text can be sent. */
const PLACES: [name: string, place: (text: string) => [path: string, query: Query | [string, string][]]][] = [
  ["a filter's value", (text) => [RECORDS, { "filter[title]": text }]],
  ["a range's bound", (text) => [RECORDS, { "filter[title][gte]": text }]],
  ["a number's filter", (text) => [RECORDS, { "filter[pages]": text }]],
  ["a time's bound", (text) => [RECORDS, { "filter[published_at][gte]": text }]],
  ["a filter's name", (text) => [RECORDS, [[`filter[${text}]`, "1"]]]],
  ["an operator's name", (text) => [RECORDS, [[`filter[title][${text}]`, "1"]]]],
  ["a parameter's name", (text) => [RECORDS, [[text, "1"]]]],
  ["sort", (text) => [RECORDS, { sort: text }]],
  ["order", (text) => [RECORDS, { order: text }]],
  ["fields", (text) => [RECORDS, { fields: text }]],
  ["view", (text) => [RECORDS, { view: text }]],
  ["expand", (text) => [RECORDS, { expand: text }]],
  ["expand_limit's name", (text) => [RECORDS, [[`expand_limit[${text}]`, "1"]]]],
  ["expand_limit", (text) => [RECORDS, { "expand_limit[author]": text }]],
  ["limit", (text) => [RECORDS, { limit: text }]],
  ["count", (text) => [RECORDS, { count: text }]],
  ["cursor", (text) => [RECORDS, { cursor: text }]],
  ["changes_since", (text) => [RECORDS, { changes_since: text }]],
  ["connection_id", (text) => [RECORDS, { connection_id: text }]],
  ["a stream's name", (text) => [`/v1/streams/${enc(text)}/records`, {}]],
  ["a stream's name in metadata", (text) => [`/v1/streams/${enc(text)}`, {}]],
  ["an id", (text) => [`${RECORDS}/${enc(text)}`, {}]],
  ["a window's id", (text) => [`${RECORDS}/${enc(text)}/field-window`, { field: "notes" }]],
  ["a window's field", (text) => [`${RECORDS}/text/field-window`, { field: text }]],
  ["a window's pointer", (text) => [`${RECORDS}/text/field-window`, { field: "extra", pointer: text }]],
  [
    "a window's pointer, in depth",
    (text) => [`${RECORDS}/text/field-window`, { field: "extra", pointer: `/a/${text}` }],
  ],
  ["a window's text", (text) => [`${RECORDS}/text/field-window`, { field: "notes", q: text }]],
  ["a window's revision", (text) => [`${RECORDS}/text/field-window`, { field: "notes", revision: text }]],
  ["metric", (text) => ["/v1/streams/books/aggregate", { metric: text }]],
  ["an aggregate's field", (text) => ["/v1/streams/books/aggregate", { metric: "max", field: text }]],
  ["group_by", (text) => ["/v1/streams/books/aggregate", { metric: "count", group_by: text }]],
  ["group_by_time", (text) => ["/v1/streams/books/aggregate", { metric: "count", group_by_time: text }]],
  [
    "time_zone",
    (text) => ["/v1/streams/books/aggregate", { metric: "count", group_by_time: "published_at", time_zone: text }],
  ],
  [
    "granularity",
    (text) => ["/v1/streams/books/aggregate", { metric: "count", group_by_time: "published_at", granularity: text }],
  ],
  ["schema's stream", (text) => ["/v1/schema", { stream: text }]],
  ["schema's detail", (text) => ["/v1/schema", { stream: "books", detail: text }]],
  ["a blob's id", (text) => [`/v1/blobs/${enc(text)}`, {}]],
];

test.each(PLACES)("row 12 hostile text in %s causes no failure and reveals nothing hidden", async (_name, place) => {
  for (const by of [server.owner, token]) {
    const answers = await Promise.all(
      HOSTILE.map(async (text) => {
        const [path, query] = place(text);
        return { hostile: text.slice(0, 60), ...(await server.get(path, { query, token: by })) };
      }),
    );
    for (const { hostile, status, body, headers } of answers) {
      expect(status, hostile).toBeLessThan(500);
      expect(headers.get("set-cookie")).toBeNull();
      if (status >= 400) expect(body.error.code, hostile).toMatch(/^[a-z_]+$/);
      if (by === token && status === 200) expect(JSON.stringify(body)).not.toMatch(/"(secret|pages|price|lent)":/);
    }
  }
});

test("SECURITY row 12 the owner's calls treat hostile names as plain names", async () => {
  for (const text of HOSTILE) {
    const short = text.slice(0, 200);
    for (const [method, path, body] of [
      ["POST", "/v1/connections", { connector_id: text }],
      ["PATCH", `/v1/connections/${enc(text)}`, { display_name: "x" }],
      ["PUT", `/v1/connectors/${enc(text)}`, library],
      ["PUT", `/v1/state/${enc(text)}`, { state: { [text]: text } }],
      ["PUT", `/v1/state/library`, { state: JSON.parse(JSON.stringify({ [short]: text })) }],
      [
        "POST",
        "/v1/grants",
        { selections: [{ connection_id: text, stream: text, fields: [text], resources: [text] }] },
      ],
      [
        "POST",
        "/v1/grants",
        { selections: [{ connection_id: connection, stream: "books", resources: [text] }], client_name: short },
      ],
      ["POST", `/v1/grants/${enc(text)}/revoke`, undefined],
      ["GET", `/v1/grants/${enc(text)}`, undefined],
      ["GET", `/v1/activity?grant_id=${enc(text)}`, undefined],
      ["DELETE", `/v1/streams/${enc(text)}/records/${enc(text)}`, undefined],
      ["DELETE", `/v1/connections/${enc(text)}`, undefined],
      ["POST", `/v1/ingest/${enc(text)}`, text],
    ] as [string, string, unknown][]) {
      const { status } = await server.call(method, path, body === undefined ? {} : { body });
      expect(status, `${method} ${path} ${text.slice(0, 40)}`).toBeLessThan(500);
    }
  }
  expect(
    (await server.call("PATCH", `/v1/connections/${connection}`, { body: { display_name: HOSTILE[1] } })).body
      .display_name,
  ).toBe(HOSTILE[1]);
});

test("SECURITY row 12 fields named like built-in properties work like others, on REST and MCP", async () => {
  const names = ["constructor", "toString", "hasOwnProperty", "valueOf", "__defineGetter__", "length"];
  const declaration: Loose = structuredClone(library);
  declaration.source.id = "https://test.example/names";
  const [books] = declaration.streams;
  declaration.streams = [{ ...books, name: "named", views: [], relationships: [], query: {} }];
  for (const name of names) books.schema.properties[name] = { type: ["string", "null"] };
  await server.register("names", declaration);
  const place = await server.connect("names", "Names");
  await server.ingest("named", place, [
    { key: "n1", data: { id: "n1", ...Object.fromEntries(names.map((name) => [name, "x"])) } },
    { key: "n2", data: { id: "n2" } },
  ]);
  const { field_capabilities } = (await server.get("/v1/schema", { query: { stream: "named" } })).body.connectors[0]
    .streams[0];
  const { access_token: reader } = await server.grant({ selections: [{ connection_id: place }] });
  for (const name of names) {
    expect(field_capabilities[name].range_filter, name).toEqual([]);
    const records = "/v1/streams/named/records";
    expect(ids((await server.get(records, { query: { [`filter[${name}]`]: "x" } })).body.data), name).toEqual(["n1"]);
    const ranged = await server.get(records, { query: { [`filter[${name}][gte]`]: "x" } });
    expect(ranged.body.error.code, name).toBe("invalid_filter");
    expect((await server.get(records, { query: { sort: name } })).body.data.map(({ id }: Loose) => id)[0]).toBe("n1");
  }
  const told = await callTool(server.url, reader, "schema", { stream: "named" });
  expect([told.isError ?? false, names.filter((name) => !told.text.includes(name))]).toEqual([false, []]);
  await server.call("DELETE", `/v1/connections/${place}`);
});

test("SECURITY row 12 hostile text is stored and returned byte for byte: as an id, a value, a name, and inside JSON", async () => {
  const place = await server.connect("library", "Hostile");
  const texts = HOSTILE.filter((text) => Buffer.byteLength(text) <= 2048);
  const lines = texts.map((text) => ({
    ...book(text, { title: text, genre: text, notes: text, extra: JSON.parse(JSON.stringify({ list: [text] })) }),
    provenance: { file: text },
  }));
  await server.ingest("books", place, lines);
  const listed = await server.all(RECORDS, { query: { connection_id: place, limit: 100 } });
  expect(ids(listed).sort()).toEqual([...texts].sort());
  for (const record of listed) {
    const text = record.id;
    expect(record.data).toEqual({ id: text, title: text, genre: text, notes: text, extra: { list: [text] } });
    expect(record.provenance.file).toBe(text);
    const query = { connection_id: place, "filter[genre]": text };
    expect(ids((await server.get(RECORDS, { query })).body.data), text).toEqual([text]);
    const window = (
      await server.get(`${RECORDS}/${enc(text)}/field-window`, {
        query: { connection_id: place, field: "notes", q: text },
      })
    ).body;
    expect(window.window.text).toBe(text);
  }
  const { groups } = (
    await server.get("/v1/streams/books/aggregate", {
      query: { connection_id: place, metric: "count", group_by: "genre", limit: 100 },
    })
  ).body;
  expect(groups.map((group: Loose) => group.key).sort()).toEqual([...texts].sort());
  await server.call("DELETE", `/v1/connections/${place}`);
});

test("SECURITY row 12 afterwards every table is intact: the data is complete, the audit chain is valid, and nothing unexpected was logged", async () => {
  const { body } = await server.get(RECORDS, { query: { connection_id: connection, count: "exact" } });
  expect(body.meta.count.value).toBe(13);
  expect((await server.get("/v1/activity/verify")).body.intact).toBe(true);
  expect(server.log).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("SECURITY row 12 patterns that cause exponential backtracking elsewhere are cheap here", async () => {
  const bomb = `${"a".repeat(50_000)}!`;
  await server.ingest("books", connection, [book("bomb", { notes: bomb, title: bomb })]);
  const began = process.cpuUsage();
  for (const q of ["(a+)+$", "(a|a)*b", ".*.*.*.*x"]) {
    expect((await server.get(`${RECORDS}/bomb/field-window`, { query: { field: "notes", q } })).body.error.code).toBe(
      "invalid_window",
    );
  }
  const declaration = structuredClone(library) as Loose;
  declaration.source.id = "https://test.example/patterns";
  declaration.streams[0].schema.properties.title = { type: "string", pattern: "^(a+)+$" };
  await server.register("patterns", declaration);
  const place = await server.connect("patterns");
  await server.ingest("books", place, [book("x", { title: `${"a".repeat(40)}!` })]);
  // CPU time of this process and its threads, in microseconds. Exponential backtracking would take minutes.
  expect(process.cpuUsage(began).user).toBeLessThan(20_000_000);
});
