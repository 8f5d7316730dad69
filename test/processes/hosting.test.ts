// P-07: many owners in one database, each at a separate address. They are isolated, and their homes are opened and
// closed on demand.
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oneTimeCodeHash } from "../../src/auth/one-time-code.ts";
import { hashPassword } from "../../src/auth/password.ts";
import { openDatabaseHome } from "../../src/engine/home.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import { createOwner, deleteOwner, renameOwner } from "../../src/engine/owners.ts";
import { type HostingOptions, type RunningHosting, startHosting } from "../../src/serving/hosting.ts";
import { NamePattern } from "../../src/serving/name-pattern.ts";
import { openStore } from "../../src/store/place.ts";
import { Database } from "../../src/store/postgres/connection.ts";
import { HOLDING, ownerNamed, requestJobCheck, takeUnwatched } from "../../src/store/postgres/owners.ts";
import { signInLimiter } from "../../src/store/postgres/sign-in-limiter.ts";
import type { Exchange } from "../../src/surfaces/http/respond.ts";
import { sessionIn } from "../../src/surfaces/web/visitor.ts";
import { addHostile } from "../connectors/hostile-connector.ts";
import { until } from "../events/receiver.ts";
import { HOME_OWNER, type Loose, ndjson, newHome } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { ok, pdpp } from "../pdpp.ts";
import { emptyDatabase } from "../postgres.ts";

type RequestLine = Parameters<NonNullable<NonNullable<HostingOptions["operating"]>["onRequest"]>>[0];

const METRICS = "metrics-token-of-a-test";
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let directory: Database;
let hosting: RunningHosting;
const home = newHome();
const log: string[] = [];
const lines: RequestLine[] = [];
const tokens = new Map<string, string>();

const start = (options: { idleMs?: number; homesMax?: number } = {}): Promise<RunningHosting> =>
  startHosting({
    home,
    database: { url: database.url },
    port: 0,
    publicUrl: "http://*.data.example",
    proxies: { addresses: ["127.0.0.1"] },
    log: (text) => void log.push(text),
    operating: { metrics: { token: METRICS }, onRequest: (line) => void lines.push(line) },
    ...options,
  });

const subjectOf = async (name: string): Promise<string> => (await ownerNamed(directory, name))!;

