// P-01, P-02: grants over REST: issuing, listing, revoking and expiry. The file also covers packages, connections and
// connector state.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { HOME_OWNER, ids, type Loose, newHome, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library, sourceLike } from "../library.ts";

let server: TestServer;
let first: string;
let second: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  first = await server.connect("library", "First");
  second = await server.connect("library", "Second");
  await server.ingest("books", first, BOOKS);
  await server.ingest("books", second, [book("other")]);
});
afterAll(() => server.close());

const read = (token: string, query: Query = {}, path = "/v1/streams/books/records") =>
  server.get(path, { token, query });
const revoke = (id: string) => server.call("POST", `/v1/grants/${id}/revoke`);

describe("P-01 a grant", () => {
  test("P-01 is fully resolved and lists everything it shows", async () => {
    const issued = await server.grant({
      selections: [
        {
          connection_id: first,
          stream: "books",
          fields: ["title"],
          since: "2024-01-01T00:00:00Z",
          until: "2025-01-01T00:00:00Z",
          resources: ["b01", "b02"],
        },
      ],
      client_name: "Test app",
      purpose_description: "to test",
    });
    expect(Object.keys(issued).sort()).toEqual(["access_token", "grant_id", "grants", "token_type"]);
    expect(issued.grants).toEqual([
      {
        version: "0.1.0",
        grant_id: issued.grant_id,
        issued_at: expect.stringMatching(/Z$/),
        subject: { id: expect.any(String) },
        client: { client_id: expect.stringMatching(/^cli_/), client_display: { name: "Test app" } },
        source: library.source,
        source_declaration: { version: "1" },
        purpose_code: expect.stringMatching(/^https:/),
        purpose_description: "to test",
        access_mode: "continuous",
        streams: [
          {
            name: "books",
            instance_ids: [first],
            fields: ["id", "title"],
            time_constraint: { field: "published_at", since: "2024-01-01T00:00:00Z", until: "2025-01-01T00:00:00Z" },
            resources: ["b01", "b02"],
          },
        ],
      },
    ]);
  });

  test.each([
    [{}, "invalid_request"],
    [{ selections: [] }, "invalid_request"],
    [{ selections: [{ connection_id: "cin_none" }] }, "connection_not_found"],
    [{ selections: [{ connection_id: "$", stream: "none" }] }, "not_found"],
    [{ selections: [{ connection_id: "$", stream: "books", fields: ["none"] }] }, "unknown_field"],
    [{ selections: [{ connection_id: "$", stream: "books", fields: [] }] }, "invalid_request"],
    [{ selections: [{ connection_id: "$", stream: "books", fields: ["title"], view: "card" }] }, "invalid_request"],
    [{ selections: [{ connection_id: "$", stream: "books", view: "none" }] }, "invalid_request"],
    [{ selections: [{ connection_id: "$", stream: "authors", since: "2024-01-01T00:00:00Z" }] }, "invalid_request"],
    [{ selections: [{ connection_id: "$", stream: "books", since: "yesterday" }] }, "invalid_request"],
    [
      {
        selections: [
          { connection_id: "$", stream: "books", since: "2024-01-02T00:00:00Z", until: "2024-01-01T00:00:00Z" },
        ],
      },
      "invalid_request",
    ],
    [{ selections: [{ connection_id: "$", stream: "books" }, { connection_id: "$" }] }, "invalid_request"],
    [{ all: true, expires_in_seconds: 0 }, "invalid_request"],
    [{ all: true, surprise: 1 }, "invalid_request"],
    [{ all: true, access_mode: "forever" }, "invalid_request"],
  ])("P-01 a request for %j gets %s, and nothing is issued", async (request, code) => {
    const before = (await server.get("/v1/grants")).body.data.length;
    const { status, body } = await server.call("POST", "/v1/grants", {
      body: JSON.parse(JSON.stringify(request).replaceAll('"$"', JSON.stringify(first))),
    });
    expect([status >= 400 && status < 500, body.error?.code]).toEqual([true, code]);
    expect((await server.get("/v1/grants")).body.data).toHaveLength(before);
  });

  test("P-08 is listed and shown with its status and last use", async () => {
    const { grant_id: id, access_token: token } = await server.grant({
      selections: [{ connection_id: first, stream: "books" }],
    });
    const show = async () => (await server.get(`/v1/grants/${id}`)).body;
    expect(await show()).toMatchObject({ object: "grant", status: "active", grant: { grant_id: id } });
    expect("last_used_at" in (await show())).toBe(false);
    const before = Date.now();
    await read(token);
    const usedAt = Date.parse((await show()).last_used_at);
    expect([usedAt >= before, usedAt <= Date.now()]).toEqual([true, true]);
    expect((await server.get("/v1/grants")).body.data.map((one: Loose) => one.grant.grant_id)).toContain(id);
    expect((await server.get("/v1/grants/grt_none")).body.error.code).toBe("not_found");
    expect(JSON.stringify(await show())).not.toContain(token);
  });

  test("P-02 gives no access to any request after it was revoked", async () => {
    const { grant_id: id, access_token: token } = await server.grant({
      selections: [{ connection_id: first, stream: "books" }],
    });
    const page = (await read(token, { limit: 1 })).body;
    expect((await revoke(id)).body).toMatchObject({ object: "revocation", revoked: [id] });
    for (const [path, query] of [
      ["/v1/streams/books/records", {}],
      ["/v1/streams/books/records", { limit: 1, cursor: page.next_cursor }],
      ["/v1/streams/books/records", { "filter[genre]": "novel" }],
      ["/v1/streams/books/aggregate", { metric: "count" }],
      ["/v1/schema", {}],
      ["/v1/connections", {}],
    ] as const) {
      const { status, body } = await read(token, query, path);
      expect([status, body.error.code]).toEqual([403, "grant_revoked"]);
    }
    expect((await server.get(`/v1/grants/${id}`)).body).toMatchObject({
      status: "revoked",
      revoked_at: expect.any(String),
    });
    expect((await revoke(id)).status).toBe(200);
    expect((await revoke("grt_none")).body.error.code).toBe("not_found");
  });

  test("P-02 shows nothing to requests after it is revoked, even during many reads", async () => {
    const { grant_id: id, access_token: token } = await server.grant({
      selections: [{ connection_id: first, stream: "books" }],
    });
    const readers = Array.from({ length: 20 }, () => read(token, { sort: "title" }));
    await revoke(id);
    const later = await Promise.all(Array.from({ length: 20 }, () => read(token, { sort: "title" })));
    for (const { status } of await Promise.all(readers)) expect([200, 403]).toContain(status);
    expect(later.map(({ status }) => status)).toEqual(Array(20).fill(403));
  });

  test("P-01 expires together with its token, and an owner's token expires too", async () => {
    const home = newHome();
    prepareHome(home);
    let now = Date.UTC(2026, 0, 1);
    const host = localHost(openSqliteStore(home), { home, persist: false, now: () => now });
    const call = async (method: Parameters<typeof host.call>[0], query: Loose, token?: string): Promise<Loose> =>
      host.call(method, query, token === undefined ? HOME_OWNER : { token }).catch((error) => error.code);
    await call("putConnector", { connector_key: "library", declaration: library });
    const { connection_id } = await call("createConnection", { connector_id: "library" });
    const issued = await call("issueGrant", { selections: [{ connection_id }], expires_in_seconds: 60 });
    const owner = await call("issueOwnerToken", { expires_in_seconds: 60 });
    expect(issued.expires_at).toBe("2026-01-01T00:01:00.000Z");
    now += 59_999;
    expect((await call("streams", {}, issued.access_token)).object).toBe("list");
    now += 1;
    expect(await call("streams", {}, issued.access_token)).toBe("token_expired");
    expect(await call("grants", {}, owner.access_token)).toBe("token_expired");
    expect((await call("grants", {})).data[0].status).toBe("expired");
    await host.close();
    rmSync(home, { recursive: true, force: true });
  });

  test("P-01 a single-use grant returns one token, which is valid for an hour by default", async () => {
    const {
      grant_id: id,
      access_token: token,
      expires_at,
      grants,
    } = await server.grant({
      selections: [{ connection_id: first, stream: "books" }],
      access_mode: "single_use",
    });
    expect(Date.parse(expires_at) - Date.parse(grants[0].issued_at)).toBe(3_600_000);
    expect((await read(token)).status).toBe(200);
    expect((await server.get(`/v1/grants/${id}`)).body.status).toBe("active");
  });

  test("P-01 a request outside the granted time range is refused with grant_time_range_exceeded instead of an empty list", async () => {
    const { access_token: token } = await server.grant({
      selections: [
        { connection_id: first, stream: "books", since: "2024-01-01T00:00:00Z", until: "2025-01-01T00:00:00Z" },
      ],
    });
    for (const [name, value] of [
      ["lt", "2024-01-01"],
      ["lte", "2023-12-31"],
      ["gte", "2025-01-01"],
      ["gt", "2025-06-01"],
    ] as const) {
      expect((await read(token, { [`filter[published_at][${name}]`]: value })).body.error.code, name).toBe(
        "grant_time_range_exceeded",
      );
    }
    expect((await read(token, { "filter[published_at]": "2020-01-01" })).body.error.code).toBe(
      "grant_time_range_exceeded",
    );
    expect(
      ids(
        (
          await read(token, {
            "filter[published_at][gte]": "2020-01-01",
            "filter[published_at][lt]": "2030-01-01",
            count: "exact",
          })
        ).body.data,
      ),
    ).toHaveLength(8);
  });
});

