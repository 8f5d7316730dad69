// L-05: the description of an export before it is made, under a handle that gives no access.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportInfo } from "../../src/contract/export.ts";
import { engineClient } from "../../src/engine/host.ts";
import { httpHost } from "../../src/surfaces/rest/http-host.ts";
import { HOME_OWNER, type Loose, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library", "Shelf");
  await server.ingest(
    "books",
    connection,
    Array.from({ length: 30 }, (_, n) => book(`b${n}`, { title: `Title ${n}`, pages: n })),
  );
});
afterAll(() => server.close());

const named = (query: Record<string, string>) => ("handle" in query ? query : { connection_id: connection, ...query });
const info = async (query: Record<string, string>, token?: string): Promise<Loose> =>
  (await server.get("/v1/export/info", { query: named(query), ...(token === undefined ? {} : { token }) })).body;
const grant = async (selection: Record<string, unknown>): Promise<string> =>
  (await server.grant({ selections: [{ connection_id: connection, stream: "books", ...selection }] })).access_token;

describe("L-05 an export is described before it is made", () => {
  test("L-05 the description has the number of records, the approximate size in each format, and the exact calls", async () => {
    const told = await info({ stream: "books", "filter[pages][gte]": "10", sort: "-pages", fields: "title,pages" });
    expect(exportInfo.parse(told)).toMatchObject({
      object: "export_info",
      handle: expect.stringMatching(/^pdpp:\/\/export\/[\w-]+$/),
      stream: "books",
      connection_id: connection,
      count: { kind: "exact", value: 20 },
      cli: `pdpp export books --connection ${connection} --filter 'pages>=10' --fields title,pages --sort=-pages`,
    });
    expect(told.formats.map(({ format }: Loose) => format)).toEqual(["jsonl", "csv", "parquet"]);
    for (const { format, url, estimated_bytes } of told.formats) {
      const parameters = new URL(url, server.url).searchParams;
      expect(Object.fromEntries(parameters)).toEqual({
        stream: "books",
        connection_id: connection,
        sort: "-pages",
        fields: "title,pages",
        "filter[pages][gte]": "10",
        format,
      });
      expect(estimated_bytes).toBeGreaterThan(0);
    }
  });

  test("L-02 its handle returns the same description, over HTTP and in process", async () => {
    const told = await info({ stream: "books", "filter[pages]": "3" });
    const again = await info({ handle: told.handle, connection_id: connection });
    expect({ ...again, handle: "" }).toEqual({ ...told, handle: "" });
    const there = engineClient(httpHost(server.url), { token: server.owner });
    const here = engineClient(server.host, HOME_OWNER);
    const query = { stream: "books", connection_id: connection, filter: { pages: 3 } };
    for (const client of [there, here]) {
      const { handle } = await client.exportHandle(query);
      expect((await client.exportInfo({ handle })).count).toEqual({ kind: "exact", value: 1 });
    }
  });

  test("L-05 an invalid query gets no handle", async () => {
    const cases: [Record<string, string>, string, string][] = [
      [{}, "invalid_request", "stream"],
      [{ stream: "nowhere" }, "not_found", "stream"],
      [{ stream: "books", "filter[nothing]": "1" }, "unknown_field", "filter[nothing]"],
      [{ stream: "books", sort: "nothing" }, "unknown_field", "sort"],
      [{ stream: "books", limit: "5" }, "invalid_request", "limit"],
      [{ stream: "books", changes_since: "beginning" }, "invalid_request", "changes_since"],
    ];
    for (const path of ["/v1/export/info", "/v1/export/handle"]) {
      for (const [query, code, param] of cases) {
        const { body } = await server.get(path, { query });
        expect(body.error, JSON.stringify(query)).toMatchObject({ code, param });
      }
    }
  });

  test("L-05 a query too long for a handle is refused with an alternative", async () => {
    const long = "x".repeat(4000);
    const query = { stream: "books", filter: { genre: long, author_id: long } };
    await expect(engineClient(server.host, HOME_OWNER).exportHandle(query)).rejects.toMatchObject({
      code: "resource_limit",
      details: { next_step: "Send it as the body of POST /v1/exports." },
    });
  });
});

