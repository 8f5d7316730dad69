// P-05: a server killed during a connector run stores no partial state, leaves no process behind, and ends with the
// same result as an uninterrupted server.
import { randomInt } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { openHome } from "../../src/engine/home.ts";
import { addHostile, cursors, stored } from "../connectors/hostile-connector.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { randomFrom } from "./random.ts";
import { startServerProcess } from "./server-process.ts";

const KILLS = 4;
const COUNT = 300;
const folder = mkdtempSync(join(tmpdir(), "postern-connectors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns processes with the run's marker in their environment. */
const alive = (runId: string): string[] =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(runId);
    } catch {
      return false;
    }
  });

it(`P-05 a server killed ${KILLS} times during a connector run ends with the same result as an uninterrupted server`, async () => {
  const seed = Number(process.env.PDPP_SEED ?? randomInt(2 ** 31));
  const random = randomFrom(seed);
  const home = join(folder, "home");
  const first = openHome(home, { create: true, note: () => undefined });
  const { connectionId } = await addHostile(first, "slow", { settings: { count: COUNT, pause_ms: 2 } });
  const { access_token: token } = await first.call("issueOwnerToken", {}, HOME_OWNER);
  await first.close();
  const runs: string[] = [];
  for (let kill = 0; kill <= KILLS; kill++) {
    const server = await startServerProcess(home);
    const ask = async (method: string, path: string, body?: object): Promise<Loose> => {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return response.json();
    };
    const runOf = (id: string): Promise<Loose> => ask("GET", `/v1/runs/${id}`);
    // The previous run was interrupted and reports that.
    for (const id of runs) {
      for (let run = await runOf(id); run.status === "running" || run.status === "queued"; run = await runOf(id))
        await sleep(20);
      expect(await runOf(id), `PDPP_SEED=${seed}`).toMatchObject({
        status: "failed",
        error: { code: "interrupted" },
        states: [],
      });
    }
    const begun = await ask("POST", `/v1/connections/${connectionId}/runs`, {});
    expect(begun.status).toMatch(/queued|running/);
    if (kill < KILLS) {
      runs.push(begun.run_id);
      for (let run = begun; run.status === "queued"; run = await runOf(begun.run_id)) await sleep(5);
      await sleep(random.next() * COUNT);
      const { status } = await runOf(begun.run_id);
      await server.kill();
      // The connector notices that its output is closed, and exits.
      await expect.poll(() => alive(begun.run_id), { message: `PDPP_SEED=${seed}` }).toEqual([]);
      // On a slow machine the run can end before the kill. In that case it was not interrupted and does not have to
      // report an interruption.
      if (status === "succeeded") runs.pop();
      continue;
    }
    for (let run = begun; run.status !== "succeeded"; run = await runOf(begun.run_id)) {
      expect(run.status, `PDPP_SEED=${seed} ${JSON.stringify(run.error)}`).toMatch(/queued|running/);
      await sleep(20);
    }
    await server.stop();
  }
  const after = openHome(home, { note: () => undefined });
  const records = await stored(after, connectionId);
  const { notes } = await cursors(after, connectionId);
  await after.close();
  expect(notes.at % COUNT, `PDPP_SEED=${seed}`).toBe(0);
  expect(records.map(({ id }) => id).sort()).toEqual(Array.from({ length: notes.at }, (_, n) => `n${n}`).sort());
});

it("P-05 the next server ends a connector that outlived its killed server", async () => {
  const home = join(folder, "outlived");
  const first = openHome(home, { create: true, note: () => undefined });
  const { connectionId } = await addHostile(first, "outlives");
  const { run_id } = await first.call("startCollect", { connection_id: connectionId }, HOME_OWNER);
  await first.close();
  const server = await startServerProcess(home);
  const beside = openHome(home, { note: () => undefined });
  const runOf = async (): Promise<Loose> => await beside.call("collectRun", { id: run_id }, HOME_OWNER);
  while ((await runOf()).counts.received === 0) await sleep(50);
  await beside.close();
  await server.kill();
  await sleep(500);
  expect(alive(run_id)).toHaveLength(1);
  const next = await startServerProcess(home);
  await expect.poll(() => alive(run_id)).toEqual([]);
  await next.stop();
});
