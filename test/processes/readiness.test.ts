// A server with an unusable database keeps running, reports that it is not ready, and becomes ready again when the
// database is back.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../src/main.ts";
import { Database } from "../../src/store/postgres/connection.ts";
import { putOwner } from "../../src/store/postgres/postgres-store.ts";
import { migrate } from "../../src/store/postgres/schema.ts";
import { until } from "../events/receiver.ts";
import type { DiskFault } from "../faults/disk-faults.ts";
import { HOME_OWNER, type Loose, ndjson, newHome } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { type Cluster, startCluster } from "../postgres.ts";

const home = newHome();
let cluster: Cluster;
let server: RunningServer;

beforeAll(async () => {
  // Acknowledged writes must survive the crash.
  cluster = await startCluster({ durable: true, faulty: true });
  const { url } = cluster;
  const database = new Database(url);
  await database.session(migrate);
  const subject = await database.session((connection) => putOwner(connection));
  // Connection limits do not apply to a superuser.
  await database.session((connection) =>
    connection.script("CREATE ROLE server LOGIN PASSWORD 'server'; GRANT postgres TO server"),
  );
  await database.close();
  const own = url.replace("postgres:postgres@", "server:server@");
  server = await startServer({ home, database: { url: own, subject }, port: 0, log: () => undefined });
});
afterAll(async () => {
  await server.close();
  await cluster.remove();
  rmSync(home, { recursive: true, force: true });
});

const ready = async () => {
  const answer = await fetch(`${server.url}/readyz`);
  return { status: answer.status, text: await answer.text() };
};

it("T-06 a database without free connections or in read-only mode makes the server unready until it recovers", async () => {
  const admin = new Database(cluster.url);
  const run = (sql: string) => admin.session((connection) => connection.script(sql));
  const endSessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'server'";
  try {
    for (const [fails, works] of [
      ["CONNECTION LIMIT 0", "CONNECTION LIMIT -1"],
      ["SET default_transaction_read_only = on", "RESET default_transaction_read_only"],
    ]) {
      await until(ready, ({ status }) => status === 200);
      await run(`ALTER ROLE server ${fails}`);
      await run(endSessions);
      expect((await until(ready, ({ status }) => status === 503)).text).toContain("store");
      await run(`ALTER ROLE server ${works}`);
      await run(endSessions);
      await until(ready, ({ status }) => status === 200);
    }
  } finally {
    await admin.close();
  }
});

const red = () => until(ready, ({ status }) => status === 503);
const green = () => until(ready, ({ status }) => status === 200);

it("T-06 a database with a full disk makes the server unready until there is space", async () => {
  await green();
  cluster.disk!.fail("full");
  expect((await red()).text).toContain("storage_full");
  cluster.disk!.heal();
  await green();
});

it.each<DiskFault>(["read-only", "unwritable", "unreadable"])(
  "T-06 a database whose disk is %s makes the server unready until the database runs again",
  async (fault) => {
    await green();
    cluster.disk!.fail(fault);
    expect((await red()).text).toContain("store");
    cluster.disk!.heal();
    // PostgreSQL shuts down if it cannot write its log, and its operator has to start it again.
    await cluster.restart();
    await green();
  },
);

it("T-06 a damaged table page makes the server unready once a call reads it, until it is repaired", async () => {
  await green();
  const call = async (method: Loose, query: Loose): Promise<Loose> => await server.host.call(method, query, HOME_OWNER);
  await call("putConnector", { connector_key: "library", declaration: library });
  const { connection_id } = await call("createConnection", { connector_id: "library" });
  await call("ingest", { stream: "books", connection_id, text: ndjson(BOOKS) });
  const admin = new Database(cluster.url);
  const [[path]] = (await admin.session((connection) =>
    connection.rows("SELECT DISTINCT pg_relation_filepath(tableoid) FROM record"),
  )) as [[string]];
  await admin.close();
  const file = join(cluster.data, path);
  await cluster.stop();
  const whole = readFileSync(file);
  writeFileSync(file, Buffer.from(whole).fill(0xa5, 4096, 4160));
  await cluster.start();
  await green();
  await expect(call("records", { stream: "books", limit: 10 })).rejects.toMatchObject({ code: "store_damaged" });
  expect((await red()).text).toContain("store_damaged");
  await cluster.stop();
  writeFileSync(file, whole);
  await cluster.start();
  await green();
  expect((await call("records", { stream: "books", limit: 20 })).data).toHaveLength(BOOKS.length);
});

it("P-07 a database that disappears makes the server unready until it is back, and the process keeps running", async () => {
  const green = await until(ready, ({ status }) => status === 200);
  expect(green.text).toBe('{"status":"ready"}');
  await cluster.crash();
  const red = await until(ready, ({ status }) => status !== 200);
  expect(red.status).toBe(503);
  expect(JSON.parse(red.text)).toMatchObject({ status: "not_ready", reason: expect.stringContaining("store") });
  expect(red.text).not.toMatch(/postgres|127\.0\.0\.1|:\d{4}|\/tmp/);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await cluster.start();
  await until(ready, ({ status }) => status === 200);
});
