// P-05: connectors over REST: settings, runs, questions and logs. Only the owner can use them, and secrets are never
// returned.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addHostile, hostileManifest, SECRET, stored } from "../connectors/hostile-connector.ts";
import { HOME_OWNER, type Loose, newHome, type TestServer, testServer } from "../harness.ts";

const home = newHome();
let server: TestServer;
const answers: string[] = [];

beforeAll(async () => {
  server = await testServer({ home });
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await server.call(method, path, body === undefined ? {} : { body });
  answers.push(answer.text);
  return { status: answer.status, ...answer.body };
}

const start = (connectionId: string, body: object = {}) => ask("POST", `/v1/connections/${connectionId}/runs`, body);

async function until(runId: string, fits: (run: Loose) => boolean): Promise<Loose> {
  for (;;) {
    const run = (await server.get(`/v1/runs/${runId}`)).body;
    answers.push(JSON.stringify(run));
    if (fits(run)) return run;
    await sleep(20);
  }
}
const ended = (run: Loose): boolean => !["queued", "running"].includes(run.status);
const asked = (run: Loose): boolean => run.question !== undefined || ended(run);

describe("P-05 runs over REST", () => {
  test("a run can be started and followed to its end, and leaves a log", async () => {
    const { connectionId } = await addHostile(server.host, "signs-in", { secrets: { password: SECRET } });
    const begun = await start(connectionId);
    expect(begun).toMatchObject({ object: "collect_run", connection_id: connectionId, connector: "hostile 1.0.0" });
    const run = await until(begun.run_id, ended);
    expect(run).toMatchObject({ status: "succeeded", counts: { received: 1, created: 1 }, reason: "manual" });
    const log = await ask("GET", `/v1/runs/${run.run_id}/log`);
    expect(log).toMatchObject({ object: "collect_log", truncated: false, text: /^signed in: success/ });
    const list = await ask("GET", `/v1/connections/${connectionId}/runs`);
    expect(list.data.map(({ run_id }: Loose) => run_id)).toEqual([run.run_id]);
    const job = await ask("GET", `/api/jobs/${run.run_id}`);
    expect(job).toMatchObject({ object: "collect_run", status: "succeeded" });
    const events = await fetch(`${server.url}/api/jobs/${run.run_id}`, {
      headers: { Authorization: `Bearer ${server.owner}`, Accept: "text/event-stream" },
    });
    expect(await events.text()).toMatch(/^event: end\ndata: \{"object":"collect_run"/);
  });

  test("a connection has one run at a time, and a run can be cancelled", async () => {
    const { connectionId } = await addHostile(server.host, "never-finishes");
    const { run_id } = await start(connectionId);
    await until(run_id, (run) => run.progress !== undefined);
    const second = await server.call("POST", `/v1/connections/${connectionId}/runs`, { body: {} });
    expect([second.status, second.body.error.code]).toEqual([409, "job_already_running"]);
    expect(second.body.error.next_step).toContain(`/v1/runs/${run_id}/cancel`);
    expect(await ask("POST", `/v1/runs/${run_id}/cancel`)).toMatchObject({ status: "cancelled" });
    const again = await server.call("POST", `/v1/runs/${run_id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, "job_already_running"]);
    await ask("DELETE", `/v1/connections/${connectionId}`);
    expect((await server.get(`/v1/runs/${run_id}`)).status).toBe(404);
  });

  test("a connection without a connector and an unknown run return 404", async () => {
    await server.register("plain", {
      ...hostileManifest("good").declaration,
      source: { kind: "connector", id: "https://plain.example.org" },
    });
    const plain = await server.connect("plain");
    for (const [method, path] of [
      ["POST", `/v1/connections/${plain}/runs`],
      ["GET", `/v1/connector-setups/${plain}`],
    ] as const) {
      const answer = await server.call(method, path, method === "POST" ? { body: {} } : {});
      expect([answer.status, answer.body.error.next_step]).toEqual([
        404,
        expect.stringContaining("pdpp connectors add"),
      ]);
    }
    expect((await server.get("/v1/runs/job_nothing")).status).toBe(404);
  });
});

describe("P-05 a connector's questions", () => {
  test("a question is shown in the run and the connection until it is answered, and the code given as the answer is not stored", async () => {
    const { connectionId } = await addHostile(server.host, "otp");
    const { run_id } = await start(connectionId);
    const { question } = await until(run_id, asked);
    expect(question).toMatchObject({
      request_id: "o1",
      kind: "otp",
      message: "The code from your phone",
      fields: [{ name: "code", title: "code", required: true, secret: false }],
    });
    expect((await ask("GET", `/v1/connector-setups/${connectionId}`)).needs_you).toBe(true);
    const answer = (body: object) => server.call("POST", `/v1/runs/${run_id}/answers`, { body });
    const wrong = [
      { request_id: "o2", values: { code: "1" } },
      { request_id: "o1", values: {} },
      { request_id: "o1", values: { code: "1", other: "2" } },
      { request_id: "o1", values: { code: "1" }, remember: true },
    ];
    for (const body of wrong)
      expect((await answer(body)).body.error?.code, JSON.stringify(body)).toBe("invalid_request");
    expect((await answer({ request_id: "o1", values: { code: "914-673" } })).status).toBe(202);
    const run = await until(run_id, ended);
    expect(run).toMatchObject({ status: "succeeded" });
    expect((await stored(server.host, connectionId))[0].data.text).toBe("success 7");
    expect((await ask("GET", `/v1/runs/${run_id}/log`)).text).toBe("the code was [redacted]\n");
    expect((await ask("GET", `/v1/connector-setups/${connectionId}`)).needs_you).toBe(false);
    expect((await answer({ request_id: "o1", values: { code: "1" } })).status).toBe(400);
  });

  test("runs that wait for an answer do not block other runs", async () => {
    const asking = await Promise.all([1, 2, 3].map(() => addHostile(server.host, "otp")));
    const runs = await Promise.all(asking.map(({ connectionId }) => start(connectionId)));
    for (const { run_id } of runs) await until(run_id, asked);
    const { connectionId } = await addHostile(server.host, "good");
    expect(await until((await start(connectionId)).run_id, ended)).toMatchObject({ status: "succeeded" });
    for (const { run_id } of runs) await ask("POST", `/v1/runs/${run_id}/cancel`);
  });

  test("a connector is told when a question times out or is refused", async () => {
    const { connectionId } = await addHostile(server.host, "otp", { settings: { wait: 1 } });
    const late = await until((await start(connectionId)).run_id, ended);
    expect(late.report.remarks).toEqual(["nobody answered: The code from your phone"]);
    expect((await stored(server.host, connectionId))[0].data.text).toMatch(/^timeout/);
    const refused = await addHostile(server.host, "otp");
    const { run_id } = await start(refused.connectionId);
    await until(run_id, asked);
    await ask("POST", `/v1/runs/${run_id}/answers`, { request_id: "o1", refuse: true });
    await until(run_id, ended);
    expect((await stored(server.host, refused.connectionId))[0].data.text).toMatch(/^cancelled/);
  });

  test("credentials given as an answer are stored only if the owner chooses to", async () => {
    const { connectionId } = await addHostile(server.host, "signs-in");
    for (const remember of [false, true]) {
      const { run_id } = await start(connectionId);
      const { question } = await until(run_id, asked);
      expect(question.fields).toEqual([{ name: "password", title: "Password", required: true, secret: true }]);
      await ask("POST", `/v1/runs/${run_id}/answers`, { request_id: "p1", values: { password: SECRET }, remember });
      expect(await until(run_id, ended)).toMatchObject({ status: "succeeded" });
    }
    const third = await until((await start(connectionId)).run_id, asked);
    expect(third).toMatchObject({ status: "succeeded" });
  });
});

describe("P-05 a connector's settings", () => {
  test("settings are listed, and secrets can be written but not read", async () => {
    const { connectionId } = await addHostile(server.host, "good", { settings: { count: 3 } });
    const path = `/v1/connections/${connectionId}/settings`;
    const put = await ask("PUT", path, { settings: { count: 4, wait: 9 }, secrets: { password: SECRET } });
    const by = (setup: Loose): Loose =>
      Object.fromEntries(setup.settings.map((one: Loose) => [one.name, [one.value, one.set]]));
    expect(by(put)).toMatchObject({ count: [4, true], wait: [9, true], password: [undefined, true] });
    const less = await ask("PUT", path, { settings: { wait: null }, secrets: { password: null } });
    expect(by(less)).toMatchObject({ count: [4, true], wait: [undefined, false], password: [undefined, false] });
    for (const [body, param] of [
      [{ settings: { count: "many" } }, "settings.count"],
      [{ settings: { colour: "red" } }, "settings.colour"],
      [{ settings: { password: "x" } }, "settings.password"],
      [{ secrets: { count: "x" } }, "secrets.count"],
    ] as const) {
      const refused = await server.call("PUT", path, { body });
      expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    }
    expect(await until((await start(connectionId)).run_id, ended)).toMatchObject({ counts: { received: 4 } });
    const all = await ask("GET", "/v1/connector-setups");
    expect(all.data.find((one: Loose) => one.connection_id === connectionId)).toMatchObject({
      connector_key: "hostile",
      last_run: { status: "succeeded" },
    });
    expect(await ask("DELETE", `/v1/connector-setups/${connectionId}`)).toMatchObject({ deleted: true });
    expect(await stored(server.host, connectionId)).toHaveLength(4);
  });

  test("a connector that changed on disk gets no more access than was approved", async () => {
    const { writeFileSync } = await import("node:fs");
    const { connectionId, folder } = await addHostile(server.host, "good");
    const rewrite = (more: object): void =>
      writeFileSync(`${folder}/connector.json`, JSON.stringify(hostileManifest("good", more)));
    rewrite({ version: "1.1.0" });
    expect(await until((await start(connectionId)).run_id, ended)).toMatchObject({ status: "succeeded" });
    expect((await ask("GET", `/v1/connector-setups/${connectionId}`)).version).toBe("1.1.0");
    rewrite({ version: "1.2.0", bindings: { network: { required: true }, filesystem: { required: true } } });
    const refused = await until((await start(connectionId)).run_id, ended);
    expect(refused.error).toMatchObject({ code: "not_ready", message: /changed since it was added/ });
    rmSync(folder, { recursive: true });
    expect((await until((await start(connectionId)).run_id, ended)).error.message).toMatch(
      /connector\.json cannot be read/,
    );
  });
});

test("P-05 only the owner can use these routes, and none of them adds a connector", async () => {
  const { connectionId } = await addHostile(server.host, "good");
  const { access_token: token } = await server.grant({
    selections: [{ connection_id: connectionId, stream: "notes" }],
  });
  for (const [method, path, body] of [
    ["GET", "/v1/connector-setups"],
    ["GET", `/v1/connector-setups/${connectionId}`],
    ["DELETE", `/v1/connector-setups/${connectionId}`],
    ["PUT", `/v1/connections/${connectionId}/settings`, {}],
    ["POST", `/v1/connections/${connectionId}/runs`, {}],
    ["GET", `/v1/connections/${connectionId}/runs`],
    ["GET", "/v1/runs/job_x"],
    ["GET", "/v1/runs/job_x/log"],
    ["POST", "/v1/runs/job_x/cancel"],
    ["POST", "/v1/runs/job_x/answers", { request_id: "x" }],
  ] as const) {
    const answer = await server.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, "insufficient_scope"]);
  }
  for (const method of ["PUT", "POST"]) {
    const answer = await server.call(method, "/v1/connector-setups", { body: hostileManifest("good") });
    expect(answer.status).toBe(405);
  }
});

test("P-05 a run interrupted by stopping the server counts as failed after the restart, and new runs work", async () => {
  const { connectionId } = await addHostile(server.host, "never-finishes");
  const waiting = await addHostile(server.host, "good");
  const { run_id } = await start(connectionId);
  await until(run_id, (run) => run.progress !== undefined);
  await server.close();
  server = await testServer({ home });
  expect(await until(run_id, ended)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  expect(await until((await start(waiting.connectionId)).run_id, ended)).toMatchObject({ status: "succeeded" });
});

test("SECURITY row 20: no secret is in any response, in the server's log or in the activity", async () => {
  const activity = await server.host.callText("activity", { limit: 100 }, HOME_OWNER);
  for (const text of [...answers, ...server.log, activity]) expect(text).not.toMatch(/hunter2|914-673/);
});
