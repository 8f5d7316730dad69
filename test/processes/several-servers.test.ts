// P-07: several servers of one owner act as one: limits are shared, and jobs run once, whichever server receives the
// request.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/main.ts";
import { addHostile } from "../connectors/hostile-connector.ts";
import { clientOf, HOME_OWNER, type Loose, newHome } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";
import { testOwner } from "../postgres.ts";
import { beginDownload } from "../slow-download.ts";

const servers: RunningServer[] = [];
let token: string;
const log: string[] = [];

beforeAll(async () => {
  const { url, subject, close } = await testOwner();
  await close();
  const home = newHome();
  for (let n = 0; n < 2; n++) {
    // Different URLs give each server separate connections, as in separate processes. With the same URL they would
    // share them.
    const own = { url: `${url}?server=${n}`, subject };
    servers.push(await startServer({ home, database: own, port: 0, log: (text) => void log.push(`${n} ${text}`) }));
  }
  const issued = await servers[0]!.host.call("issueOwnerToken", {}, HOME_OWNER);
  token = issued.access_token;
});
// If a process that is not the leader wrote for a job, the write would be refused and logged.
afterEach(() => expect(log).toEqual([]));
afterAll(() => Promise.all(servers.map((server) => server.close())));

const at = (n: number) => clientOf(servers[n]!.url, token);

describe("P-07 two servers on one database", () => {
  test("P-07 a write at one server can immediately be read, searched and aggregated at the other", async () => {
    await at(0).register("library", library);
    const connection = await at(1).connect("library", "Shelf");
    for (const [n, book] of BOOKS.slice(0, 6).entries()) {
      await at(n % 2).ingest("books", connection, [book]);
      const other = at((n + 1) % 2);
      const { body } = await other.get("/v1/streams/books/aggregate", {
        query: { connection_id: connection, metric: "count" },
      });
      expect(JSON.stringify(body)).toContain(`:${n + 1}`);
    }
    const answers = await Promise.all(
      [0, 1].map(async (n) => {
        const query = { connection_id: connection };
        const list = await at(n).get("/v1/streams/books/records", { query: { ...query, limit: 50 } });
        const found = await at(n).get("/v1/search", { query: { q: "the" } });
        return [list.body.data, found.body.data.map((hit: Loose) => [hit.id, hit.score])];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test("P-07 a rate limit applies to both together", async () => {
    let accepted = 0;
    for (let n = 0; ; n++) {
      const response = await fetch(`${servers[n % 2]!.url}/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["http://127.0.0.1:9/cb"], client_name: "x" }),
      });
      await response.text();
      if (response.status === 429) break;
      expect(response.status).toBe(201);
      accepted++;
    }
    // The limit refills while a slow machine sends its registrations. Two servers that counted separately would each
    // allow 20.
    expect([accepted >= 20, accepted < 40]).toEqual([true, true]);
  });

  test("P-07 an export requested at either server is made once, and can be downloaded from both", async () => {
    const connection = (await at(0).get("/v1/connections")).body.data[0].connection_id;
    for (const asked of [0, 1]) {
      const body = { stream: "books", connection_id: connection, format: "jsonl" };
      const { body: job, status } = await at(asked).call("POST", "/v1/exports", { body });
      expect(status).toBe(202);
      for (;;) {
        const { body: now } = await at(1 - asked).get(`/v1/exports/${job.export_id}`);
        if (now.status === "succeeded") break;
        expect(["queued", "running"]).toContain(now.status);
        await wait(50);
      }
      for (const n of [0, 1]) {
        const file = await at(n).get(`/v1/exports/${job.export_id}/download`);
        expect([file.status, file.text.trim().split("\n").length]).toEqual([200, 6]);
      }
    }
  });

  test("G-08 a download at one server ends when the grant is revoked at the other", async () => {
    const size = 64 * 1024 * 1024;
    const shelf = await at(0).connect("library", "Large");
    const { url } = servers[0]!;
    const upload = await fetch(`${url}/v1/blobs?stream=books&connection_id=${shelf}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: new Uint8Array(size),
    });
    const cover = (await upload.json()) as Loose;
    await at(0).ingest("books", shelf, [book("large", { cover })]);
    const given = await at(0).grant({ selections: [{ connection_id: shelf, stream: "books" }] });
    const headers = { Authorization: `Bearer ${given.access_token}` };
    const download = await beginDownload(`${url}/v1/blobs/${cover.blob_id}`, headers);
    expect(download.status).toBe(200);
    await at(1).call("POST", `/v1/grants/${given.grant_id}/revoke`);
    const { bytes, error } = await download.rest();
    expect(error).toBe("ECONNRESET");
    expect(bytes).toBeLessThan(size);
  });

  test("P-07 a connector runs in one of them, and both can start, answer and cancel it", async () => {
    const { connectionId } = await addHostile(servers[0]!.host, "otp");
    const lastRun = async (n: number): Promise<Loose> =>
      (await at(n).get(`/v1/connections/${connectionId}/runs`)).body.data[0];
    for (const n of [0, 1]) {
      const begun = await at(n).call("POST", `/v1/connections/${connectionId}/runs`, { body: {} });
      expect(begun.status).toBe(202);
      for (const asked of [0, 1]) while ((await lastRun(asked)).question === undefined) await wait(50);
      const body = { request_id: "o1", values: { code: "914-673" } };
      expect((await at(n).call("POST", `/v1/runs/${begun.body.run_id}/answers`, { body })).status).toBe(202);
      while (["queued", "running"].includes((await lastRun(1 - n)).status)) await wait(50);
      expect(await lastRun(1 - n)).toMatchObject({ run_id: begun.body.run_id, status: "succeeded" });
    }
    for (const n of [0, 1]) {
      const begun = await at(n).call("POST", `/v1/connections/${connectionId}/runs`, { body: {} });
      while ((await lastRun(n)).question === undefined) await wait(50);
      expect((await at(n).call("POST", `/v1/runs/${begun.body.run_id}/cancel`, { body: {} })).status).toBe(200);
      while (["queued", "running"].includes((await lastRun(1 - n)).status)) await wait(50);
      expect((await lastRun(1 - n)).status).toBe("cancelled");
    }
  });

  test("P-07 when the leader stops, the other server takes over its jobs", async () => {
    await servers[0]!.close();
    const connection = (await at(1).get("/v1/connections")).body.data[0].connection_id;
    const body = { stream: "books", connection_id: connection, format: "jsonl" };
    const { body: job } = await at(1).call("POST", "/v1/exports", { body });
    for (;;) {
      const { body: now } = await at(1).get(`/v1/exports/${job.export_id}`);
      if (now.status === "succeeded") break;
      await wait(50);
    }
    servers.shift();
  });
});