describe("P-01 a package", () => {
  test("P-01 is one token for several grants; a read that needs a source lists the connections to choose from", async () => {
    const issued = await server.grant({ selections: [{ connection_id: first }, { connection_id: second }] });
    expect([issued.grant_package_id, issued.grants.length, "grant_id" in issued]).toEqual([
      expect.stringMatching(/^gpkg_/),
      2,
      false,
    ]);
    const token = issued.access_token;
    const { status, body } = await read(token);
    expect([status, body.error.code]).toEqual([409, "ambiguous_connection"]);
    expect(body.error).toMatchObject({
      retry_with: "connection_id",
      param: "connection_id",
      available_connections: issued.grants.map((grant: Loose) => ({
        grant_id: grant.grant_id,
        connector_key: "library",
        connection_id: grant.streams[0].instance_ids[0],
      })),
      available_connections_total: 2,
      available_connections_truncated: false,
    });
    for (const name of ["connection_id", "connector_instance_id"]) {
      const { body: page } = await read(token, { [name]: second });
      expect([ids(page.data), page.connection_id]).toEqual([["other"], second]);
    }
    expect((await read(token, { connection_id: second, connector_instance_id: second })).body.error.code).toBe(
      "invalid_request",
    );
    for (const path of [
      "/v1/streams/books",
      "/v1/streams/books/aggregate?metric=count",
      "/v1/streams/books/records/other",
    ]) {
      expect((await read(token, {}, path)).body.error.code, path).toBe("ambiguous_connection");
    }
    expect((await read(token, {}, "/v1/schema")).body.bearer).toMatchObject({
      kind: "mcp_package",
      scope: "package",
      grant_package_id: issued.grant_package_id,
    });
  });

  test("P-01 an ambiguous read lists at most ten connections and says how many there are", async () => {
    await server.register("many", sourceLike("many"));
    const made = [];
    for (let n = 0; n < 12; n++) made.push(await server.connect("many", `M${n}`));
    const { access_token: token } = await server.grant({
      selections: made.map((connection_id) => ({ connection_id, stream: "books" })),
    });
    const { error } = (await read(token)).body;
    expect([
      error.available_connections.length,
      error.available_connections_total,
      error.available_connections_truncated,
    ]).toEqual([10, 12, true]);
    const { error: owners } = (await server.get("/v1/streams/books/records")).body;
    expect([owners.available_connections.length, owners.available_connections_total]).toEqual([10, 14]);
    const { error: ingest } = (await server.call("POST", "/v1/ingest/books", { body: "" })).body;
    expect([
      ingest.available_connections.length,
      ingest.available_connections_total,
      ingest.available_connections_truncated,
    ]).toEqual([10, 14, true]);
    for (const connection of made) await server.call("DELETE", `/v1/connections/${connection}`);
  });

  test("P-02 loses a revoked child grant and keeps the others; a revoked package gives no access", async () => {
    const issued = await server.grant({ selections: [{ connection_id: first }, { connection_id: second }] });
    const token = issued.access_token;
    const [child] = issued.grants.filter((grant: Loose) => grant.streams[0].instance_ids[0] === first);
    await revoke(child.grant_id);
    expect(ids((await read(token)).body.data)).toEqual(["other"]);
    expect((await read(token, { connection_id: first })).body.error.code).toBe("connection_not_found");
    expect(
      (await server.get(`/v1/grants/${issued.grant_package_id}`)).body.grants.map((one: Loose) => one.status).sort(),
    ).toEqual(["active", "revoked"]);
    await revoke(issued.grant_package_id);
    expect((await read(token)).body.error.code).toBe("grant_revoked");
    // Reads that no single grant allowed count towards the package itself.
    const { use } = (await server.get(`/v1/grants/${issued.grant_package_id}`)).body;
    expect([use.calls, use.denied, use.recent.map((call: Loose) => call.outcome)]).toEqual([
      0,
      2,
      ["grant_revoked", "connection_not_found"],
    ]);
    const own = await server.get("/v1/activity", { query: { grant_id: issued.grant_package_id } });
    expect(own.body.data).toEqual(use.recent);
  });
});

