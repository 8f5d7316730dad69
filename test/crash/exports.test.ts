// L-13: a server killed during an export job repeats the job after its restart.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openHome } from "../../src/engine/home.ts";
import { HOME_OWNER, type Loose, ndjson } from "../harness.ts";
import { book, library } from "../library.ts";
import { startServerProcess } from "./server-process.ts";

const COUNT = 30_000;
const home = join(mkdtempSync(join(tmpdir(), "pdpp-crash-exports-")), "home");
let token: string;
let grant: string;
beforeAll(async () => {
  const host = openHome(home, { create: true, note: () => undefined });
  const call = async (method: Parameters<typeof host.call>[0], query: Loose): Promise<Loose> =>
    await host.call(method, query, HOME_OWNER);
  await call("putConnector", { connector_key: "library", declaration: library });
  const { connection_id } = await call("createConnection", { connector_id: "library" });
  for (let start = 0; start < COUNT; start += 5000) {
    const books = Array.from({ length: 5000 }, (_, n) => book(`b${start + n}`, { title: `Title ${start + n}` }));
    await call("ingest", { stream: "books", connection_id, text: ndjson(books) });
  }
  token = (await call("issueOwnerToken", {})).access_token;
  grant = (await call("issueGrant", { selections: [{ connection_id, stream: "books" }] })).access_token;
  await host.close();
});
afterAll(() => rmSync(join(home, ".."), { recursive: true, force: true }));

it("L-13 an export job killed with -9 is repeated completely after a restart, under the same grant, and leaves nothing else behind", async () => {
  let server = await startServerProcess(home);
  const ask = async (path: string, init: RequestInit = {}, as = grant): Promise<Response> =>
    fetch(server.url + path, { ...init, headers: { Authorization: `Bearer ${as}` } });
  const made = await ask("/v1/exports", { method: "POST", body: JSON.stringify({ stream: "books", format: "csv" }) });
  const { export_id: id } = (await made.json()) as Loose;
  let killed = 0;
  for (let life = 0; life < 2; life++) {
    for (;;) {
      const job = (await (await ask(`/v1/exports/${id}`)).json()) as Loose;
      if (job.status === "succeeded") break;
      expect(job.status).not.toBe("failed");
      if (job.progress.records > 0) {
        await server.kill();
        killed++;
        expect(readdirSync(join(home, "exports"))).toEqual([
          expect.stringMatching(new RegExp(`^${id}\\.\\d+\\.[\\w-]+\\.partial$`)),
        ]);
        server = await startServerProcess(home);
        break;
      }
    }
  }
  expect(killed).toBeGreaterThan(0);
  let job: Loose;
  do {
    await sleep(20);
    job = await (await ask(`/v1/exports/${id}`)).json();
  } while (job.status === "queued" || job.status === "running");
  expect(job).toMatchObject({ status: "succeeded", progress: { records: COUNT, total: COUNT } });
  const bytes = Buffer.from(await (await ask(`/v1/exports/${id}/download`)).arrayBuffer());
  expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([job.size_bytes, job.sha256]);
  expect(bytes.toString().split("\r\n")).toHaveLength(COUNT + 2);
  expect(readdirSync(join(home, "exports"))).toEqual([expect.stringMatching(new RegExp(`^${id}\\.0\\.[\\w-]+$`))]);
  // The owner's log is intact after every kill.
  expect(((await (await ask("/v1/activity/verify", {}, token)).json()) as Loose).intact).toBe(true);
  await server.stop();
});