describe("L-06 a handle gives no access", () => {
  test("L-06 a handle shows each caller only the records that the caller may read", async () => {
    const { handle } = await info({ stream: "books", "filter[pages][gte]": "10" });
    expect((await info({ handle }, await grant({}))).count.value).toBe(20);
    expect((await info({ handle }, await grant({ resources: ["b11", "b2"] }))).count.value).toBe(1);
    expect((await info({ handle }, await grant({ fields: ["title"] }))).error.code).toBe("field_not_granted");
    const other = await server.connect("library", "Other");
    const elsewhere = await server.grant({ selections: [{ connection_id: other, stream: "books" }] });
    expect((await info({ handle }, elsewhere.access_token)).error.code).toBe("connection_not_found");
  });

  test("L-06 a handle altered at any position is refused, and the error suggests the next call", async () => {
    const { handle } = await info({ stream: "books" });
    const sealed = handle.slice("pdpp://export/".length);
    for (let place = 0; place < sealed.length; place += 7) {
      const letter = sealed[place] === "A" ? "B" : "A";
      const altered = `pdpp://export/${sealed.slice(0, place)}${letter}${sealed.slice(place + 1)}`;
      expect((await info({ handle: altered })).error, altered).toMatchObject({
        code: "invalid_request",
        param: "handle",
        next_step: expect.stringContaining("GET /v1/export/info?stream="),
      });
    }
  });

  test("L-06 a handle cannot be turned into one for another connection, more fields or another kind", async () => {
    const { handle } = await info({ stream: "books" });
    expect((await info({ handle, connection_id: "cin_other" })).error).toMatchObject({ param: "connection_id" });
    expect((await info({ handle, fields: "title" })).error).toMatchObject({ param: "fields" });
    expect((await info({ handle: `${connection}/books:b1` })).error).toMatchObject({ param: "handle" });
    const page = (await server.get("/v1/streams/books/records", { query: { limit: 2 } })).body;
    expect((await info({ handle: `pdpp://export/${page.next_cursor}` })).error).toMatchObject({ param: "handle" });
  });
});

describe("exports from other connections", () => {
  test("L-02 a field name with a comma or a bracket stays one name, and the address works", async () => {
    const declared = structuredClone(library);
    declared.source.id = "https://test.example/columns";
    const [books] = declared.streams;
    Object.assign(books!.schema.properties!, { "Amount, EUR": { type: "string" }, "odd[1]": { type: "string" } });
    await server.register("columns", declared);
    const columns = await server.connect("columns", "Columns");
    await server.ingest("books", columns, [book("c1", { "Amount, EUR": "12", "odd[1]": "x" })]);
    const query = { stream: "books", connection_id: columns, fields: ["Amount, EUR"] };
    const client = engineClient(server.host, HOME_OWNER);
    for (const filter of [undefined, { "odd[1]": "x" }]) {
      const { formats } = await client.exportInfo({ ...query, filter });
      const headers = { Authorization: `Bearer ${server.owner}` };
      const file = await (await fetch(new URL(formats[0]!.url, server.url), { headers })).text();
      expect(JSON.parse(file).data).toEqual({ id: "c1", "Amount, EUR": "12" });
    }
    const there = await engineClient(httpHost(server.url), { token: server.owner }).records(query);
    expect(there.data[0]).toMatchObject({ data: { "Amount, EUR": "12" } });
    const again = await server.get(there.links.self);
    expect(again.body.data).toEqual(there.data);
  });

  test("L-05 sizes of a few hundred records are exact, because no record is sampled twice", async () => {
    const shelf = await server.connect("library", "Uneven");
    const lines = Array.from({ length: 313 }, (_, n) => book(`u${n}`, { title: "x".repeat(n === 200 ? 50_000 : n) }));
    await server.ingest("books", shelf, lines);
    const query = { stream: "books", connection_id: shelf };
    const { formats } = await info(query);
    for (const { format, url, estimated_bytes } of formats.slice(0, 2)) {
      const response = await fetch(new URL(url, server.url), { headers: { Authorization: `Bearer ${server.owner}` } });
      expect(estimated_bytes, format).toBe((await response.arrayBuffer()).byteLength);
    }
  });
});
