// A server whose database cannot be used stays alive, says that it is not ready, and is ready again when the database is back.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../src/main.ts";
import { Database } from "../../src/store/postgres/connection.ts";
import { putOwner } from "../../src/store/postgres/postgres-store.ts";
import { migrate } from "../../src/store/postgres/schema.ts";
import { until } from "../events/receiver.ts";
import { newHome } from "../harness.ts";
import { type Cluster, startCluster } from "../postgres.ts";

const home = newHome();
let cluster: Cluster;
let server: RunningServer;

beforeAll(async () => {
  // What was written must be there after the crash.
  cluster = await startCluster({ durable: true });
  const { url } = cluster;
  const database = new Database(url);
  await database.session(migrate);
  const subject = await database.session((connection) => putOwner(connection));
  // Limits do not apply to a superuser.
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

it("T-06 a database without a free connection, or one that is read-only, turns readiness red, and green again", async () => {
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

it("P-07 a database that goes away turns readiness red, and green again when it is back; the process lives on", async () => {
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
