// P-08, row 19: every read is logged before its bytes are sent, the log contains no content, and tampering is detected.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EngineHost } from "../../src/engine/host.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { forgetJournals } from "../../src/store/sqlite/maintenance.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { HOME_OWNER, ids, type Loose, newHome, ON_FILES, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";

let server: TestServer;
let connection: string;
let grant: Loose;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library");
  await server.ingest("books", connection, BOOKS);
  await server.ingest("books", connection, [
    book("canary", { title: "CANARY-TITLE-4711", notes: "CANARY-NOTES-4711" }),
  ]);
  grant = await server.grant({ selections: [{ connection_id: connection, stream: "books" }], client_name: "Reader" });
});
afterAll(() => server.close());

const activity = async (query: Query = {}): Promise<Loose[]> => (await server.get("/v1/activity", { query })).body.data;
const entryOf = async (requestId: string): Promise<Loose[]> =>
  (await activity({ limit: 100 })).filter((entry) => entry.request_id === requestId);
const as = (requestId: string, token: string) => ({ token, headers: { "Request-Id": requestId } });

describe("P-08 every read", () => {
  const READS: [action: string, path: string, records: number, query?: object][] = [
    ["records", "/v1/streams/books/records?limit=3", 3],
    ["records", "/v1/streams/books/records?filter[genre]=novel", 5, { filter: { genre: "novel" } }],
    ["records", "/v1/streams/books/records?changes_since=beginning&limit=4", 4, { changes: true }],
    ["record", "/v1/streams/books/records/b01", 1],
    ["window", "/v1/streams/books/records/b01/field-window?field=notes", 1],
    ["aggregate", "/v1/streams/books/aggregate?metric=count", 0, { metric: "count" }],
    ["stream", "/v1/streams/books", 0],
  ];

  test.each(READS)(
    "P-08 V-06 %s %s is logged with caller, grant, stream, query, records and bytes",
    async (action, path, records, query) => {
      const id = `read-${action}-${records}-${path.length}`;
      const { text, body } = await server.get(path, as(id, grant.access_token));
      expect(await entryOf(id)).toEqual([
        {
          object: "activity",
          n: expect.any(Number),
          at: expect.stringMatching(/Z$/),
          subject_id: expect.any(String),
          actor: "client",
          client_id: grant.grants[0].client.client_id,
          grant_id: grant.grant_id,
          action,
          connection_id: connection,
          stream: "books",
          records,
          bytes: Buffer.byteLength(text),
          outcome: "ok",
          request_id: id,
          ...(query === undefined ? {} : { query }),
          ...(records === 0 ? {} : { ids: action === "records" ? ids(body.data) : ["b01"] }),
        },
      ]);
    },
  );

  test("P-08 row 19 a denied read is logged with its reason (wrong field, revoked grant), but an unknown caller cannot fill the log", async () => {
    await server.get("/v1/streams/authors/records", as("denied-stream", grant.access_token));
    await server.get("/v1/streams/books/records?filter[x]=1", as("denied-field", grant.access_token));
    await server.get("/v1/schema", as("denied-token", "pdpp_at_unknown"));
    const revoked = await server.grant({ selections: [{ connection_id: connection }] });
    await server.call("POST", `/v1/grants/${revoked.grant_id}/revoke`);
    await server.get("/v1/schema", as("denied-grant", revoked.access_token));
    const logged = async (id: string) =>
      (await entryOf(id)).map(({ actor, grant_id, outcome, records, bytes }) => ({
        actor,
        grant_id,
        outcome,
        records,
        bytes,
      }));
    const nothing = { records: 0, bytes: 0 };
    expect(await logged("denied-stream")).toEqual([
      { actor: "client", grant_id: grant.grant_id, outcome: "grant_stream_not_allowed", ...nothing },
    ]);
    expect(await logged("denied-field")).toEqual([
      { actor: "client", grant_id: grant.grant_id, outcome: "field_not_granted", ...nothing },
    ]);
    expect(await logged("denied-token")).toEqual([]);
    expect(await logged("denied-grant")).toEqual([
      { actor: "client", grant_id: revoked.grant_id, outcome: "grant_revoked", ...nothing },
    ]);
  });

  test("P-08 a blob download is logged before the first byte and after the last", async () => {
    const upload = await server.call("POST", "/v1/blobs", {
      query: { stream: "books", connection_id: connection },
      body: "z".repeat(5000),
    });
    await server.ingest("books", connection, [book("with-blob", { cover: upload.body })]);
    const { text } = await server.get(`/v1/blobs/${upload.body.blob_id}`, as("blob-read", grant.access_token));
    expect(text).toHaveLength(5000);
    await expect
      .poll(async () => (await entryOf("blob-read")).map(({ action, bytes }) => [action, bytes]))
      .toEqual([
        ["blobServed", 5000],
        ["blob", 0],
      ]);
  });

  test("P-08 a read through a package is logged with the child grant that allowed it", async () => {
    const other = await server.connect("library", "Other");
    const issued = await server.grant({ selections: [{ connection_id: connection }, { connection_id: other }] });
    await server.get(`/v1/streams/books/records?connection_id=${other}`, as("package-read", issued.access_token));
    const child = issued.grants.find((one: Loose) => one.streams[0].instance_ids[0] === other);
    expect((await entryOf("package-read"))[0]).toMatchObject({
      actor: "mcp_package",
      grant_id: child.grant_id,
      grant_package_id: issued.grant_package_id,
      connection_id: other,
    });
  });

  test("P-08 only the owner can page through the log, newest first, as a whole or by grant", async () => {
    const first = (await server.get("/v1/activity", { query: { limit: 2 } })).body;
    expect([first.data.length, first.has_more, first.data[0].n - first.data[1].n]).toEqual([2, true, 1]);
    const second = await activity({ limit: 2, before: first.meta.next_before });
    expect(second[0]!.n).toBe(first.data[1].n - 1);
    const own = await activity({ grant_id: grant.grant_id, limit: 100 });
    expect(own.length).toBeGreaterThan(READS.length);
    expect(new Set(own.map((entry) => entry.grant_id))).toEqual(new Set([grant.grant_id]));
    expect((await server.get("/v1/activity", { token: grant.access_token })).body.error.code).toBe(
      "insufficient_scope",
    );
    for (const query of [{ limit: 101 }, { limit: 0 }, { before: 0 }])
      expect((await server.get("/v1/activity", { query })).status).toBe(400);
  });

  test("P-08 the owner can find log lines by app, connection, stream, action, outcome, request and time", async () => {
    const other = await server.connect("library", "Elsewhere");
    const app = await server.grant({ selections: [{ connection_id: other, stream: "books" }], client_name: "Finder" });
    const client_id = app.grants[0].client.client_id;
    const { access_token: token } = app;
    const before = new Date().toISOString();
    await server.get("/v1/streams/books/records", as("found-records", token));
    await server.get("/v1/streams/books/aggregate?metric=count", as("found-count", token));
    await server.get("/v1/streams/loans/records", as("found-denied", token));
    const found = async (query: Query): Promise<string[]> =>
      (await activity({ client_id, ...query })).map(({ request_id }) => request_id);
    expect(await found({})).toEqual(["found-denied", "found-count", "found-records"]);
    expect(await found({ outcome: "denied" })).toEqual(["found-denied"]);
    expect(await found({ outcome: "ok", connection_id: other })).toEqual(["found-count", "found-records"]);
    expect(await found({ action: "records" })).toEqual(["found-denied", "found-records"]);
    expect(await found({ stream: "loans" })).toEqual(["found-denied"]);
    expect(await found({ request_id: "found-count" })).toEqual(["found-count"]);
    expect(await found({ since: before, actor: "app" })).toHaveLength(3);
    expect(await found({ until: before })).toEqual([]);
    expect(await found({ actor: "owner" })).toEqual([]);
    const page = (await server.get("/v1/activity", { query: { client_id, limit: 2 } })).body;
    expect(page).toMatchObject({ has_more: true, links: { self: `/v1/activity?client_id=${client_id}&limit=2` } });
    expect(await found({ limit: 2, before: page.meta.next_before })).toEqual(["found-records"]);
    for (const query of [{ outcome: "fine" }, { since: "yesterday" }, { since: before, until: before }])
      expect((await server.get("/v1/activity", { query })).body.error.param).toBe(Object.keys(query).at(-1));
  });

  test("P-08 the owner sees each day's reads by stream, in a chosen time zone", async () => {
    const app = await server.grant({ selections: [{ connection_id: connection, stream: "books" }] });
    const { access_token: token } = app;
    const client_id = app.grants[0].client.client_id;
    const { text } = await server.get("/v1/streams/books/records?limit=3", { token });
    await server.get("/v1/streams/loans/records", { token });
    const { body } = await server.get("/v1/activity/days", { query: { client_id, time_zone: "Pacific/Auckland" } });
    const bytes = Buffer.byteLength(text);
    const [line] = await activity({ client_id, outcome: "ok" });
    const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Auckland" }).format(new Date(line.at));
    const read = { calls: 1, denied: 0, records: 3, bytes };
    expect(body).toMatchObject({
      time_zone: "Pacific/Auckland",
      data: [{ day, ...read, denied: 1, streams: [{ connection_id: connection, stream: "books", ...read }] }],
    });
    const past = { client_id, until: "2020-01-01T00:00:00Z" };
    expect((await server.get("/v1/activity/days", { query: past })).body).toMatchObject({
      since: "2019-12-03T00:00:00.000Z",
      data: [],
    });
    const nowhere = await server.get("/v1/activity/days", { query: { time_zone: "Mars/Olympus" } });
    expect(nowhere.body.error).toMatchObject({ code: "invalid_request", param: "time_zone" });
  });

  test.runIf(ON_FILES)(
    "P-08 row 19 the log file contains neither tokens nor content, even after failed and malformed calls",
    async () => {
      await server.get("/v1/streams/books/records?filter[title]=CANARY-FILTER-4711", { token: grant.access_token });
      await server.get("/v1/streams/books/records/CANARY-ID-4711", { token: grant.access_token });
      await server.get("/v1/streams/books/records/canary", { token: grant.access_token });
      const bytes = readdirSync(server.home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes("audit"))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
      expect(bytes.some((file) => file.includes("field_not_granted"))).toBe(true);
      for (const secret of [server.owner, grant.access_token, "CANARY"])
        for (const file of bytes) expect(file.includes(secret)).toBe(false);
    },
  );

  test("P-08 row 19 many concurrent clients leave one unbroken chain that contains every read", async () => {
    const tokens = await Promise.all(
      Array.from(
        { length: 8 },
        async () => (await server.grant({ selections: [{ connection_id: connection, stream: "books" }] })).access_token,
      ),
    );
    const before = (await server.get("/v1/activity/verify")).body.entries;
    const paths = [
      "/v1/streams/books/records",
      "/v1/streams/books/records?sort=title",
      "/v1/streams/books/aggregate?metric=count",
      "/v1/streams/books/records/b01",
      "/v1/schema",
    ];
    const reads = tokens.flatMap((token, client) =>
      paths.flatMap((path, index) =>
        Array.from({ length: 5 }, (_, n) => server.get(path, as(`load-${client}-${index}-${n}`, token))),
      ),
    );
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
    const { body } = await server.get("/v1/activity/verify");
    expect(body).toEqual({ object: "activity_verification", entries: before + reads.length + 1, intact: true });
  });
});