/** Runs a callback as an operator's command alongside the servers would. */
async function beside<T>(name: string, work: (host: EngineHost) => Promise<T>): Promise<T> {
  const place = { url: database.url, subject: await subjectOf(name) };
  const host = await openDatabaseHome(newHome(), place, { note: () => undefined });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

async function add(name: string): Promise<void> {
  await createOwner(database.url, name);
  await beside(name, async (host) => {
    const issued = await host.call("issueOwnerToken", {}, HOME_OWNER);
    tokens.set(name, issued.access_token);
  });
}

/** Returns true if no process has any owner's home open. */
const isQuiet = (): Promise<boolean> =>
  directory.session(async (connection) => {
    const row = await connection.row(
      "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
      HOLDING.many,
    );
    return row![0] === 0;
  });

beforeAll(async () => {
  database = await emptyDatabase();
  directory = new Database(database.url, { connections: 1 });
  await add("alice");
  await add("bob");
  hosting = await start();
});
afterAll(async () => {
  await hosting.close();
  await directory.close();
  await database.drop();
});

interface More {
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Uses node:http, because fetch does not allow a custom Host header. */
function ask(name: string, method: string, path: string, more: More = {}): Promise<Loose> {
  const { token = tokens.get(name), body, headers = {} } = more;
  const { port } = new URL(hosting.url);
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = {
      Host: `${name}.data.example`,
      ...(token == null ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    };
    const asked = httpRequest({ host: "127.0.0.1", port, method, path, headers: sent, agent: false }, (response) => {
      let said = "";
      response.on("data", (part: Buffer) => (said += part.toString()));
      response.on("end", () => {
        const isJson = response.headers["content-type"]?.includes("json");
        const { statusCode: status, headers: had } = response;
        resolve({ status, headers: had, body: isJson && said !== "" ? JSON.parse(said) : said });
      });
    });
    asked.on("error", reject).end(text);
  });
}

describe("P-07 many owners", () => {
  test("P-07 each has a separate name and separate data", async () => {
    for (const name of ["alice", "bob"]) {
      expect((await ask(name, "PUT", "/v1/connectors/library", { body: library })).status).toBe(200);
      const body = { connector_id: "library", display_name: `Shelf of ${name}` };
      const connected = await ask(name, "POST", "/v1/connections", { body });
      expect(connected.status).toBe(201);
      const lines = ndjson(BOOKS.slice(0, name === "alice" ? 3 : 5));
      const path = `/v1/ingest/books?connection_id=${connected.body.connection_id}`;
      expect((await ask(name, "POST", path, { body: lines })).status).toBe(200);
    }
    const counts = await Promise.all(
      ["alice", "bob"].map(async (name) => {
        const { body } = await ask(name, "GET", "/v1/streams/books/records?limit=50");
        return body.data.length;
      }),
    );
    expect(counts).toEqual([3, 5]);
  });

  test("P-07 one owner's token gives no access to another's data, and one owner's ids are unknown to another", async () => {
    expect((await ask("bob", "GET", "/v1/connections", { token: tokens.get("alice") })).status).toBe(401);
    const { connection_id } = (await ask("alice", "GET", "/v1/connections")).body.data[0];
    const other = await ask("bob", "GET", `/v1/streams/books/records?connection_id=${connection_id}`);
    expect([other.status, other.body.error.code]).toEqual([404, "connection_not_found"]);
  });

  test("P-07 files imported by a command are where the server expects them, and hidden from other owners", async () => {
    const vault = join(newHome(), "vault");
    mkdirSync(join(vault, ".obsidian"), { recursive: true });
    for (const [file, content] of [
      [".obsidian/app.json", "{}"],
      ["a.md", "![[a.png]]"],
      ["a.png", "the same picture"],
    ] as const)
      writeFileSync(join(vault, file), content);
    const blob = `/v1/blobs/blob_${createHash("sha256").update("the same picture").digest("base64url")}`;
    const held = async (name: string): Promise<unknown> => (await ask(name, "GET", blob)).body;
    for (const name of ["alice", "bob"]) {
      const env = { DATABASE_URL: database.url, PDPP_OWNER: name };
      await ok(pdpp(["import", vault, "--home", home], { env }));
      expect(await held(name)).toBe("the same picture");
    }
    const { data } = (await ask("alice", "GET", "/v1/connections")).body;
    const { connection_id } = data.find(({ display_name }: Loose) => display_name !== "Shelf of alice");
    expect((await ask("alice", "DELETE", `/v1/connections/${connection_id}`)).status).toBeLessThan(300);
    expect([(await ask("alice", "GET", blob)).status, await held("bob")]).toEqual([404, "the same picture"]);
  });

  test("P-07 discovery and links contain the owner's address", async () => {
    const { body } = await ask("alice", "GET", "/.well-known/oauth-protected-resource/mcp");
    expect(body.resource).toBe("http://alice.data.example/mcp");
    expect(body.authorization_servers).toEqual(["http://alice.data.example"]);
  });

  test("P-07 an unknown name is not found and leaves nothing behind", async () => {
    for (const name of ["carol", "a--", "ALICE.evil", "x".repeat(70)]) {
      expect((await ask(name, "GET", "/v1/connections", { token: tokens.get("alice") })).status).toBe(404);
    }
    expect((await fetch(`${hosting.url}/v1/connections`)).status).toBe(404);
    for (const probe of ["/healthz", "/readyz"]) expect((await fetch(hosting.url + probe)).status).toBe(200);
    expect(await ownerNamed(directory, "carol")).toBeUndefined();
  });

  test("P-07 every request is logged with the id of its response and, if known, the owner's name", async () => {
    lines.length = 0;
    const known = await ask("alice", "GET", "/v1/connections", { headers: { "Request-Id": "mine-1" } });
    const unknown = await ask("nobody", "GET", "/v1/connections");
    const probe = await ask("127.0.0.1", "GET", "/readyz");
    await until(() => lines.length >= 3);
    const line = ({ request_id, owner, route, status }: RequestLine) => [request_id, owner, route, status];
    expect(known.headers["request-id"]).toBe("mine-1");
    expect(lines.map(line)).toEqual([
      ["mine-1", "alice", "/v1/connections", 200],
      [unknown.headers["request-id"], undefined, "/v1/connections", 404],
      [probe.headers["request-id"], undefined, "/readyz", 200],
    ]);
  });

  test("P-07 a process has one metrics page, at its own address, which requires the token; probes refuse a foreign Origin", async () => {
    await Promise.all(["alice", "bob"].map((name) => ask(name, "GET", "/v1/connections")));
    const metrics = (headers: Record<string, string> = {}) => fetch(`${hosting.url}/metrics`, { headers });
    expect((await metrics()).status).toBe(404);
    expect((await metrics({ Authorization: "Bearer another-token-of-a-test" })).status).toBe(404);
    expect((await ask("alice", "GET", "/metrics", { token: METRICS })).status).toBe(404);
    const text = await (await metrics({ Authorization: `Bearer ${METRICS}` })).text();
    const value = (name: string) =>
      Number(
        text
          .split("\n")
          .find((row) => row.startsWith(`${name} `))
          ?.split(" ")[1],
      );
    expect(value('postern_http_requests_total{route="/v1/connections",method="GET",status="2xx"}')).toBeGreaterThan(2);
    expect(value('postern_engine_calls_total{lane="rows",outcome="ok"}')).toBeGreaterThan(2);
    expect(value('postern_jobs{kind="export",status="queued"}')).toBe(0);
    for (const path of ["/healthz", "/readyz"])
      for (const name of ["alice", "127.0.0.1"]) {
        const from = (origin: string) => ask(name, "GET", path, { headers: { Origin: origin } });
        expect((await from("https://evil.example")).status).toBe(403);
        expect((await from(hosting.url)).status).toBe(200);
      }
  });

  test("P-07 an owner cannot use anything that refers to a path on the server's machine or reads its files", async () => {
    const folder = newHome();
    writeFileSync(join(folder, "secret.txt"), "OPERATORSECRET");
    const refused = (answer: Loose) => [answer.status, answer.body.error?.code, answer.body.error?.message];
    const no = (why: string) => [404, "not_found", expect.stringContaining(why)];
    const watched = { folder, every_seconds: 3600 };
    expect(refused(await ask("alice", "POST", "/v1/schedules", { body: watched }))).toEqual(no("not watched"));
    const missing = { folder: "/nope", every_seconds: 3600 };
    expect(refused(await ask("alice", "POST", "/v1/schedules", { body: missing }))).toEqual(no("not watched"));
    const host = await ask("alice", "PUT", "/v1/event-hosts/127.0.0.1:7490?client_id=cli_any");
    expect(refused(host)).toEqual(no("own network"));
    // Such a connector would connect to the server's own network and send its secrets there.
    const settings = { settings: { host: "127.0.0.1", port: 7490, security: "none", user: "u" } };
    const put = await ask("alice", "PUT", "/v1/connections/cin_any/settings", { body: settings });
    expect(refused(put)).toEqual(no("set up by its operator"));
    expect(
      (await ask("alice", "PUT", "/v1/event-hosts/127.0.0.1:7490?client_id=cli_any", { token: null })).status,
    ).toBe(401);
    for (const [method, path, body] of [
      ["GET", "/api/roots"],
      ["POST", "/api/roots", { path: folder, text: true }],
      ["POST", "/files/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
      ["GET", "/dashboard/files.json"],
    ] as const)
      expect(refused(await ask("alice", method, path, { body })), path).toEqual(no("cannot be read"));

    const session = await beside("alice", async (host) => {
      const checked = "stored password";
      await host.call("putSetupCode", { code: "code" }, HOME_OWNER);
      await host.call("setOwner", { code: "code", name: "Alice", password: checked }, HOME_OWNER);
      const { session } = await host.call("openSession", { label: "a browser", checked }, HOME_OWNER);
      const { secret } = await host.call("webSecret", {}, HOME_OWNER);
      return sessionIn({ origin: "http://alice.data.example" } as Exchange, secret, session, 60);
    });
    const cookies = session.cookies.map((line) => line.split(";")[0]!);
    const page = async (method: string, path: string, form?: Record<string, string>) => {
      const headers = {
        Cookie: cookies.join("; "),
        Accept: "text/html",
        ...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
      };
      const body = form && new URLSearchParams(form).toString();
      const answer = await ask("alice", method, `/~${session.key}${path}`, { token: null, headers, body });
      cookies.push(...((answer.headers["set-cookie"] ?? []) as string[]).map((line) => line.split(";")[0]!));
      return answer;
    };
    const schedules = await page("GET", "/dashboard/schedules");
    const csrf = /name="csrf" value="([^"]+)"/.exec(schedules.body)![1]!;
    const others = ["settings", "settings/events", "import"].map((path) => page("GET", `/dashboard/${path}`));
    for (const shown of [schedules, ...(await Promise.all(others))]) {
      expect(shown.status).toBe(200);
      expect(shown.body.match(/dashboard\/files|Watch a folder|Back up now|>Health<|Private hosts|--home/g)).toBeNull();
      expect(shown.body).not.toContain(home);
    }
    for (const [path, form] of [
      ["/dashboard/files", { do: "add", path: folder, text: "yes" }],
      ["/dashboard/schedules", { do: "folder", folder, every: "3600" }],
    ] as const)
      expect((await page("POST", path, { csrf, ...form })).status, path).toBe(404);
    for (const what of ["backup", "health"]) await page("POST", "/dashboard/settings", { csrf, do: what });
    const told = await ask("alice", "GET", "/dashboard/settings.json");
    expect(told.body).not.toHaveProperty("home");
    expect(told.body.backups).toMatchObject({ kept: [], errand: { failed: expect.stringContaining("its operator") } });
    expect(told.body.health).toMatchObject({ failed: expect.stringContaining("its operator") });

    // Jobs that were moved here with a home do not run either.
    const filesystem = { required: true, paths: [folder] };
    const scheduleId = await beside("alice", async (host) => {
      const { connectionId } = await addHostile(host, "good", { manifest: { bindings: { filesystem } } });
      await host.call("startCollect", { connection_id: connectionId }, HOME_OWNER);
      return (await host.call("watchFolder", watched, HOME_OWNER)).schedule_id as string;
    });
    const last = await until(
      async () => (await ask("alice", "GET", `/v1/schedules/${scheduleId}`)).body.last_run,
      (run) => run !== null,
    );
    expect(last).toMatchObject({ status: "failed", message: expect.stringContaining("cannot be read") });
    const run = await until(
      async () => (await ask("alice", "GET", "/v1/connector-setups")).body.data[0].last_run,
      ({ status }) => status !== "queued" && status !== "running",
    );
    expect(run).toMatchObject({ status: "failed", error: { message: expect.stringContaining("are not run") } });
  });

  test("P-07 idle homes are closed, and opened again for a request or a due job", async () => {
    await hosting.close();
    hosting = await start({ idleMs: 1000 });
    expect((await ask("bob", "GET", "/v1/connections")).status).toBe(200);
    await until(isQuiet);
    await beside("bob", async (host) => {
      const { connectionId } = await addHostile(host, "good");
      await host.call("putSchedule", { connection_id: connectionId, every_seconds: 3600 }, HOME_OWNER);
      await host.call("runSchedule", { id: connectionId }, HOME_OWNER);
    });
    // Checks without the server, because a request would open the home.
    const place = { url: database.url, subject: await subjectOf("bob") };
    const reader = await openStore({ home, database: place });
    await until(() =>
      reader.read(async (view) => (await view.jobs(place.subject)).some(({ status }) => status === "succeeded")),
    );
    await reader.close();
    await until(isQuiet);
    expect((await ask("bob", "GET", "/v1/connections")).status).toBe(200);
    expect((await ask("alice", "GET", "/v1/streams/books/records?limit=50")).body.data).toHaveLength(3);
  });

  test("P-07 the number of open homes is limited: the least recently used is closed first", async () => {
    await hosting.close();
    hosting = await start({ homesMax: 1 });
    const open = async () => {
      const page = await fetch(`${hosting.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS}` } });
      return Number(/^postern_homes_open (\d+)$/m.exec(await page.text())![1]);
    };
    for (const name of ["alice", "bob", "alice"]) {
      expect((await ask(name, "GET", "/v1/connections")).status).toBe(200);
      expect(await open()).toBe(1);
    }
    // If both requests arrive at the same time, one has to wait or is told to try again.
    const statuses = await Promise.all(
      ["alice", "bob"].map(async (name) => (await ask(name, "GET", "/v1/connections")).status),
    );
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });

  test("P-07 a failure to open an owner is logged and does not block others", async () => {
    await add("broken");
    const file = join(home, await subjectOf("broken"));
    writeFileSync(file, "where its folder would be");
    await requestJobCheck(database.url, await subjectOf("broken"));
    await until(() => log.some((text) => text.startsWith("owners: broken cannot be opened")));
    expect(await takeUnwatched(directory, 8)).not.toContain("broken");
    rmSync(file);
    log.length = 0;
  });

  test("P-07 a home is closed if its name was changed or removed", async () => {
    await hosting.close();
    hosting = await start();
    await add("erin");
    expect((await ask("erin", "GET", "/v1/connections")).status).toBe(200);
    const first = tokens.get("erin")!;
    await renameOwner(database.url, "erin", "elder");
    await add("erin");
    await until(async () => (await ask("erin", "GET", "/v1/connections")).status === 200);
    expect((await ask("erin", "GET", "/v1/connections", { token: first })).status).toBe(401);
    expect((await ask("elder", "GET", "/v1/connections", { token: first })).status).toBe(200);
    await renameOwner(database.url, "erin", "younger");
    await until(async () => (await ask("erin", "GET", "/v1/connections")).status === 404);
  });

  test("P-07 removing an owner during requests deletes all of that owner's data and does not affect the others", async () => {
    expect((await ask("alice", "GET", "/v1/connections")).status).toBe(200);
    await deleteOwner(database.url, "alice");
    expect((await ask("alice", "GET", "/v1/connections")).status).toBe(404);
    expect((await ask("bob", "GET", "/v1/streams/books/records?limit=50")).body.data).toHaveLength(5);
    await expect(createOwner(database.url, "Not a name")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(createOwner(database.url, "bob")).rejects.toMatchObject({ code: "already_exists" });
    expect(log).toEqual([]);
  });

  test("P-07 the server is ready while the database accepts writes, and starts only on a usable database", async () => {
    const set = (change: string) =>
      directory.session((connection) =>
        connection.script(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} ${change}`),
      );
    const leave = () =>
      directory.session((connection) =>
        connection.script(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        ),
      );
    const ready = async (status: number) => until(async () => (await fetch(`${hosting.url}/readyz`)).status === status);
    await set("SET default_transaction_read_only = on");
    await leave();
    await ready(503);
    await directory.session((connection) => connection.script("SET default_transaction_read_only = off"));
    await set("RESET default_transaction_read_only");
    await leave();
    await ready(200);
    log.length = 0;
    await hosting.close();
    await directory.session((connection) => connection.script("ALTER TABLE token RENAME TO away"));
    await expect(start()).rejects.toThrow(/tables are missing .*: token/);
    await directory.session((connection) => connection.script("ALTER TABLE away RENAME TO token"));
    hosting = await start();
  });

  test("P-07 every server refuses an address that guesses the passwords of many owners", async () => {
    const secret = "a good long password";
    await beside("bob", async (host) => {
      const code = oneTimeCodeHash("code");
      await host.call("putSetupCode", { code }, HOME_OWNER);
      await host.call("setOwner", { code, name: "Bob", password: await hashPassword(secret, "bob") }, HOME_OWNER);
    });
    const headers = { "X-Forwarded-For": "203.0.113.50", Accept: "text/html" };
    const guess = async (password: string): Promise<Loose> => {
      const page = await ask("bob", "GET", "/login", { token: null, headers });
      const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)![1]!;
      return ask("bob", "POST", "/login", {
        token: null,
        headers: {
          ...headers,
          Cookie: page.headers["set-cookie"][0].split(";")[0],
          "Content-Type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ csrf, name: "Bob", password }).toString(),
      });
    };
    expect((await guess("wrong")).status).toBe(401);
    // Another server uses up the remaining attempts of this address. Another attempt is allowed every 7.5 s.
    const signIns = signInLimiter(directory, { points: 40, seconds: 300 });
    const refused = await until(
      async () => {
        while ((await signIns.take("203.0.113.50")).ok);
        return guess("wrong");
      },
      ({ status }) => status === 429,
    );
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    await signIns.give("203.0.113.50");
    expect((await guess(secret)).status).toBe(303);
  });

  test("P-07 a stopping server is not ready, still handles requests, and then closes everything", async () => {
    expect((await ask("bob", "GET", "/v1/connections")).status).toBe(200);
    hosting.drain();
    expect((await fetch(`${hosting.url}/readyz`)).status).toBe(503);
    const late = await ask("bob", "GET", "/v1/connections", { headers: { Connection: "keep-alive" } });
    expect([late.status, late.headers.connection]).toEqual([200, "close"]);
    await hosting.close();
    await until(isQuiet);
    await expect(fetch(`${hosting.url}/healthz`)).rejects.toThrow();
    expect(log).toEqual([]);
    hosting = await start();
  });

  test("P-07 an address pattern has a placeholder for the owner's name", () => {
    const pattern = new NamePattern("https://*.data.example:8443");
    expect(pattern.nameIn("Alice.data.example:8443")).toBe("alice");
    expect(pattern.urlOf("alice")).toBe("https://alice.data.example:8443");
    for (const host of ["data.example:8443", "a.b.data.example:8443", "alice.data.example", ".data.example:8443"])
      expect(pattern.nameIn(host), host).toBeUndefined();
    for (const url of ["https://data.example", "https://*", "https://*.*.example", "ftp://*.example"])
      expect(() => new NamePattern(url), url).toThrow(/no place for an owner's name/);
    expect(() => new NamePattern("https://*.data.example:8443/path")).toThrow(/must not have a path/);
  });
});
