// P-07: an unusable database is reported at startup, with an explanation and an exit code, within a bounded time.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireClock, requireVersion } from "../../src/store/postgres/fitness.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { pdpp, startServerProcess } from "../crash/server-process.ts";
import { newHome } from "../harness.ts";
import { emptyDatabase, runUrl, startCluster } from "../postgres.ts";
import { databaseProxy } from "./trouble.ts";

const home = newHome();
let database: Awaited<ReturnType<typeof emptyDatabase>>;

beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

const SECRET = "s3cret-of-the-database";

const serve = (url: string) => pdpp(["serve", "--home", home, "--port", "0"], { DATABASE_URL: url });
const query = (url: string) => pdpp(["query", "books", "--home", home], { DATABASE_URL: url });

function changed(change: (url: URL) => void, base = database.url): string {
  const url = new URL(base);
  change(url);
  return url.href;
}

async function asOperator(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

const tablesOf = (url: string) =>
  asOperator(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename");

/** Starts another program's server on a port. */
async function stranger(server: Server): Promise<{ url: string; close(): void }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://ada:${SECRET}@127.0.0.1:${port}/postern`, close: () => server.close() };
}

describe("P-07 pdpp with an unusable database", () => {
  it.each([
    ["not an address", `host=db password=${SECRET}`, 2, /DATABASE_URL is not a postgres:\/\/ address/],
    ["no such port", `postgres://ada:${SECRET}@127.0.0.1:99999/x`, 2, /DATABASE_URL is not a postgres:\/\/ address/],
    ["another kind", `mysql://ada:${SECRET}@127.0.0.1/x`, 2, /DATABASE_URL is not a postgres:\/\/ address/],
  ])("P-07 DATABASE_URL is %s: the error explains it, without the password", async (_, url, code, words) => {
    for (const run of [await serve(url), await query(url)]) {
      expect([run.code, run.out]).toEqual([code, expect.stringMatching(words)]);
      expect(run.out).not.toContain(SECRET);
      expect(run.out).not.toMatch(/\n\s+at /);
    }
  });

  it("P-07 unreachable: serve and query wait with a message, then fail with advice", async () => {
    const away = changed((url) => {
      url.port = "1";
      url.password = SECRET;
    });
    for (const run of await Promise.all([serve(away), query(away)])) {
      expect(run.code).toBe(1);
      const lines = run.out.trim().split("\n");
      expect(lines).toEqual([
        "Waiting for the database: the database cannot be reached (ECONNREFUSED).",
        expect.stringMatching(/^pdpp (serve|query): the database cannot be reached \(ECONNREFUSED\)$/),
        expect.stringMatching(/^Start the database, or correct the host and port in DATABASE_URL/),
      ]);
    }
  });

  it("P-07 waits for a database that becomes available a moment later", async () => {
    const cluster = await startCluster();
    await cluster.stop();
    const starting = startServerProcess(home, { DATABASE_URL: cluster.url });
    starting.catch(() => undefined);
    await cluster.start();
    const server = await starting;
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    await cluster.remove();
  });

  it.each(["closed", "silent"] as const)(
    "P-07 a server can be stopped even while its database is %s",
    async (trouble) => {
      const proxy = await databaseProxy(database.url);
      const server = await startServerProcess(home, { DATABASE_URL: proxy.url });
      // On a slow machine the database can take longer to respond than a probe waits.
      await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
      proxy[trouble] = true;
      if (trouble === "closed") proxy.cutAll();
      expect(await server.stop()).toBe(0);
      proxy.close();
    },
  );

  it("P-07 a wrong password, unknown user or unknown database is reported immediately, without waiting", async () => {
    const other = (part: "password" | "username" | "pathname", value: string) =>
      changed((url) => {
        url[part] = value;
      });
    const cases: [string, RegExp, RegExp][] = [
      [other("password", SECRET), /does not accept the password/, /Correct the user and password/],
      [other("username", "nobody"), /does not accept the password/, /Correct the user and password/],
      [other("pathname", "/nowhere"), /there is no such database/, /createdb/],
    ];
    for (const [url, said, next] of cases) {
      const { code, out } = await serve(url);
      expect([code, out]).toEqual([1, expect.stringMatching(said)]);
      expect(out).toMatch(next);
      expect(out).not.toMatch(/Waiting/);
      expect(out).not.toContain(SECRET);
    }
  });

  it("P-07 a port that is not PostgreSQL (HTTP, another protocol or silent) is reported within a bounded time", async () => {
    const strangers = await Promise.all([
      stranger(createHttpServer((_, response) => response.end("hello"))),
      stranger(createServer((socket) => socket.on("error", () => undefined).write("-ERR unknown command\r\n"))),
      stranger(createServer((socket) => void socket.on("error", () => undefined).resume())),
    ]);
    for (const { code, out } of await Promise.all(strangers.map(({ url }) => serve(url)))) {
      expect([code, out]).toEqual([1, expect.stringMatching(/^pdpp serve: the database cannot be reached/m)]);
      expect(out).toMatch(/correct the host and port in DATABASE_URL/);
      expect(out).not.toContain(SECRET);
      expect(out).not.toMatch(/\n\s+at /);
    }
    for (const { close } of strangers) close();
  });

  it("P-07 a PostgreSQL version that is too old and clocks that are far apart are refused", async () => {
    const answering = (value: number) => ({ rows: async () => [[value]] });
    await expect(requireVersion(answering(140_011))).rejects.toMatchObject({
      code: "store_unavailable",
      message: "PostgreSQL 14 is too old: Postern needs 15 or newer",
      details: { next_step: "Point DATABASE_URL to PostgreSQL 15 or newer." },
    });
    await expect(requireVersion(answering(150_000))).resolves.toBeUndefined();
    const at = 1_700_000_000_000;
    await expect(requireClock(answering(at - 60_000), () => at)).resolves.toBeUndefined();
    await expect(requireClock(answering(at - 61_000), () => at)).rejects.toThrow("61 s ahead of the database's");
    await expect(requireClock(answering(at + 61_000), () => at)).rejects.toThrow("61 s behind the database's");
  });

  it("P-07 a newer schema version is refused with advice and left unchanged", async () => {
    const { url, drop } = await emptyDatabase();
    await prepareDatabase(url);
    await asOperator(url, "UPDATE postern_format SET format = 99; DROP TABLE trail");
    const before = await tablesOf(url);
    for (const run of [await serve(url), await query(url)]) {
      expect([run.code, run.out]).toEqual([
        1,
        expect.stringMatching(/has format 99; this pdpp supports formats up to/),
      ]);
      expect(run.out).toMatch(/Use the newer pdpp that wrote it/);
    }
    expect(await tablesOf(url)).toEqual(before);
    expect(await asOperator(url, "SELECT format FROM postern_format")).toEqual([{ format: 99 }]);
    await drop();
  });

  it("P-07 another program's tables with our names are refused before anything is created", async () => {
    const { url, drop } = await emptyDatabase();
    await asOperator(url, "CREATE TABLE token (id int); INSERT INTO token VALUES (7); CREATE TABLE home (id int)");
    const { code, out } = await serve(url);
    expect([code, out]).toEqual([
      6,
      expect.stringMatching(/another program's tables in this database have our names: home, token/),
    ]);
    expect(out).toMatch(/Create a separate database for Postern/);
    expect(await tablesOf(url)).toEqual([{ tablename: "home" }, { tablename: "token" }]);
    // A separate schema in the same database works too.
    await asOperator(url, "CREATE SCHEMA postern");
    const inSchema = changed((at) => at.searchParams.set("options", "-c search_path=postern"), url);
    const server = await startServerProcess(home, { DATABASE_URL: inSchema });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(await asOperator(url, "SELECT id FROM public.token")).toEqual([{ id: 7 }]);
    await drop();
  });

  it("P-07 missing tables are listed", async () => {
    const { url, drop } = await emptyDatabase();
    await prepareDatabase(url);
    await asOperator(url, "DROP TABLE trail, blob_use");
    const { code, out } = await serve(url);
    expect([code, out]).toEqual([1, expect.stringMatching(/missing from the database.*: blob_use, trail/)]);
    expect(out).toMatch(/restore a backup/);
    await drop();
  });

  it("P-07 a user without permission to create tables gets an explanation; once the tables exist, the permission is not needed", async () => {
    const { url, drop } = await emptyDatabase();
    const name = `clerk_${process.pid}_${Date.now()}`;
    await asOperator(url, `CREATE ROLE ${name} LOGIN PASSWORD 'clerk'`);
    const asClerk = changed((at) => {
      at.username = name;
      at.password = "clerk";
    }, url);
    const refused = await serve(asClerk);
    expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/does not allow this user to do that/)]);
    expect(refused.out).toMatch(/GRANT/);
    await prepareDatabase(url);
    const closed = await serve(asClerk);
    expect([closed.code, closed.out]).toEqual([1, expect.stringMatching(/does not allow this user to do that/)]);
    await asOperator(url, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
    const server = await startServerProcess(home, { DATABASE_URL: asClerk });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    await drop();
    await asOperator(runUrl(), `DROP ROLE ${name}`);
  });
});
