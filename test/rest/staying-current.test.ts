// Connectors, schedules, health and events together, through the HTTP API.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/surfaces/cli/commands.ts";
import { addHostile, SECRET } from "../connectors/hostile-connector.ts";
import { allowFor, until as eventually, type Receiver, startReceiver, verified } from "../events/receiver.ts";
import { type Loose, newHome, type TestServer, testServer } from "../harness.ts";

const home = newHome();
let server: TestServer;

beforeAll(async () => {
  server = await testServer({ home });
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const settled = (): Promise<void> => server.jobs.schedules.idle();
const ask = async (method: string, path: string, body?: object): Promise<Loose> =>
  (await server.call(method, path, body === undefined ? {} : { body })).body;
const plan = (id: string): Promise<Loose> => ask("PUT", `/v1/connections/${id}/schedule`, { every_seconds: 3600 });
const connection = async (id: string): Promise<Loose> =>
  (await server.all("/v1/connections")).find((row) => row.connection_id === id);
const runsOf = async (id: string): Promise<Loose[]> => (await ask("GET", `/v1/connections/${id}/runs`)).data;

/** Waits until a connection's newest run has the expected state. */
async function until(id: string, fits: (run: Loose) => boolean): Promise<Loose> {
  for (;;) {
    const [run] = await runsOf(id);
    if (run !== undefined && fits(run)) return run;
    await sleep(20);
  }
}

describe("P-05 a schedule runs a connector, and health is updated", () => {
  test("after a successful run the connection is healthy, and a failed run says why it failed", async () => {
    const good = await addHostile(server.host, "good");
    const bad = await addHostile(server.host, "fails");
    await plan(good.connectionId);
    await plan(bad.connectionId);
    await settled();
    const [run] = await runsOf(good.connectionId);
    expect(run).toMatchObject({ reason: "schedule", status: "succeeded" });
    const well = await connection(good.connectionId);
    expect(well).toMatchObject({
      freshness: { status: "current" },
      health: { verdict: "ok", read_by: "connector" },
    });
    const planned = await ask("GET", `/v1/schedules/${good.connectionId}`);
    expect(well.freshness.next_check_at).toBe(planned.next_run_at);
    const ill = await connection(bad.connectionId);
    expect(ill).toMatchObject({ freshness: { status: "stale", checked_at: null }, health: { verdict: "failing" } });
    const [failed] = await runsOf(bad.connectionId);
    expect(ill.health.words).toContain(failed.error.message);
    expect(await ask("GET", `/v1/schedules/${bad.connectionId}`)).toMatchObject({ failures: 1, status: "waiting" });
    for (const { connectionId } of [good, bad]) await ask("DELETE", `/v1/connections/${connectionId}`);
  });

  test("P-01 a run with a question waits for its owner, and the connection's health shows that until it is answered", async () => {
    const { connectionId } = await addHostile(server.host, "otp");
    await plan(connectionId);
    const { run_id, question } = await until(connectionId, (run) => run.question !== undefined);
    const { health } = await connection(connectionId);
    expect(health).toMatchObject({
      verdict: "waiting_for_you",
      words: `It asks: ${question.message}`,
      next_step: expect.stringContaining(`pdpp connectors answer ${connectionId}`),
    });
    await ask("POST", `/v1/runs/${run_id}/answers`, { request_id: "o1", values: { code: "914-673" } });
    await settled();
    expect((await connection(connectionId)).health.verdict).toBe("ok");
    await ask("DELETE", `/v1/connections/${connectionId}`);
  });

  test("a connection that is being run manually when it is due is not run twice and does not count as failed", async () => {
    const { connectionId } = await addHostile(server.host, "otp");
    const begun = await ask("POST", `/v1/connections/${connectionId}/runs`, {});
    await until(connectionId, (run) => run.question !== undefined);
    await plan(connectionId);
    for (;;) {
      const { status, last_run } = await ask("GET", `/v1/schedules/${connectionId}`);
      if (status === "running" || last_run !== null) break;
      await sleep(20);
    }
    await ask("POST", `/v1/runs/${begun.run_id}/answers`, { request_id: "o1", values: { code: "914-673" } });
    await settled();
    expect(await ask("GET", `/v1/schedules/${connectionId}`)).toMatchObject({
      failures: 0,
      last_run: { status: "succeeded" },
    });
    expect((await runsOf(connectionId)).map(({ run_id }) => run_id)).toEqual([begun.run_id]);
    expect((await connection(connectionId)).health.verdict).toBe("ok");
    await ask("DELETE", `/v1/connections/${connectionId}`);
  });

  test("a run that the owner stopped does not make the connection unhealthy", async () => {
    const { connectionId } = await addHostile(server.host, "never-finishes");
    await plan(connectionId);
    const { run_id } = await until(connectionId, (run) => run.progress !== undefined);
    await ask("POST", `/v1/runs/${run_id}/cancel`);
    await settled();
    expect((await connection(connectionId)).health.verdict).not.toBe("failing");
    await ask("DELETE", `/v1/connections/${connectionId}`);
  });

  test("the command in a connection's next step always exists", async () => {
    const { connectionId } = await addHostile(server.host, "fails");
    const steps: string[] = [];
    const note = async (): Promise<void> => {
      const { health } = await connection(connectionId);
      if (health.next_step !== undefined) steps.push(`${health.verdict}: ${health.next_step}`);
    };
    await note();
    await plan(connectionId);
    await settled();
    await note();
    await ask("POST", `/v1/schedules/${connectionId}/pause`);
    await note();
    await ask("DELETE", `/v1/schedules/${connectionId}`);
    await note();
    await ask("DELETE", `/v1/connector-setups/${connectionId}`);
    await note();
    expect(steps.map((step) => step.split(":")[0])).toEqual(["never_read", "failing", "failing", "failing"]);
    for (const step of steps) {
      for (const [, words] of step.matchAll(/`pdpp ([^`]+)`/g)) {
        const [name, action] = words!.split(" ");
        const command = COMMANDS[name as keyof typeof COMMANDS];
        expect(command, step).toBeDefined();
        const { usage } = await command();
        if (!/^[A-Z]/.test(action!)) expect(usage, step).toContain(action);
      }
    }
    await ask("DELETE", `/v1/connections/${connectionId}`);
  });
});

describe("P-05 cleanup when a connector or a connection is removed", () => {
  test("removing the connector removes its schedule", async () => {
    const { connectionId } = await addHostile(server.host, "good");
    await plan(connectionId);
    await settled();
    await ask("DELETE", `/v1/connector-setups/${connectionId}`);
    expect((await server.get(`/v1/schedules/${connectionId}`)).status).toBe(404);
    expect(await connection(connectionId)).toMatchObject({
      freshness: { status: "unknown", next_check_at: null },
      health: { verdict: "by_hand", read_by: "hand" },
    });
    await ask("DELETE", `/v1/connections/${connectionId}`);
  });

  test("deleting the connection removes its schedule and connector, even during a run", async () => {
    const { connectionId } = await addHostile(server.host, "never-finishes", { secrets: { password: SECRET } });
    await plan(connectionId);
    await until(connectionId, (run) => run.progress !== undefined);
    await ask("DELETE", `/v1/connections/${connectionId}`);
    await settled();
    for (const path of [`/v1/schedules/${connectionId}`, `/v1/connector-setups/${connectionId}`])
      expect((await server.get(path)).status).toBe(404);
    expect(server.log.join("\n")).not.toContain(connectionId);
  });
});

describe("P-05 a server that stops during a scheduled run", () => {
  test("marks the run as interrupted, and the next server repeats it immediately without reporting the source as unhealthy", async () => {
    const own = newHome();
    const first = await testServer({ home: own });
    const { connectionId } = await addHostile(first.host, "never-finishes");
    const newest = async (at: TestServer): Promise<Loose> =>
      (await at.get(`/v1/connections/${connectionId}/runs`)).body.data[0];
    await first.call("PUT", `/v1/connections/${connectionId}/schedule`, { body: { every_seconds: 3600 } });
    const { run_id } = await eventually(
      () => newest(first),
      (run) => run?.progress !== undefined,
    );
    await first.close();
    const second = await testServer({ home: own });
    expect((await second.get(`/v1/runs/${run_id}`)).body).toMatchObject({
      status: "failed",
      error: { code: "interrupted" },
    });
    const again = await eventually(
      () => newest(second),
      (run) => run.run_id !== run_id && run.progress !== undefined,
    );
    expect(again.reason).toBe("schedule");
    const [{ health }] = (await second.get("/v1/connections")).body.data;
    expect(health.verdict).toBe("never_read");
    await second.close();
    rmSync(own, { recursive: true, force: true });
  });
});

describe("F-06 events for scheduled imports", () => {
  test("F-06 a scheduled connector run sends an event to each app whose grant shows the records", async () => {
    const { connectionId } = await addHostile(server.host, "good", { settings: { count: 2 } });
    const subscribe = async () => {
      const receiver: Receiver = await startReceiver();
      const app = await server.grant({ selections: [{ connection_id: connectionId, stream: "notes" }] });
      await allowFor(server, app, receiver);
      const { access_token: token, grant_id } = app;
      const made = await server.call("POST", "/v1/event-subscriptions", { token, body: { url: receiver.url } });
      await eventually(() => receiver.deliveries.length === 1);
      const told = (): Loose[] => receiver.deliveries.filter(({ event }) => event.type.endsWith("changed"));
      return { receiver, token, grant_id, made, told };
    };
    const [{ receiver, token, grant_id, made, told }, other] = [await subscribe(), await subscribe()];
    await plan(connectionId);
    await settled();
    const [delivery] = await eventually(told, (found) => found.length > 0);
    const event = verified(made.body.secret, delivery);
    const page = await server.get(event.data.records_url.replace(/^https?:\/\/[^/]+/, ""), { token });
    expect(page.body.data.map(({ id }: Loose) => id).sort()).toEqual(["n0", "n1"]);
    await eventually(() => other.told().length === 1);
    await server.call("POST", `/v1/grants/${grant_id}/revoke`);
    await ask("POST", `/v1/schedules/${connectionId}/run`);
    await settled();
    await eventually(() => other.told().length === 2);
    expect(told()).toHaveLength(1);
    for (const one of [receiver, other.receiver]) await one.close();
  });
});
