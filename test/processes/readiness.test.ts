// P-07: a server whose database is gone stays alive, says that it is not ready, and is ready again when the database is back.
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
  await database.close();
  server = await startServer({ home, database: { url, subject }, port: 0, log: () => undefined });
});
afterAll(async () => {
  await server.close();
  await cluster.remove();
  rmSync(home, { recursive: true, force: true });
});

it("P-07 a database that goes away turns readiness red, and green again when it is back; the process lives on", async () => {
  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
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