describe("P-01 connections", () => {
  test("P-01 can be created, renamed and deleted, and a new name is shown immediately", async () => {
    const created = await server.call("POST", "/v1/connections", {
      body: { connector_id: "library", display_name: "Working title" },
    });
    expect(created.status).toBe(201);
    const { connection_id: id } = created.body;
    await server.ingest("books", id, [book("x")]);
    const renamed = await server.call("PATCH", `/v1/connections/${id}`, { body: { display_name: "Titel ü" } });
    expect(renamed.body.display_name).toBe("Titel ü");
    expect(
      (await server.get("/v1/streams/books/records", { query: { connection_id: id } })).body.data[0].display_name,
    ).toBe("Titel ü");
    for (const body of [
      {},
      { display_name: "" },
      { display_name: "x".repeat(201) },
      { display_name: 1 },
      { display_name: "x", connection_id: id },
    ]) {
      expect((await server.call("PATCH", `/v1/connections/${id}`, { body })).body.error.code).toBe("invalid_request");
    }
    expect(
      (await server.call("PATCH", "/v1/connections/cin_none", { body: { display_name: "x" } })).body.error.code,
    ).toBe("connection_not_found");
    expect((await server.call("POST", "/v1/connections", { body: { connector_id: "none" } })).body.error.code).toBe(
      "not_found",
    );
    await server.call("DELETE", `/v1/connections/${id}`);
  });

  test("P-01 deleting a connection deletes its records, feeds, blobs and state, and grants on it find no connection", async () => {
    const id = await server.connect("library", "Doomed");
    const upload = await server.call("POST", "/v1/blobs", {
      query: { stream: "books", connection_id: id },
      body: "doomed bytes",
    });
    await server.ingest("books", id, [book("x", { cover: upload.body }), book("y")]);
    await server.call("PUT", "/v1/state/library", {
      query: { connection_id: id },
      body: { state: { books: { page: 1 } } },
    });
    const { access_token: token } = await server.grant({ selections: [{ connection_id: id }] });
    const since = (await read(token, { changes_since: "beginning" })).body.next_changes_since;
    const { body } = await server.call("DELETE", `/v1/connections/${id}`);
    expect(body).toMatchObject({ connection_id: id, deleted: true, records_deleted: 2 });
    for (const by of [token, server.owner]) {
      for (const query of [{}, { changes_since: "beginning" }, { changes_since: since }, { "filter[genre]": "x" }]) {
        expect((await read(by, { connection_id: id, ...query })).body.error.code).toBe("connection_not_found");
      }
      expect((await read(by, {}, `/v1/blobs/${upload.body.blob_id}`)).body.error.code).toBe("blob_not_found");
    }
    expect((await server.get("/v1/state/library", { query: { connection_id: id } })).body.error.code).toBe(
      "connection_not_found",
    );
    expect((await server.call("DELETE", `/v1/connections/${id}`)).body.error.code).toBe("connection_not_found");
    expect((await read(token, {}, "/v1/schema")).body.connectors).toEqual([]);
  });
});

