// Row 11: cursors are authenticated, and bound to their caller and query. An altered or stolen cursor is refused, and
// never causes an internal error or a leak.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";

let server: TestServer;
let connection: string;
let token: string;
let other: string;
const RECORDS = "/v1/streams/books/records";
const WINDOW = "/v1/streams/books/records/long/field-window";
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library");
  await server.ingest("books", connection, [...BOOKS, book("long", { notes: "x".repeat(9000) })]);
  const grant = async () =>
    (await server.grant({ selections: [{ connection_id: connection, stream: "books" }] })).access_token;
  [token, other] = [await grant(), await grant()];
});
afterAll(() => server.close());

const ask = (path: string, query: Query, by = token) => server.get(path, { token: by, query });

/** Returns every kind of token that the server issues, with its call. */
async function tokens(): Promise<{ kind: string; path: string; query: Query; param: string; value: string }[]> {
  const page = (await ask(RECORDS, { limit: 2, sort: "title" })).body;
  const plain = (await ask(RECORDS, { limit: 2 })).body;
  const session = (await ask(RECORDS, { limit: 2, changes_since: "beginning" })).body;
  const since = (await ask(RECORDS, { limit: 100, changes_since: "beginning" })).body;
  const window = (await ask(WINDOW, { field: "notes" })).body;
  return [
    {
      kind: "sorted page",
      path: RECORDS,
      query: { limit: 2, sort: "title" },
      param: "cursor",
      value: page.next_cursor,
    },
    { kind: "page", path: RECORDS, query: { limit: 2 }, param: "cursor", value: plain.next_cursor },
    {
      kind: "session",
      path: RECORDS,
      query: { limit: 2, changes_since: "beginning" },
      param: "cursor",
      value: session.next_cursor,
    },
    { kind: "since", path: RECORDS, query: {}, param: "changes_since", value: since.next_changes_since },
    { kind: "window", path: WINDOW, query: { field: "notes" }, param: "cursor", value: window.next_cursor },
  ];
}

const refused = async (path: string, query: Query, by = token): Promise<Loose> => {
  const { status, body } = await ask(path, query, by);
  return [status, body?.error?.code];
};

test("SECURITY row 11 L-06 flipping bits in any byte of any kind of token returns invalid_cursor", async () => {
  for (const { kind, path, query, param, value } of await tokens()) {
    expect((await ask(path, { ...query, [param]: value })).status, kind).toBe(200);
    const bytes = Buffer.from(value, "base64url");
    const altered = new Set<string>();
    for (let index = 0; index < bytes.length; index++) {
      for (const bit of [0x01, 0x10, 0x80, 0xff]) {
        const copy = Buffer.from(bytes);
        copy[index]! ^= bit;
        altered.add(copy.toString("base64url"));
      }
    }
    const answers = await inTurns([...altered], 16, (text) => refused(path, { ...query, [param]: text }));
    expect(answers.length).toBeGreaterThan(150);
    expect(new Set(answers.map(String)), kind).toEqual(new Set(["400,invalid_cursor"]));
  }
});

test("SECURITY row 11 shortened, lengthened, re-encoded and invented tokens are refused with invalid_cursor", async () => {
  for (const { path, query, param, value } of await tokens()) {
    const bytes = Buffer.from(value, "base64url");
    const strange = [
      value.slice(0, -1),
      value.slice(1),
      value.slice(0, 10),
      `${value}A`,
      `${value}=`,
      `${value} `,
      value + value,
      bytes.toString("hex"),
      Buffer.alloc(60).toString("base64url"),
      Buffer.from('{"v":1}').toString("base64url"),
      "null",
      "0",
      "-1",
      "ü",
      "x".repeat(8192),
      "../../key",
      "' OR 1=1 --",
      "Beginning",
    ];
    if (value.includes("-") || value.includes("_")) strange.push(bytes.toString("base64"));
    for (const text of strange)
      expect(await refused(path, { ...query, [param]: text }), text.slice(0, 40)).toEqual([400, "invalid_cursor"]);
    expect(await refused(path, { ...query, [param]: "x".repeat(8193) })).toEqual([400, "invalid_request"]);
    expect(await refused(path, { ...query, [param]: "" })).toEqual([400, "invalid_request"]);
  }
});

test("SECURITY row 11 L-06 a token works only for its own caller, even between two equal grants", async () => {
  for (const { kind, path, query, param, value } of await tokens()) {
    for (const by of [other, server.owner])
      expect(await refused(path, { ...query, [param]: value }, by), kind).toEqual([400, "invalid_cursor"]);
  }
});

test("SECURITY row 11 a token works only for its own query and purpose", async () => {
  const all = await tokens();
  for (const from of all) {
    for (const to of all.filter((one) => one !== from)) {
      expect(await refused(to.path, { ...to.query, [to.param]: from.value }), `${from.kind} as ${to.kind}`).toEqual([
        400,
        "invalid_cursor",
      ]);
    }
  }
  const [sorted] = all;
  for (const change of [
    { sort: "-title" },
    { sort: "pages" },
    { order: "desc" },
    { fields: "title" },
    { "filter[genre]": "novel" },
    { expand: "author" },
  ] as Query[]) {
    const query = { limit: 2, sort: "title", ...change, cursor: sorted!.value };
    const [status, code] = await refused(RECORDS, query);
    expect(
      [status, ["invalid_cursor", "invalid_expand", "invalid_sort"].includes(code)],
      JSON.stringify(change),
    ).toEqual([400, true]);
  }
  expect((await ask(RECORDS, { limit: 5, sort: "title", cursor: sorted!.value })).status).toBe(200);
});

test("SECURITY row 11 another home's token is refused with invalid_cursor", async () => {
  const elsewhere = await testServer();
  await elsewhere.register("library", library);
  const place = await elsewhere.connect("library");
  await elsewhere.ingest("books", place, BOOKS);
  const { next_cursor: cursor } = (await elsewhere.get(RECORDS, { query: { limit: 1 } })).body;
  await elsewhere.close();
  expect(await refused(RECORDS, { limit: 1, cursor }, server.owner)).toEqual([400, "invalid_cursor"]);
});

test("SECURITY row 11 the content of a token cannot be read", async () => {
  for (const { value } of await tokens()) {
    const bytes = Buffer.from(value, "base64url").toString("latin1");
    for (const word of ["title", "grt_", "cin_", "Beta", "000000"]) expect(bytes).not.toContain(word);
  }
});

async function inTurns<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += width)
    results.push(...(await Promise.all(items.slice(start, start + width).map(work))));
  return results;
}
