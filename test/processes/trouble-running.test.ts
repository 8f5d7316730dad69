// P-07: a database that fails, stalls or refuses connections or writes while a server runs leads to 503 with an
// explanation within a bounded time. The server is not ready, and recovers without a restart.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/place.ts";
import { addHostile } from "../connectors/hostile-connector.ts";
import { until } from "../events/receiver.ts";
import type { Answer, Line, Loose } from "../harness.ts";
import { ndjson } from "../harness.ts";
import { readiness, stacks, type Troubled, troubled } from "./trouble.ts";

let world: Troubled;

beforeAll(async () => {
  world = await troubled();
});
afterEach(() => {
  Object.assign(world.proxy, { closed: false, silent: false, cutAtCommitOf: undefined, onCut: undefined });
});
afterAll(() => world.close());

const book = (id: string): Line => ({ key: id, data: { id, title: `Title of ${id}` } });

const put = (...ids: string[]): Promise<Answer> =>
  world.server.call("POST", "/v1/ingest/books", {
    query: { connection_id: world.server.connection },
    body: ndjson(ids.map(book)),
  });

const list = (): Promise<Answer> =>
  world.server.get("/v1/streams/books/records", { query: { connection_id: world.server.connection, limit: 5 } });

const all = async (): Promise<string[]> =>
  (
    await world.server.all("/v1/streams/books/records", {
      query: { connection_id: world.server.connection, limit: 500 },
    })
  ).map(({ data }) => data.id as string);

/** Every endpoint responds with 503 in its own format with a retry time, never with 500, and within a bounded time. */
async function expectAway(): Promise<void> {
  const { url } = world.server;
  const form = { method: "POST", body: new URLSearchParams({ token: "pdpp_rt_x", client_id: "app", grant_type: "x" }) };
  const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  const page = { headers: { Accept: "text/html" } };
  const asked: [string, RequestInit, "oauth" | "page"][] = [
    ...["revoke", "introspect", "token", "device", "par"].map(
      (path) => [`/oauth/${path}`, form, "oauth"] as [string, RequestInit, "oauth"],
    ),
    ["/oauth/register", json, "oauth"],
    ["/oauth/authorize?client_id=app&response_type=code", page, "page"],
    ["/device", page, "page"],
    ["/login", page, "page"],
    ["/dashboard", page, "page"],
  ];
  await Promise.all(
    asked.map(async ([path, init, kind]) => {
      const answer = await fetch(url + path, { ...init, redirect: "manual" });
      const text = await answer.text();
      expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "2"]);
      if (kind === "page") expect(text, path).toMatch(/^<!doctype html>/i);
      else expect(JSON.parse(text), path).toMatchObject({ error: "temporarily_unavailable" });
    }),
  );
}

/** The error tells an app that it can retry, and when. */
function expectLater(answer: Answer, words: RegExp): void {
  expect([answer.status, answer.body.error]).toEqual([
    503,
    expect.objectContaining({
      type: "api_error",
      code: "store_unavailable",
      message: expect.stringMatching(words),
      next_step: expect.any(String),
    }),
  ]);
  expect(answer.text).not.toMatch(/127\.0\.0\.1|postgres:|SELECT|INSERT/);
}

async function newExport(): Promise<Loose> {
  const body = { stream: "books", connection_id: world.server.connection, format: "jsonl" };
  const { status, body: job } = await world.server.call("POST", "/v1/exports", { body });
  expect(status).toBe(202);
  return job;
}

const made = (id: string) =>
  until(
    async () => (await world.server.get(`/v1/exports/${id}`)).body.status,
    (status) => status === "succeeded",
  );

const green = () =>
  until(
    () => readiness(world.server),
    ({ status }) => status === 200,
  );
const red = () =>
  until(
    () => readiness(world.server),
    ({ status }) => status === 503,
  );

async function expectWhole(): Promise<void> {
  const { url, subject } = { url: world.proxy.url, subject: world.server.subject };
  const store = await openStore({ home: "/nowhere", database: { url, subject } });
  try {
    expect(await store.audit.verify()).toEqual({ entries: expect.any(Number) });
  } finally {
    await store.close();
  }
  const [versions] = await world.ask(
    `SELECT count(*)::int AS n, max(version)::int AS newest, (SELECT version::int FROM home WHERE subject_id = $1) AS head
     FROM record WHERE subject_id = $1`,
    subject,
  );
  expect(versions).toEqual({ n: versions!.newest, newest: versions!.newest, head: versions!.newest });
  expect(stacks(world.server.log)).toEqual([]);
}