test("P-01 a connector's state is stored per stream, merged, and returned unchanged", async () => {
  const query = { connection_id: first };
  expect((await server.get("/v1/state/library", { query })).body).toEqual({
    object: "stream_state",
    connection_id: first,
    state: {},
    updated_at: null,
  });
  const cursor = { deep: [1, { a: null }], text: "ü𝒳" };
  const put = (body: unknown, more = {}) =>
    server.call("PUT", "/v1/state/library", { query: { ...query, ...more }, body });
  expect((await put({ state: { books: cursor, loans: 7 } })).body.state).toEqual({ books: cursor, loans: 7 });
  expect((await put({ state: { loans: null } })).body.state).toEqual({ books: cursor, loans: null });
  const { body } = await server.get(`/v1/state/${encodeURIComponent("https://test.example/library")}`, { query });
  expect([body.state.books, Number.isNaN(Date.parse(body.updated_at))]).toEqual([cursor, false]);
  expect((await server.get("/v1/state/library")).body.error.code).toBe("ambiguous_connection");
  expect((await server.get("/v1/state/nothing")).body.error.code).toBe("not_found");
  for (const bad of [{}, { state: [] }, { state: 1 }, { state: {}, more: 1 }, '{"state":{"__proto__":1}}'])
    expect((await put(bad)).body.error.code).toBe("invalid_request");
});

test('P-01 "all" and selections are mutually exclusive, and an expiry too far in the future is refused', async () => {
  const both = await server.call("POST", "/v1/grants", {
    body: { all: true, selections: [{ connection_id: "cin_x" }] },
  });
  expect([both.status, both.body.error.param]).toEqual([400, "selections"]);
  const far = await server.call("POST", "/v1/grants", { body: { all: true, expires_in_seconds: 8_640_000_000_000 } });
  expect([far.status, far.body.error.code]).toEqual([400, "invalid_request"]);
});