describe.runIf(ON_FILES)("row 19 a tampered log", () => {
  const CHANGES: [what: string, sql: string, brokenAt: (n: number) => number][] = [
    [
      "an entry's content was changed",
      `UPDATE entry SET body = replace(body, '"records":3', '"records":4') WHERE n = (SELECT min(n) FROM entry WHERE body LIKE '%"records":3%')`,
      (n) => n,
    ],
    ["an entry is no longer JSON", "UPDATE entry SET body = 'gone' WHERE n = 7", () => 7],
    ["an entry's hash was changed", "UPDATE entry SET hash = zeroblob(32) WHERE n = 5", () => 5],
    ["an entry is filed under another grant", "UPDATE entry SET grant_id = 'grt_x' WHERE n = 9", () => 9],
    ["an entry is filed under another time", "UPDATE entry SET at = at + 1 WHERE n = 9", () => 9],
    ["the first entry is gone", "DELETE FROM entry WHERE n = 1", () => 1],
    ["an entry in the middle is gone", "DELETE FROM entry WHERE n = 10", () => 10],
    [
      "entries were renumbered over a gap",
      "DELETE FROM entry WHERE n = 10; UPDATE entry SET n = -n WHERE n > 10; UPDATE entry SET n = -n - 1 WHERE n < 0",
      () => 10,
    ],
    ["the last entry is gone", "DELETE FROM entry WHERE n = (SELECT max(n) FROM entry)", (n) => n],
    [
      "the last entry is gone and the recorded end was moved",
      "DELETE FROM entry WHERE n = (SELECT max(n) FROM entry); UPDATE head SET n = n - 1, hash = (SELECT hash FROM entry ORDER BY n DESC LIMIT 1)",
      (n) => n,
    ],
    ["all entries are gone", "DELETE FROM entry", () => 1],
    [
      "two entries were swapped",
      "UPDATE entry SET n = -4 WHERE n = 4; UPDATE entry SET n = 4 WHERE n = 5; UPDATE entry SET n = 5 WHERE n = -4",
      () => 4,
    ],
  ];

  test.each(CHANGES)("row 19 verify detects that %s, and says where", async (_what, sql, brokenAt) => {
    const home = mkdtempSync(join(tmpdir(), "pdpp-audit-"));
    try {
      copyFileSync(join(server.home, "key"), join(home, "key"));
      const source = new DatabaseSync(join(server.home, "audit.db"));
      source.exec(`VACUUM INTO '${join(home, "audit.db")}'`);
      // As after `pdpp restore`, the copy has no journals of the running server.
      forgetJournals(join(home, "audit.db"));
      source.close();
      const untouched = openSqliteStore(home);
      const { entries, brokenAt: broken } = await untouched.audit.verify();
      expect([entries > 20, broken]).toEqual([true, undefined]);
      await untouched.close();
      const database = new DatabaseSync(join(home, "audit.db"));
      const changed = sql.includes("min(n)")
        ? (database.prepare(`SELECT min(n) AS n FROM entry WHERE body LIKE '%"records":3%'`).get()!.n as number)
        : entries;
      database.exec(sql);
      database.close();
      const store = openSqliteStore(home);
      const verdict = await store.audit.verify();
      await store.close();
      expect(verdict.brokenAt).toBe(brokenAt(changed));
      expect(verdict.reason).toMatch(/changed|missing/);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe("SECURITY row 19 lines that are still in a journal", () => {
  const made: string[] = [];
  afterAll(() => {
    for (const home of made) rmSync(home, { recursive: true, force: true });
  });

  /** Creates a separate home with some reads that are still in the journal. */
  async function reads(): Promise<{ home: string; host: EngineHost; journals: string[] }> {
    const home = newHome();
    made.push(home);
    prepareHome(home);
    const host = localHost(openSqliteStore(home), { home, persist: false });
    for (let n = 0; n < 5; n++) await host.call("schema", {}, HOME_OWNER, `journal-${n}`);
    const folder = join(home, "journals");
    return { home, host, journals: readdirSync(folder).map((name) => join(folder, name)) };
  }

  test("SECURITY row 19 a read is logged before its response, even if the process ends right then", async () => {
    const { home, journals } = await reads();
    expect(journals.map((path) => readFileSync(path, "utf8")).join("")).toContain("journal-4");
    const store = openSqliteStore(home);
    expect((await store.audit.list({ limit: 10 })).rows.map((entry) => entry.request_id)).toContain("journal-4");
    expect((await store.audit.verify()).brokenAt).toBeUndefined();
    await store.close();
  });

  test("SECURITY row 19 a journal line that was changed before it reached the log is detected", async () => {
    for (const change of [
      (text: string) => text.replace("journal-2", "journal-x"),
      (text: string) =>
        text
          .split("\n")
          .filter((line) => !line.includes("journal-2"))
          .join("\n"),
    ]) {
      const { host, journals } = await reads();
      for (const path of journals) writeFileSync(path, change(readFileSync(path, "utf8")));
      const { intact, reason } = await host.call("verifyActivity", {}, HOME_OWNER);
      expect([intact, reason]).toEqual([false, expect.stringContaining("journal")]);
      await host.close();
    }
  });

  test("P-08 a read that cannot be logged gets no data", async () => {
    const home = newHome();
    made.push(home);
    prepareHome(home);
    rmSync(join(home, "journals"), { recursive: true, force: true });
    writeFileSync(join(home, "journals"), "in the way");
    await expect(
      (async () => {
        const host = localHost(openSqliteStore(home), { home, persist: false });
        return host.call("schema", {}, HOME_OWNER);
      })(),
    ).rejects.toMatchObject({ code: "store_unavailable" });
  });
});
