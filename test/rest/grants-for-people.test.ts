// P-08: grants as people see them over REST: in words, with what was read under each. The file also covers unused
// grants and owner tokens.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { HOME_OWNER, type Loose, newHome, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, library } from "../library.ts";

let server: TestServer;
let first: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  first = await server.connect("library", "First");
  await server.ingest("books", first, BOOKS);
});
afterAll(() => server.close());

const read = (token: string, query: Query = {}, path = "/v1/streams/books/records") =>
  server.get(path, { token, query });
const revoke = (id: string) => server.call("POST", `/v1/grants/${id}/revoke`);

describe("P-08 a grant", () => {
  test("P-08 says in words what the app may read, and lists from the log what it has read", async () => {
    const issued = await server.grant({
      selections: [
        { connection_id: first, stream: "authors" },
        {
          connection_id: first,
          stream: "books",
          fields: ["title", "published_at"],
          since: "2024-01-01T00:00:00Z",
          resources: ["b01", "b03"],
        },
      ],
      client_name: "Read\u202eer\u0007",
      purpose_description: "to test",
      expires_in_seconds: 3600,
    });
    const { grant_id: id, access_token: token } = issued;
    const show = async () => (await server.get(`/v1/grants/${id}`)).body;
    expect(await show()).toMatchObject({
      sleeping: false,
      words: {
        app: "Reader",
        reads: [
          {
            connection_id: first,
            connection: "First",
            stream: "authors",
            fields: expect.stringMatching(/^all \d+ fields$/),
          },
          {
            connection: "First",
            stream: "books",
            fields: "id, title, published_at (3 of 13)",
            time: "published_at since 2024-01-01T00:00:00Z",
            records: "only 2 records",
          },
        ],
        until: `until ${issued.expires_at}`,
        purpose: "to test",
      },
      use: { calls: 0, denied: 0, records: 0, bytes: 0, streams: [], recent: [] },
    });
    const texts = [(await read(token)).text, (await read(token, {}, "/v1/streams/books/records/b03")).text];
    await read(token, {}, "/v1/connections");
    await read(token, { fields: "secret" });
    const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const { use, last_used_at } = await show();
    expect([use.calls, use.denied, use.records]).toEqual([3, 1, 3]);
    expect(use.streams).toEqual([
      { connection_id: first, stream: "books", reads: 2, records: 3, bytes: size, last_read_at: expect.any(String) },
    ]);
    expect(use.recent.map(({ action, outcome, records }: Loose) => [action, outcome, records])).toEqual([
      ["records", "field_not_granted", 0],
      ["connections", "ok", 0],
      ["record", "ok", 1],
      ["records", "ok", 2],
    ]);
    for (let n = 0; n < 4; n++) await read(token, {}, "/v1/streams/loans/records");
    const later = await show();
    expect([later.use.recent.length, later.use.denied, later.last_used_at]).toEqual([5, 5, last_used_at]);
    const { data } = (await server.get("/v1/grants")).body;
    // The agreed text is shown for a single grant, not in the list.
    const { agreed, ...listed } = later;
    expect(agreed.app).toBe("Reader");
    expect(data.find((one: Loose) => one.grant.grant_id === id)).toEqual(listed);
  });

  test("P-08 can be found by app and by status", async () => {
    const { grant_id: id, grants } = await server.grant({ selections: [{ connection_id: first, stream: "books" }] });
    const list = async (query: Query) =>
      (await server.get("/v1/grants", { query })).body.data.map((one: Loose) => one.grant.grant_id);
    const client_id = grants[0].client.client_id;
    expect(await list({ client_id })).toEqual([id]);
    expect(await list({ client_id, status: "revoked" })).toEqual([]);
    await revoke(id);
    expect(await list({ client_id, status: "revoked" })).toEqual([id]);
    expect((await server.get("/v1/grants", { query: { status: "gone" } })).status).toBe(400);
    expect((await server.get("/v1/grants", { query: { client_id } })).body.links.self).toBe(
      `/v1/grants?client_id=${client_id}`,
    );
  });

  test("P-08 is unused after a month without a call, or a week without a first call; a call resets this, and a revoked grant is not unused", async () => {
    const home = newHome();
    prepareHome(home);
    const day = 86_400_000;
    let now = Date.UTC(2026, 0, 1);
    const host = localHost(openSqliteStore(home), { home, persist: false, now: () => now });
    const call = async (method: Parameters<typeof host.call>[0], query: Loose, token?: string): Promise<Loose> =>
      await host.call(method, query, token === undefined ? HOME_OWNER : { token });
    await call("putConnector", { connector_key: "library", declaration: library });
    const { connection_id } = await call("createConnection", { connector_id: "library" });
    const issued = await call("issueGrant", { selections: [{ connection_id }] });
    const sleeping = async () => (await call("grant", { id: issued.grant_id })).sleeping;
    now += 7 * day - 1;
    expect(await sleeping()).toBe(false);
    now += 1;
    expect(await sleeping()).toBe(true);
    await call("records", { stream: "books" }, issued.access_token);
    expect(await sleeping()).toBe(false);
    now += 30 * day - 1;
    expect(await sleeping()).toBe(false);
    now += 1;
    // A refused call does not count as use.
    await expect(call("records", { stream: "nowhere" }, issued.access_token)).rejects.toThrow();
    expect(await sleeping()).toBe(true);
    await call("revokeGrant", { id: issued.grant_id });
    expect(await sleeping()).toBe(false);
    await host.close();
    rmSync(home, { recursive: true, force: true });
  });
});

test("SECURITY row 20 owner tokens are listed by id, and only the owner can revoke one or all of them", async () => {
  const made = async () => await server.host.call("issueOwnerToken", {}, HOME_OWNER);
  const [one, other] = [await made(), await made()];
  const list = await server.get("/v1/owner-tokens");
  expect(list.body.data.map((token: Loose) => token.token_id)).toEqual(
    expect.arrayContaining([one.token_id, other.token_id]),
  );
  expect(list.text).not.toContain(one.access_token.slice(-20));
  const drop = (id: string, token = server.owner) => server.call("DELETE", `/v1/owner-tokens/${id}`, { token });
  expect((await drop(one.token_id)).body).toMatchObject({
    object: "revocation",
    id: one.token_id,
    revoked: [one.token_id],
  });
  expect((await server.get("/v1/schema", { token: one.access_token })).status).toBe(401);
  expect((await drop(one.token_id)).body.error.code).toBe("not_found");
  const { access_token: app } = await server.grant({ selections: [{ connection_id: first, stream: "books" }] });
  expect((await drop("all", app)).body.error.code).toBe("insufficient_scope");
  expect((await server.get("/v1/owner-tokens", { token: app })).body.error.code).toBe("insufficient_scope");
  // A token can also revoke itself.
  expect((await drop(other.token_id, other.access_token)).status).toBe(200);
  expect((await server.get("/v1/schema", { token: other.access_token })).status).toBe(401);
});
