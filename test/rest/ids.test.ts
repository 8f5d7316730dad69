// P-01: ids with any characters, reading and deleting one record, compound keys, and handles.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatHandle, type Handle, parseHandle } from "../../src/contract/handle.ts";
import { ids, type TestServer, testServer } from "../harness.ts";
import { book, LOANS, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library");
});
afterAll(() => server.close());

const at = (id: string): string => `/v1/streams/books/records/${encodeURIComponent(id)}`;

const STRANGE = [
  "a/b/c",
  "%2F",
  "100%",
  "a b+c",
  "quote\"'`",
  "line\nbreak\r\n",
  "tab\t",
  "ü-𝒳-ﬀ-漢字",
  "e\u0301 vs \u00e9",
  "\u202eevil",
  "nul\u0000inside",
  "\u0000",
  "?q=1&x#frag",
  "../../etc/passwd",
  "..%2f",
  "a:b",
  "[1,2]",
  '["a","b"]',
  "{}",
  "null",
  "true",
  "0",
  "-1",
  "__proto__",
  "constructor",
  "x'; DROP TABLE record; --",
  "\\",
  "~",
  " ",
  "\ufeffbom",
  "\u{10ffff}",
  "x".repeat(2048),
  "é".repeat(1024),
];

describe("P-01 ids", () => {
  test("P-01 ids with any characters can be stored, listed, filtered, read, windowed and deleted, and stay unchanged", async () => {
    await server.ingest(
      "books",
      connection,
      STRANGE.map((id) => book(id, { notes: `note of ${id}`, title: id })),
    );
    const listed = ids(await server.all("/v1/streams/books/records", { query: { sort: "id", limit: 5 } }));
    expect(listed).toEqual([...STRANGE].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(ids(await server.all("/v1/streams/books/records", { query: { order: "asc", limit: 7 } }))).toEqual(listed);
    expect(
      ids(await server.all("/v1/streams/books/records", { query: { changes_since: "beginning", limit: 7 } })),
    ).toEqual(STRANGE);
    for (const id of STRANGE) {
      const { status, body } = await server.get(at(id));
      expect([status, body.id, body.data.id, body.data.title]).toEqual([200, id, id, id]);
      const filtered = (await server.get("/v1/streams/books/records", { query: { "filter[id]": id } })).body;
      expect(ids(filtered.data)).toEqual([id]);
      const window = (await server.get(`${at(id)}/field-window`, { query: { field: "notes" } })).body;
      expect([window.record_id, window.window.text]).toEqual([id, `note of ${id}`]);
      expect(parseHandle(window.handle)).toMatchObject({ id, stream: "books", connection_id: connection });
    }
    for (const id of STRANGE) expect((await server.call("DELETE", at(id))).status).toBe(204);
    expect((await server.get("/v1/streams/books/records", { query: { count: "exact" } })).body.meta.count.value).toBe(
      0,
    );
  });

  test("P-01 ids that are empty or over 2048 bytes are refused line by line", async () => {
    const lines = ["x".repeat(2049), "é".repeat(1025), ""].map((id) =>
      JSON.stringify({ key: id, data: { id }, emitted_at: "2024-01-01T00:00:00Z" }),
    );
    const { body } = await server.call("POST", "/v1/ingest/books", { body: lines.join("\n") });
    expect(body).toMatchObject({ records_attempted: 3, records_rejected: 3 });
  });
});

describe("P-01 one record", () => {
  test("P-01 can be read completely or by fields; a missing one returns not_found with the next step", async () => {
    await server.ingest("books", connection, [book("one", { title: "t", pages: 3 })]);
    const { body } = await server.get(at("one"), { query: { fields: "pages" } });
    expect(body.data).toEqual({ id: "one", pages: 3 });
    const missing = await server.get(at("two"));
    expect([missing.status, missing.body.error.code, missing.body.error.param]).toEqual([404, "not_found", "id"]);
    expect(missing.body.error.next_step).toContain("/v1/streams/books/records");
    expect((await server.get(at("one"), { query: { view: "card" } })).body.error.param).toBe("view");
  });

  test("P-01 can be deleted once and stays deleted on every read path", async () => {
    await server.ingest("books", connection, [book("gone", { title: "t", genre: "doomed" })]);
    const { status, text, headers } = await server.call("DELETE", at("gone"));
    expect([status, text, headers.get("pdpp-version")]).toEqual([204, "", "2026-04-06"]);
    expect((await server.call("DELETE", at("gone"))).body.error.code).toBe("not_found");
    expect((await server.call("DELETE", at("never"))).body.error.code).toBe("not_found");
    expect((await server.get(at("gone"))).status).toBe(404);
    expect((await server.get("/v1/streams/books/records", { query: { "filter[genre]": "doomed" } })).body.data).toEqual(
      [],
    );
    expect(
      (await server.get("/v1/streams/books/aggregate", { query: { metric: "count", "filter[genre]": "doomed" } })).body
        .value,
    ).toBe(0);
  });

  test("P-02 outside the grant gets exactly the same response as one that does not exist", async () => {
    await server.ingest("books", connection, [
      book("old", { published_at: "2020-01-01T00:00:00Z" }),
      book("new", { published_at: "2024-01-01T00:00:00Z" }),
    ]);
    const { access_token: token } = await server.grant({
      selections: [{ connection_id: connection, stream: "books", since: "2023-01-01T00:00:00Z" }],
    });
    expect((await server.get(at("new"), { token })).status).toBe(200);
    const [hidden, absent] = [await server.get(at("old"), { token }), await server.get(at("xyz"), { token })];
    expect(hidden.text.replace(/req_[\w-]+/, "")).toBe(absent.text.replace(/req_[\w-]+/, "").replace("xyz", "old"));
  });
});

describe("P-01 compound keys", () => {
  test("P-01 are the minified JSON array of their parts", async () => {
    await server.ingest("loans", connection, LOANS);
    const id = '["b01","2024-05-02"]';
    const { body } = await server.get(`/v1/streams/loans/records/${encodeURIComponent(id)}`);
    expect([body.id, body.data.day]).toEqual([id, "2024-05-02"]);
    const list = (await server.get("/v1/streams/loans/records", { query: { limit: 1, fields: "to" } })).body;
    expect(list.data[0].data).toEqual({ book_id: "b01", day: "2024-05-04", to: "Kim" });
  });

  test("P-01 compound keys whose length, order or values differ from the data are refused", async () => {
    const data = { book_id: "b", day: "2024-01-01" };
    const keys = [["b"], ["2024-01-01", "b"], ["b", "2024-01-01", "x"], "b", ["b", "2024-01-02"], []];
    const lines = keys.map((key) => JSON.stringify({ key, data, emitted_at: "2024-01-01T00:00:00Z" }));
    const { body } = await server.call("POST", "/v1/ingest/loans", { body: lines.join("\n") });
    expect(body.rejections.map((one: { input_index: number; code: string }) => [one.input_index, one.code])).toEqual(
      keys.map((_, index) => [index, "invalid_record"]),
    );
  });
});

test("L-06 every handle leads back to the record that it identifies", () => {
  const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
  const any = fc.oneof(word, fc.constantFrom("pdpp", "pdpp:", "a/b", "a:b", "%", "?", "ü", "..", "record"));
  const number = fc.integer({ min: 0, max: 1e15 - 1 });
  const handle: fc.Arbitrary<Handle> = fc.oneof(
    fc.record(
      { kind: fc.constant("record" as const), connection_id: any, stream: any, id: any },
      { requiredKeys: ["kind", "stream", "id"] },
    ),
    fc.record(
      {
        kind: fc.constant("field-window" as const),
        connection_id: any,
        stream: any,
        id: any,
        field: any,
        pointer: fc.string(),
        offset: number,
        limit: number,
        revision: any,
      },
      { requiredKeys: ["kind", "connection_id", "stream", "id", "field"] },
    ),
  );
  fc.assert(
    fc.property(handle, (made) => {
      expect(parseHandle(formatHandle(made))).toEqual(made);
      if (made.kind === "record" && made.connection_id !== undefined) {
        const uri = `pdpp://record/${[made.connection_id, made.stream, made.id].map(encodeURIComponent).join("/")}`;
        expect(parseHandle(uri)).toEqual(made);
      }
    }),
    { numRuns: 2000 },
  );
});

test("L-06 an invalid handle is refused with invalid_request, never another error", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `pdpp://${text}`),
        fc.string().map((text) => `pdpp://field-window/a/b/c?${text}`),
      ),
      (text) => {
        try {
          parseHandle(text);
        } catch (error) {
          expect((error as { code: string }).code).toBe("invalid_request");
        }
      },
    ),
    { numRuns: 1000 },
  );
});
