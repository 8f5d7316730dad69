// a denied call shows the line of the grant that is the reason, and the owner can look it up by request id.
// Nothing hidden is revealed.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import { HOME_OWNER, type Loose, newHome, type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, book, library } from "../library.ts";

let server: TestServer;
let first: string;
let second: string;
/** The grant shows the titles of books published in 2024, and everything about authors. */
let grant: Loose;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  first = await server.connect("library", "First");
  second = await server.connect("library", "Second");
  await server.ingest("books", first, BOOKS);
  await server.ingest("authors", first, AUTHORS);
  await server.ingest("books", second, [book("other")]);
  grant = await server.grant({
    selections: [
      { connection_id: first, stream: "authors" },
      {
        connection_id: first,
        stream: "books",
        fields: ["title", "published_at"],
        since: "2024-01-01T00:00:00Z",
        until: "2025-01-01T00:00:00Z",
      },
    ],
    client_name: "Reader",
  });
});
afterAll(() => server.close());

let calls = 0;
async function denied(path: string, token: string, method = "GET"): Promise<{ error: Loose; denial: Loose }> {
  const id = `why-${++calls}`;
  const { body } = await server.call(method, path, { token, headers: { "Request-Id": id } });
  const asked = await server.get("/v1/activity/why", { query: { request_id: id } });
  expect([asked.status, asked.body.data?.length, body.error?.request_id]).toEqual([200, 1, id]);
  return { error: body.error, denial: asked.body.data[0] };
}

test("X-08 an invalid request is not a denial, and no grant is given as its reason", async () => {
  const both = await server.grant({ selections: [{ connection_id: first }, { connection_id: second }] });
  const token = both.access_token;
  const ids: string[] = [both.grant_package_id, ...both.grants.map(({ grant_id }: Loose) => grant_id)];
  const count = async (): Promise<number> => {
    const shown = await Promise.all(ids.filter(Boolean).map((id) => server.get(`/v1/grants/${id}`)));
    return [...JSON.stringify(shown.map(({ body }) => body)).matchAll(/"denied":(\d+)/g)].reduce(
      (sum, [, one]) => sum + Number(one),
      0,
    );
  };
  for (const [path, code] of [
    ["/v1/streams/books/records", "ambiguous_connection"],
    [`/v1/streams/books/records?connection_id=${first}&cursor=altered`, "invalid_cursor"],
  ] as const) {
    const { error, denial } = await denied(path, token);
    expect([error.code, denial.call.outcome, denial.grants, denial.why]).toEqual([code, code, [], undefined]);
    expect(denial.next_step).toMatch(/^No grant needs to change: the request was not denied\. /);
    const { request_id } = error;
    const listed = async (outcome?: string): Promise<number> =>
      (await server.get("/v1/activity", { query: { request_id, ...(outcome && { outcome }) } })).body.data.length;
    expect([await listed(), await listed("denied"), await listed("ok")]).toEqual([1, 0, 0]);
  }
  expect(await count()).toBe(0);
  await denied("/v1/streams/nothing/records", token);
  expect(await count()).toBeGreaterThan(0);
});