describe("P-07 a failing database under a running server", () => {
  it("P-07 unreachable: reads and writes get 503 within the time limit, and the server is not ready until the database is back", async () => {
    expect((await put("before")).status).toBe(200);
    await green();
    world.proxy.closed = true;
    world.proxy.cutAll();
    const [write, read, probe] = await Promise.all([put("meanwhile"), list(), red(), expectAway()]);
    expectLater(write, /cannot be reached/);
    expectLater(read, /cannot be reached/);
    expect(JSON.parse(probe.text)).toMatchObject({ status: "not_ready" });
    expect(await (await fetch(`${world.server.url}/healthz`)).text()).toBe('{"status":"ok"}');
    expect(write.headers.get("retry-after")).toBe("2");
    world.proxy.closed = false;
    await green();
    expect((await put("meanwhile")).status).toBe(200);
    expect((await all()).sort()).toEqual(["before", "meanwhile"]);
    expect(world.server.log.filter((line) => /not ready|responding again/.test(line)).slice(0, 2)).toEqual([
      expect.stringMatching(
        /^not ready: the (database cannot be reached.* \(store_unavailable\)|store did not answer within 2 s)$/,
      ),
      "the store is responding again",
    ]);
    await expectWhole();
  });

  it("P-07 not responding: requests time out, then listening and leadership recover", async () => {
    await green();
    world.proxy.silent = true;
    const [write, read, probe] = await Promise.all([put("unheard"), list(), red()]);
    expect([write.status, read.status, probe.status]).toEqual([503, 503, 503]);
    // Ends the connections, as the operating system does if the other side does not respond.
    world.proxy.cutAll();
    world.proxy.silent = false;
    await green();
    expect((await put("unheard")).status).toBe(200);
    await made((await newExport()).export_id);
    await expectWhole();
  });

  it("P-07 all connections cut three times under load: only valid responses and 503s, nothing lost or duplicated", async () => {
    let isOver = false;
    const stored = new Set<string>();
    const statuses = new Map<number, number>();
    const note = (status: number): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const writer = async (name: string): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const id = `${name}-${n}`;
        for (;;) {
          const answer = await put(id);
          note(answer.status);
          if (answer.status === 200) break;
        }
        stored.add(id);
        await wait(20);
      }
    };
    const reader = async (): Promise<void> => {
      while (!isOver) {
        note((await list()).status);
        note((await world.server.get("/v1/search", { query: { q: "title" } })).status);
        await wait(20);
      }
    };
    const someWrites = async (): Promise<void> => {
      const enough = stored.size + 10;
      await until(
        () => stored.size,
        (count) => count >= enough,
      );
    };
    const killer = async (): Promise<void> => {
      for (let cut = 0; cut < 3; cut++) {
        await someWrites();
        await world.ask(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      }
      await someWrites();
      isOver = true;
    };
    await Promise.all([writer("a"), writer("b"), reader(), killer()]);
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const there = await all();
    expect(new Set(there).size).toBe(there.length);
    expect([...stored].filter((id) => !there.includes(id))).toEqual([]);
    await green();
    await expectWhole();
  });

  it("P-07 a connection that is cut between the commit and its response: the server asks the database whether the transaction was committed", async () => {
    for (let n = 0; n < 3; n++) {
      world.proxy.cutAtCommitOf = `cut-${n}`;
      const answer = await put(`cut-${n}`);
      expect([answer.status, world.proxy.cutAtCommitOf]).toEqual([200, undefined]);
      expect(answer.body).toMatchObject({ records_accepted: 1 });
    }
    expect((await all()).filter((id) => id.startsWith("cut-"))).toHaveLength(3);
    await expectWhole();
  });

  it("P-07 a connection that is cut at the commit while the database is unreachable: the write is reported as unknown, and sending it again stores it once", async () => {
    world.proxy.cutAtCommitOf = "unknown";
    world.proxy.onCut = () => {
      world.proxy.closed = true;
      setImmediate(() => world.proxy.cutAll());
    };
    const answer = await put("unknown");
    expectLater(answer, /it is unknown whether it was stored/);
    expect(answer.body.error.next_step).toMatch(/Records can safely be sent again/);
    world.proxy.closed = false;
    await green();
    expect((await put("unknown")).status).toBe(200);
    expect((await all()).filter((id) => id === "unknown")).toHaveLength(1);
    await expectWhole();
  });

  it("P-07 another session locks the owner's row: writes wait up to the lock timeout, then get 503, and reads continue", async () => {
    const holder = await world.session();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM home WHERE subject_id = $1 FOR UPDATE", [world.server.subject]);
    const writing = put("held");
    let done = false;
    void writing.then(() => {
      done = true;
    });
    for (let n = 0; n < 5; n++) expect((await list()).status).toBe(200);
    expect(done).toBe(false);
    expect((await readiness(world.server)).status).toBe(200);
    expectLater(await writing, /another process of this owner has been writing for too long/);
    await holder.query("ROLLBACK");
    await holder.end();
    expect((await put("held")).status).toBe(200);
    await expectWhole();
  });

  it("P-07 another process stalls in the middle of a write: revocations do not wait for it", async () => {
    const issued = await world.server.call("POST", "/v1/grants", { body: { all: true } });
    const { grant_id, access_token } = issued.body as { grant_id: string; access_token: string };
    const look = () => fetch(`${world.server.url}/v1/schema`, { headers: { Authorization: `Bearer ${access_token}` } });
    expect((await look()).status).toBe(200);
    const holder = await world.session("server");
    const ended = new Promise<Error>((resolve) => holder.once("error", resolve));
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM home WHERE subject_id = $1 FOR UPDATE", [world.server.subject]);
    // Writes that were queued before the revocation, here and in another process, do not delay it either.
    const writing = put("behind");
    const waiting = await world.session("server");
    const elsewhere = waiting.query("SELECT 1 FROM home WHERE subject_id = $1 FOR UPDATE", [world.server.subject]);
    const revoked = await world.server.call("POST", `/v1/grants/${grant_id}/revoke`);
    expect(revoked.status).toBe(200);
    expect((await look()).status).toBe(403);
    expect(await ended).toMatchObject({ code: "57P01" });
    expect((await writing).status).toBe(200);
    await elsewhere;
    await waiting.end();
    await expectWhole();
  });

  it("P-07 read-only: a read that cannot be logged is refused, and the server is not ready until the mode ends", async () => {
    const set = (value: string) =>
      world.ask(`ALTER DATABASE ${world.name} SET default_transaction_read_only = ${value}`);
    await set("on");
    world.proxy.cutAll();
    await red();
    for (const answer of [
      await put("frozen"),
      await list(),
      await world.server.get("/v1/search", { query: { q: "x" } }),
    ])
      expectLater(answer, /is read-only and does not accept writes/);
    await set("off");
    world.proxy.cutAll();
    await green();
    expect((await put("frozen")).status).toBe(200);
    await expectWhole();
  });

  it("P-07 out of connections: requests wait for a bounded time, then get 503 with an explanation until a connection is free", async () => {
    await world.ask(`ALTER ROLE ${world.name} CONNECTION LIMIT 0`);
    world.proxy.cutAll();
    const [write, read, probe] = await Promise.all([put("crowded"), list(), red()]);
    expectLater(write, /the database has no free connections/);
    expectLater(read, /the database has no free connections/);
    expect(read.body.error.next_step).toMatch(/max_connections/);
    expect(probe.status).toBe(503);
    await world.ask(`ALTER ROLE ${world.name} CONNECTION LIMIT -1`);
    await green();
    expect((await put("crowded")).status).toBe(200);
    await expectWhole();
  });

  describe("P-07 a database that refuses a job's progress and later accepts it", () => {
    beforeAll(() =>
      world.ask(`CREATE SEQUENCE trouble; CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('trouble') IN (2, 3, 4, 5) THEN RAISE 'not now' USING ERRCODE = '55P03'; END IF; RETURN NEW; END $$ SECURITY DEFINER`),
    );
    const calm = () =>
      world.ask(`DROP TRIGGER IF EXISTS refusing ON job; DROP TRIGGER IF EXISTS refusing ON record;
        ALTER SEQUENCE trouble RESTART`);
    afterEach(calm);
    const refuse = (when = "true", writes = "UPDATE ON job") =>
      world.ask(`CREATE TRIGGER refusing BEFORE ${writes} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse()`);
    const refused = async () =>
      expect(Number((await world.ask("SELECT nextval('trouble')"))[0]!.nextval)).toBeGreaterThan(5);

    it("P-07 an export is restarted", async () => {
      await refuse();
      await made((await newExport()).export_id);
      await refused();
    });

    it("P-07 an import continues where it stopped", async () => {
      const text = `id,word\n${Array.from({ length: 50 }, (_, row) => `${row},word`).join("\n")}\n`;
      const { body: upload } = await world.server.call("POST", "/v1/imports", {
        body: { name: "table.csv", size: text.length },
      });
      await world.server.call("PATCH", upload.upload_url, { body: text, headers: { "Upload-Offset": "0" } });
      await refuse();
      await world.server.call("POST", `/v1/imports/${upload.import_id}/run`, { body: { as: "Table" } });
      const ended = await until(
        async () => (await world.server.get(`/v1/imports/${upload.import_id}`)).body,
        ({ status }) => !["queued", "running"].includes(status),
      );
      expect(ended).toMatchObject({ status: "succeeded" });
      await refused();
    });

    it("P-07 a finished connector run keeps its result, and a run that cannot be stored is interrupted with a reason", async () => {
      const { connectionId } = await addHostile(world.server.server.host, "good");
      const run = async (): Promise<Loose> => {
        const begun = await world.server.call("POST", `/v1/connections/${connectionId}/runs`, { body: {} });
        return until(
          async () => (await world.server.get(`/v1/runs/${begun.body.run_id}`)).body,
          ({ status }) => !["queued", "running"].includes(status),
        );
      };
      await world.ask("ALTER SEQUENCE trouble RESTART WITH 2");
      await refuse("NEW.status NOT IN ('queued', 'running')");
      expect(await run()).toMatchObject({ status: "succeeded" });
      await refused();
      await calm();
      await world.ask("ALTER SEQUENCE trouble RESTART WITH 2");
      await refuse("true", "INSERT OR UPDATE ON record");
      const error = {
        code: "interrupted",
        message: expect.stringMatching(/writing for too long; it can be run again/),
      };
      expect(await run()).toMatchObject({ status: "failed", error });
    });
  });
});