describe("X-08 the explanation of a denied call", () => {
  const NARROW = "title, published_at";
  const DENIED: [what: string, path: string, code: string, why: Loose][] = [
    [
      "a field",
      "/v1/streams/books/records?filter[secret]=x",
      "field_not_granted",
      { decided_by: "streams[1].fields", says: `books of First: id, ${NARROW}; not secret` },
    ],
    [
      "a field that does not exist",
      "/v1/streams/books/records?fields=title,nonsense",
      "field_not_granted",
      { decided_by: "streams[1].fields", says: `books of First: id, ${NARROW}; not nonsense` },
    ],
    [
      "a stream",
      "/v1/streams/loans/records",
      "grant_stream_not_allowed",
      { decided_by: "streams", says: "reads authors of First, books of First; not loans" },
    ],
    [
      "a stream to search in",
      "/v1/search?q=x&streams[]=loans",
      "grant_stream_not_allowed",
      { decided_by: "streams", says: "reads authors of First, books of First; not loans", asked: { stream: "loans" } },
    ],
    [
      "a time",
      "/v1/streams/books/records?filter[published_at][lt]=2024-01-01",
      "grant_time_range_exceeded",
      {
        decided_by: "streams[1].time_constraint",
        says: "books of First: published_at from 2024-01-01T00:00:00.000Z until 2025-01-01T00:00:00.000Z",
      },
    ],
    [
      "a record",
      "/v1/streams/books/records/nowhere",
      "not_found",
      {
        decided_by: "streams[1].time_constraint",
        says: "books of First: published_at from 2024-01-01T00:00:00.000Z until 2025-01-01T00:00:00.000Z; anything else is treated as if it did not exist",
      },
    ],
    [
      "a blob",
      "/v1/blobs/blob_nowhere",
      "blob_not_found",
      {
        decided_by: "streams",
        says: expect.stringMatching(/^reads authors of First, books of First; a blob can be read only/),
      },
    ],
    [
      "an owner-only call",
      "/v1/grants",
      "insufficient_scope",
      { decided_by: "pdpp_token_kind", says: expect.stringContaining("only the owner may make this call") },
    ],
  ];

  test.each(DENIED)(
    "X-08 for %s, shows the app and the owner which line of the grant is the reason",
    async (_what, path, code, why) => {
      const { error, denial } = await denied(path, grant.access_token);
      expect([error.code, error.why]).toEqual([code, expect.objectContaining({ grant_id: grant.grant_id, ...why })]);
      expect(denial).toMatchObject({
        object: "denial",
        app: "Reader",
        call: { outcome: code, grant_id: grant.grant_id, actor: "client", records: 0 },
        grants: [{ grant_id: grant.grant_id, status: "active" }],
      });
      expect(denial.why).toEqual(error.why);
      expect(denial.next_step.length).toBeGreaterThan(10);
    },
  );

  test("X-08 for a connection, lists the connections in the grant, whether or not the requested one exists", async () => {
    for (const id of [second, "cin_nowhere"]) {
      const { error, denial } = await denied(`/v1/streams/books/records?connection_id=${id}`, grant.access_token);
      expect([error.code, error.why]).toEqual([
        "connection_not_found",
        {
          grant_id: grant.grant_id,
          decided_by: "streams[].instance_ids",
          says: `reads First (${first}); not ${id}`,
          asked: { connection_id: id },
        },
      ]);
      expect(denial.why).toEqual(error.why);
      expect(denial.call.asked).toEqual({ stream: "books", connection_id: id });
    }
  });

  test("X-08 row 10 is the same for hidden things and for things that do not exist", async () => {
    const why = async (path: string, name: string) => {
      const { error } = (await server.get(path, { token: grant.access_token })).body;
      return JSON.stringify([error.code, error.why]).replaceAll(name, "NAME");
    };
    const pairs: [(name: string) => string, hidden: string, missing: string][] = [
      [(name) => `/v1/streams/books/records/${name}`, "b11", "b99"],
      [(name) => `/v1/streams/books/records/${name}/field-window?field=title`, "b11", "b99"],
      [(name) => `/v1/streams/books/records?filter[${name}]=x`, "secret", "secre_"],
      [(name) => `/v1/streams/books/records?sort=${name}`, "genre", "genr_"],
      [(name) => `/v1/streams/${name}/records`, "loans", "loan_"],
      [(name) => `/v1/streams/books?connection_id=${name}`, second, `${second.slice(0, -1)}_`],
    ];
    for (const [path, hidden, missing] of pairs)
      expect(await why(path(hidden), hidden), path(hidden)).toBe(await why(path(missing), missing));
    // A limit is mentioned only if the grant has one.
    const { error } = (await server.get("/v1/streams/authors/records/nobody", { token: grant.access_token })).body;
    expect([error.code, "why" in error]).toEqual(["not_found", false]);
  });

  test("X-08 in a package, shows the grant that comes closest, or says that no grant has the stream", async () => {
    const issued = await server.grant({
      selections: [
        { connection_id: first, stream: "authors" },
        { connection_id: second, stream: "books", fields: ["title"] },
      ],
    });
    const [authors, books] = issued.grants;
    const near = await denied(`/v1/streams/books/records?connection_id=${first}`, issued.access_token);
    expect(near.error.why).toEqual({
      grant_id: authors.grant_id,
      grant_package_id: issued.grant_package_id,
      decided_by: "streams",
      says: "reads authors of First; not books",
      asked: { stream: "books", connection_id: first },
      closest: [{ grant_id: books.grant_id, decided_by: "streams[0]", says: `books of Second (${second}): id, title` }],
    });
    const none = await denied("/v1/streams/loans/records", issued.access_token);
    expect(none.error.why).toMatchObject({
      grant_package_id: issued.grant_package_id,
      says: "none of the 2 grants includes the stream loans; the package reads authors of First, books of Second; not loans",
    });
    const inside = await denied("/v1/streams/books/records?fields=notes", issued.access_token);
    expect(inside.error.why).toMatchObject({ grant_id: books.grant_id, decided_by: "streams[0].fields" });
    for (const { error, denial } of [near, none, inside]) expect(denial.why).toEqual(error.why);
    await server.call("POST", `/v1/grants/${authors.grant_id}/revoke`);
    const after = await denied(`/v1/streams/authors/records?connection_id=${first}`, issued.access_token);
    expect([after.error.code, after.error.why.grant_id, after.error.why.decided_by, after.denial.why]).toEqual([
      "connection_not_found",
      authors.grant_id,
      "revoked_at",
      after.error.why,
    ]);
    // The earlier denial keeps its reason.
    const earlier = await server.get("/v1/activity/why", { query: { request_id: near.error.request_id } });
    expect(earlier.body.data[0].why).toEqual(near.error.why);
    expect(earlier.body.data[0].grants[0].status).toBe("revoked");
  });

  test("X-08 under a revoked grant, says when it was revoked; earlier denials keep their reason", async () => {
    const issued = await server.grant({ selections: [{ connection_id: first, stream: "books" }] });
    const before = await denied("/v1/streams/loans/records", issued.access_token);
    const { body } = await server.call("POST", `/v1/grants/${issued.grant_id}/revoke`);
    const { error, denial } = await denied("/v1/schema", issued.access_token);
    expect([error.code, error.why]).toEqual([
      "grant_revoked",
      {
        grant_id: issued.grant_id,
        decided_by: "revoked_at",
        says: `it was revoked at ${body.revoked_at}`,
      },
    ]);
    expect([denial.why, denial.grants[0].status]).toEqual([error.why, "revoked"]);
    expect(denial.next_step).toContain(`pdpp grants show ${issued.grant_id}`);
    const again = await server.get("/v1/activity/why", { query: { request_id: before.error.request_id } });
    expect(again.body.data[0].why).toEqual(before.error.why);
  });

  test("X-08 gives the owner the command that allows the call, and that command works", async () => {
    const run = async (path: string): Promise<Loose> => {
      const { denial } = await denied(path, grant.access_token);
      const command = /`(pdpp grants issue [^`]+)`/.exec(denial.next_step)?.[1];
      if (command === undefined) return denial.next_step;
      const words = shellWords(command).slice(3);
      const value = (name: string) => words[words.indexOf(`--${name}`) + 1];
      const has = (name: string) => words.includes(`--${name}`);
      const issued = await server.grant({
        selections: [
          {
            connection_id: value("connection"),
            ...(has("stream") ? { stream: value("stream") } : {}),
            ...(has("fields") ? { fields: value("fields")!.split(",") } : {}),
            ...(has("since") ? { since: value("since"), until: value("until") } : {}),
          },
        ],
        client_name: value("client-name"),
      });
      return (await server.get(path, { token: issued.access_token })).status;
    };
    expect(await run("/v1/streams/books/records?fields=notes")).toBe(200);
    expect(await run(`/v1/streams/loans/records?connection_id=${first}`)).toBe(200);
    expect(await run(`/v1/streams/books/records?connection_id=${second}`)).toBe(200);
    expect(await run("/v1/streams/books/records?filter[published_at][lt]=2024-01-01")).toBe(200);
    expect(await run("/v1/streams/books/records/b11")).toBe(200);
    expect(await run("/v1/streams/books/records?fields=nonsense")).toBe(
      "Nothing to allow: books has no field nonsense.",
    );
    expect(await run("/v1/streams/nonsense/records")).toBe("Nothing to allow: there is no stream nonsense.");
    expect(await run("/v1/streams/books?connection_id=cin_nowhere")).toBe(
      "Nothing to allow: there is no connection cin_nowhere.",
    );
    expect(await run("/v1/activity")).toMatch(/^No grant can allow this: apps can only read/);
  });

  test("X-08 contains the names that an app sent, shortened and printable, and no values", async () => {
    const hostile = `x\u001b2J\u202e${"y".repeat(100)}`;
    const path = `/v1/streams/books/records?filter[${encodeURIComponent(hostile)}]=CANARY-0815`;
    const { error, denial } = await denied(path, grant.access_token);
    expect([denial.call.asked.field, denial.call.asked]).toEqual([`x�2J�${"y".repeat(100)}`, error.why.asked]);
    expect(error.why.says).not.toMatch(/[\u001b\u202e]/);
    const long = await denied(`/v1/streams/${"z".repeat(5000)}/records`, grant.access_token);
    expect([long.error.code, long.denial.call.asked.stream.length]).toEqual(["invalid_request", 200]);
    expect(JSON.stringify(denial)).not.toContain("CANARY");
    expect((await server.get("/v1/activity/verify")).body.intact).toBe(true);
  });

  test("X-08 is available only to the owner, and only for denied calls", async () => {
    const id = "why-answered";
    await server.get("/v1/schema", { token: grant.access_token, headers: { "Request-Id": id } });
    for (const request_id of [id, "why-nowhere"]) {
      const { status, body } = await server.get("/v1/activity/why", { query: { request_id } });
      expect([status, body.error.next_step]).toEqual([404, expect.stringContaining("GET /v1/activity")]);
    }
    expect((await server.get("/v1/activity/why")).status).toBe(400);
    const { error } = (await server.get("/v1/activity/why?request_id=x", { token: grant.access_token })).body;
    expect(error.code).toBe("insufficient_scope");
    const own = await denied("/v1/streams/nowhere/records", server.owner);
    expect([own.error.code, "why" in own.denial, own.denial.grants]).toEqual(["not_found", false, []]);
  });

  test("X-08 covers each of several calls with the same request id", async () => {
    const headers = { "Request-Id": "why-shared" };
    const ask = (path: string) => server.get(path, { token: grant.access_token, headers });
    for (const path of ["/v1/streams/loans", "/v1/grants"]) await ask(path);
    const { data } = (await server.get("/v1/activity/why?request_id=why-shared")).body;
    expect(data.map((one: Loose) => one.call.outcome)).toEqual(["insufficient_scope", "grant_stream_not_allowed"]);
  });
});

test("X-08 the explanation for an expired grant says when it expired", async () => {
  const home = newHome();
  prepareHome(home);
  let now = Date.UTC(2026, 0, 1);
  const host = localHost(openSqliteStore(home), { home, persist: false, now: () => now });
  const call = async (
    method: Parameters<typeof host.call>[0],
    query: Loose,
    token?: string,
    id?: string,
  ): Promise<Loose> =>
    host.call(method, query, token === undefined ? HOME_OWNER : { token }, id).catch((error) => error);
  await call("putConnector", { connector_key: "library", declaration: library });
  const { connection_id } = await call("createConnection", { connector_id: "library" });
  const issued = await call("issueGrant", { selections: [{ connection_id }], expires_in_seconds: 60 });
  now += 90_000;
  const refused = await call("schema", {}, issued.access_token, "late");
  const why = {
    grant_id: issued.grant_id,
    decided_by: "expires_at",
    says: "it was valid until 2026-01-01T00:01:00.000Z",
  };
  expect([refused.code, refused.details.why]).toEqual(["token_expired", why]);
  const { data } = await call("why", { request_id: "late" });
  expect([data[0].why, data[0].grants[0].status]).toEqual([why, "expired"]);
  await host.close();
  rmSync(home, { recursive: true, force: true });
});
