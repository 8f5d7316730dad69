// P-05: connectors that crash, hang, flood, lie and never finish. Each run ends with a clear reason, no partial state
// and no process left behind.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CollectOutcome, ConnectorRunner } from "../../src/collect/connectors/runner.ts";
import { COLLECT } from "../../src/contract/limits.ts";
import { openHome } from "../../src/engine/home.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { type Added, addHostile, cursors, SECRET, stored } from "./hostile-connector.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-connectors-"));
const home = join(folder, "home");
let host: EngineHost;
let runner: ConnectorRunner;
const failures: string[] = [];

beforeAll(() => {
  host = openHome(home, { create: true, note: (text) => failures.push(text) });
  runner = new ConnectorRunner({ home, host, log: (text) => failures.push(text), now: () => Date.now() + later });
});
afterAll(async () => {
  await runner.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Added to the runner's clock. Tests that need a later time increase it. */
let later = 0;

interface Ran extends Added {
  outcome: CollectOutcome;
  run: Loose;
  log: string;
}

async function ran(mode: string, options: Parameters<typeof addHostile>[2] = {}): Promise<Ran> {
  const added = await addHostile(host, mode, options);
  return again(added);
}

async function again(added: Added, mode?: "full_refresh"): Promise<Ran> {
  const outcome = await runner.run(added.connectionId, mode === undefined ? {} : { mode });
  const run = await host.call("collectRun", { id: outcome.run_id }, HOME_OWNER);
  const log = (await host.call("collectLog", { id: outcome.run_id }, HOME_OWNER)).text as string;
  return { ...added, outcome, run, log };
}

/** A zombie process has ended but its parent has not reaped it. It does not count as alive. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

/** Returns processes with the run's marker in their environment. */
function leftovers(runId: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(runId);
    } catch {
      return false;
    }
  });
}

describe("P-05 a well-behaved connector", () => {
  it("imports records, stores its cursor, and continues from there", async () => {
    const first = await ran("good", { settings: { count: 7 } });
    expect(first.outcome).toMatchObject({ status: "succeeded", counts: { received: 7, created: 7, rejected: 0 } });
    expect(first.run).toMatchObject({
      states: ["notes"],
      mode: "incremental",
      reason: "manual",
      streams: { notes: { created: 7 } },
    });
    expect(await cursors(host, first.connectionId)).toEqual({ notes: { at: 7 } });
    const second = await again(first);
    expect(second.outcome.counts).toMatchObject({ received: 7, created: 7 });
    expect(await cursors(host, first.connectionId)).toEqual({ notes: { at: 14 } });
    expect(await stored(host, first.connectionId)).toHaveLength(14);
    const third = await again(first, "full_refresh");
    expect(third.outcome.counts).toMatchObject({ received: 7, created: 0, unchanged: 7 });
  });

  it("X-13 each record shows which connector and which run imported it", async () => {
    const { connectionId, outcome } = await ran("good", { settings: { count: 1 } });
    const [record] = await stored(host, connectionId);
    expect(record.provenance).toEqual({ run_id: outcome.run_id, connector: "hostile 1.0.0" });
  });

  it("reports what it skipped; unknown messages are ignored with a note", async () => {
    const { outcome, run } = await ran("told");
    expect(outcome.status).toBe("succeeded");
    expect(run.progress).toEqual({ message: "half way", stream: "notes", count: 1, total: 2 });
    expect(run.report).toEqual({
      skipped: [{ stream: "notes", text: "too large" }],
      coverage: [{ stream: "notes", text: '{"complete":false}' }],
      gaps: [{ stream: "notes", text: "2019 is missing" }],
      remarks: ["1 × SOMETHING_NEW: messages of an unknown type"],
      left_out: 0,
    });
  });

  it("deletes the records that it reports as deleted, and only those", async () => {
    const { connectionId, outcome } = await ran("deletes");
    expect(outcome.counts).toMatchObject({ received: 3, created: 2, deleted: 1 });
    expect((await stored(host, connectionId)).map(({ id }) => id)).toEqual(["n2"]);
  });

  it("gets a temporary folder that is removed afterwards, but no server environment variables and no secret in START", async () => {
    process.env.PDPP_OWNER_TOKEN = "pdpp_owner_of-this-test";
    const { connectionId } = await ran("environment", { settings: { count: 3 }, secrets: { password: SECRET } });
    delete process.env.PDPP_OWNER_TOKEN;
    const [record] = await stored(host, connectionId);
    const { env, cwd, start } = JSON.parse(record.data.text) as Loose;
    expect(
      Object.keys(env)
        .filter((name) => !["PATH", "LANG", "LC_ALL", "TZ"].includes(name))
        .sort(),
    ).toEqual(["HOME", "PDPP_RUN_ID", "TMPDIR"]);
    expect([env.HOME, env.TMPDIR]).toEqual([cwd, cwd]);
    expect(existsSync(cwd)).toBe(false);
    expect(record.data.text).not.toContain(home);
    expect(start.bindings).toEqual({ network: { hosts: ["mail.example.org"] }, settings: { count: 3 } });
    expect(JSON.stringify(start)).not.toContain("hunter2");
    expect(start).toMatchObject({ state: null, scope: { streams: [{ name: "notes" }, { name: "tags" }] } });
  });
});

describe("P-05 a failed run ends with a reason and stores no cursor", () => {
  const CASES: [mode: string, error: Loose, kept: number, options?: Parameters<typeof addHostile>[2]][] = [
    ["crash", { code: "crashed", message: "it ended with exit code 3 before it sent anything" }, 0],
    ["crash-midway", { code: "crashed", message: "it ended with exit code 3 after line 6, without DONE", line: 6 }, 5],
    ["killed-by-signal", { code: "crashed", message: "it ended with SIGSEGV after line 1, without DONE", line: 1 }, 1],
    ["fails", { code: "connector_failed", message: "the server said no" }, 1],
    [
      "hang-before-start",
      { code: "timeout", message: "it sent nothing within 1 s of starting" },
      0,
      { manifest: { limits: { start_seconds: 1 } } },
    ],
    [
      "hang-silent",
      { code: "timeout", message: "it was silent for 1 s after line 1", line: 1 },
      1,
      { manifest: { limits: { silence_seconds: 1 } } },
    ],
    [
      "never-finishes",
      { code: "timeout", message: "it ran longer than 2 s" },
      0,
      { manifest: { limits: { run_seconds: 2 } } },
    ],
    ["endless-line", { code: "resource_limit", message: "a line is longer than 16777216 bytes", line: 1 }, 0],
    [
      "lies-about-count",
      { code: "protocol_error", message: "line 3: DONE reports 7 records, but it sent 1", line: 3 },
      1,
    ],
    ["no-object", { code: "protocol_error", message: "line 1: expected a JSON object with a type", line: 1 }, 0],
    ["done-twice", { code: "protocol_error", line: 4 }, 0],
    ["record-after-done", { code: "protocol_error", line: 4 }, 0],
    ["state-of-nothing", { code: "protocol_error", line: 1 }, 0],
    ["flood-unknown", { code: "resource_limit" }, 0],
  ];
  it.each(CASES)("%s", async (mode, error, kept, options = {}) => {
    const { connectionId, outcome, run } = await ran(mode, options);
    expect(outcome).toMatchObject({ status: "failed", error });
    expect(run).toMatchObject({ status: "failed", states: [], error });
    expect(await cursors(host, connectionId)).toEqual({});
    if (kept > 0) expect(await stored(host, connectionId)).toHaveLength(kept);
    expect(leftovers(outcome.run_id)).toEqual([]);
  });

  it("invalid-json: the error gives the line and the expected format", async () => {
    const { outcome } = await ran("invalid-json");
    expect(outcome.error).toMatchObject({ code: "protocol_error", line: 3 });
    expect(outcome.error!.message).toBe("line 3: not JSON: Unexpected token 'h'; expected one JSON object per line");
  });

  it("invalid-record: a malformed RECORD is detected too", async () => {
    const { outcome } = await ran("invalid-record");
    expect(outcome.error).toMatchObject({ code: "protocol_error", line: 2 });
  });

  it("a connector that ignores SIGTERM is killed with its process group after the grace period", async () => {
    const { outcome } = await ran("ignores-sigterm", { manifest: { limits: { silence_seconds: 1 } } });
    expect(outcome.error).toMatchObject({ code: "timeout" });
    expect(leftovers(outcome.run_id)).toEqual([]);
  });

  it("a record with a wrong key is refused without affecting other records", async () => {
    const { connectionId, outcome, run } = await ran("lies-about-key");
    expect(outcome).toMatchObject({ status: "succeeded", counts: { received: 2, created: 1, rejected: 1 } });
    expect(run.rejections).toEqual([
      { line: 2, stream: "notes", code: "invalid_record", message: "key and data.id differ" },
    ]);
    expect((await stored(host, connectionId)).map(({ id }) => id)).toEqual(["n1"]);
  });

  it("a record of an undeclared stream is refused without affecting other records", async () => {
    const { outcome, run } = await ran("undeclared-stream");
    expect(outcome.counts).toMatchObject({ received: 2, created: 1, rejected: 1 });
    expect(run.rejections).toEqual([{ line: 2, code: "not_found", message: "its declaration has no such stream" }]);
  });

  it("too many records that violate their schema end the run", async () => {
    const some = await ran("breaks-schema", { settings: { count: 60 } });
    expect(some.outcome).toMatchObject({ status: "succeeded", counts: { rejected: 60 } });
    expect(some.run.rejections).toHaveLength(50);
    const many = await ran("breaks-schema", {
      settings: { count: 60 },
      manifest: { limits: { rejects: 20 } },
    });
    expect(many.outcome).toMatchObject({ status: "failed", error: { code: "too_many_rejects" } });
    expect(await cursors(host, many.connectionId)).toEqual({});
  });

  it("a flood is read only as fast as it can be stored and ends at the limit, and memory stays bounded", async () => {
    const before = process.memoryUsage().rss;
    const records = await ran("flood-records", { manifest: { limits: { records: 30_000 } } });
    expect(records.outcome.error).toMatchObject({ code: "resource_limit", message: "it sent more than 30000 records" });
    const progress = await ran("flood-progress", { manifest: { limits: { run_seconds: 2 } } });
    expect(progress.outcome.error).toMatchObject({ code: "timeout" });
    // On a busy machine the two seconds can pass before the connector starts.
    expect(progress.run.progress?.message.length ?? 0).toBeLessThan(501);
    const errors = await ran("flood-stderr");
    expect(errors.outcome.status).toBe("succeeded");
    expect(Buffer.byteLength(errors.log)).toBeLessThanOrEqual(64 * 1024);
    expect(errors.log.slice(-20)).toBe("xxxxx\nthe last word\n");
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });

  it("a grandchild that keeps the output open is stopped too", async () => {
    const pid_file = join(folder, "grandchild.pid");
    const { outcome, run } = await ran("grandchild", { settings: { pid_file } });
    expect(outcome).toMatchObject({ status: "succeeded", counts: { created: 1 } });
    expect(run.states).toEqual(["notes"]);
    const pid = Number(readFileSync(pid_file, "utf8"));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("a connector that keeps running after DONE is stopped, and its run still succeeds", async () => {
    const { outcome, run } = await ran("lives-after-done");
    expect(outcome.status).toBe("succeeded");
    expect(run.report.remarks).toEqual(["it, or a process that it started, did not end after DONE and was stopped"]);
    expect(leftovers(outcome.run_id)).toEqual([]);
  });

  it("a missing program fails with a reason", async () => {
    const { outcome } = await ran("good", { manifest: { command: ["./no-such-program"] } });
    expect(outcome.error).toMatchObject({ code: "not_ready" });
  });
});

describe("P-05 cursors", () => {
  it("a cursor can be sent without records", async () => {
    const { connectionId, outcome } = await ran("state-alone");
    expect(outcome.status).toBe("succeeded");
    expect(await cursors(host, connectionId)).toEqual({ notes: { at: 7 } });
  });

  it("a cursor is not stored without the cursors that it depends on", async () => {
    const { connectionId, run } = await ran("state-too-early");
    expect(run).toMatchObject({ status: "succeeded", states: [] });
    expect(run.report.remarks).toEqual([
      "the cursor of tags was not stored: it depends on the cursor of notes, which this run did not provide",
    ]);
    expect(await cursors(host, connectionId)).toEqual({});
  });

  it("cursors with circular dependencies are refused, and the error shows the cycle", async () => {
    const checkpoints = { tags: { after: ["notes"] }, notes: { after: ["tags"] } };
    await expect(addHostile(host, "good", { manifest: { checkpoints } })).rejects.toThrow(
      "checkpoints: no order satisfies tags → notes → tags",
    );
    await expect(
      addHostile(host, "good", { manifest: { checkpoints: { tags: { after: ["posts"] } } } }),
    ).rejects.toThrow('the declaration has no stream "posts"');
  });
});

describe("P-05 bindings", () => {
  it.each(["browser_automation", "browser_profile"])(
    "%s: a missing required binding stops the run before it starts",
    async (name) => {
      const { outcome } = await ran("good", { manifest: { bindings: { [name]: { required: true } } } });
      expect(outcome.error).toMatchObject({ code: "not_ready" });
      expect(outcome.error!.message).toMatch(/browser/);
    },
  );

  it("interactive: available only if someone can answer", async () => {
    const { outcome } = await ran("good", { manifest: { bindings: { interactive: { required: true } } } });
    expect(outcome.error).toMatchObject({ code: "not_ready", message: /there is no one to answer/ });
  });
});

describe("P-05, SECURITY row 20: secrets", () => {
  it("secrets are used to answer a credential question, and appear nowhere else", async () => {
    const { outcome, log, run } = await ran("signs-in", { secrets: { password: SECRET } });
    expect(outcome.status).toBe("succeeded");
    expect(log).toBe(`signed in: success, with ${SECRET.length} characters\n`);
    expect(JSON.stringify(run)).not.toContain("hunter2");
  });

  it("secrets that a connector prints are removed from its log, progress, report and error", async () => {
    const { run, log } = await ran("prints-secret", { secrets: { password: SECRET } });
    expect(log).toContain("password=[redacted]");
    expect(run.error).toEqual({ code: "connector_failed", message: "wrong password [redacted]" });
    for (const form of ["hunter2", Buffer.from(SECRET).toString("base64"), encodeURIComponent(SECRET)])
      expect(JSON.stringify(run) + log).not.toContain(form);
  });

  it("a secret in a cursor ends the run, because cursors are stored in plain text", async () => {
    const { connectionId, outcome } = await ran("secret-in-state", { secrets: { password: SECRET } });
    expect(outcome.error).toMatchObject({ code: "protocol_error" });
    expect(await cursors(host, connectionId)).toEqual({});
  });

  it("secrets that did not work are not retried forever: without an owner, the question is refused", async () => {
    const { connectionId } = await ran("signs-in-twice", { secrets: { password: SECRET } });
    expect((await stored(host, connectionId))[0].data.text).toBe("cancelled 0");
  });

  it("endless requests for secrets end the run", async () => {
    const { outcome } = await ran("asks-for-ever", { secrets: { password: SECRET } });
    expect(outcome.error).toMatchObject({ code: "resource_limit", message: "it asked more than 20 questions" });
  });

  it("no file in the home contains a secret in plain text", () => {
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect(readFileSync(join(entry.parentPath, entry.name)).includes("hunter2"), entry.name).toBe(false);
    }
  });
});

const runsOf = async (connection_id: string): Promise<Loose[]> =>
  (await host.call("collectRuns", { connection_id }, HOME_OWNER)).data;

it("P-05 a cancelled run ends, keeps its records and stores no cursor", async () => {
  const added = await addHostile(host, "never-finishes");
  const stop = new AbortController();
  const running = runner.run(added.connectionId, { signal: stop.signal });
  while ((await runsOf(added.connectionId))[0]?.status !== "running") await sleep(20);
  await expect(runner.run(added.connectionId)).rejects.toMatchObject({ code: "job_already_running" });
  stop.abort();
  expect(await running).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
});

it("P-05 two connectors run at once, the third waits, and a failure does not stop the others", async () => {
  const slow = await Promise.all(
    [1, 2, 3].map(() => addHostile(host, "slow", { settings: { count: 20, pause_ms: 10 } })),
  );
  const bad = await addHostile(host, "crash");
  const outcomes = await Promise.all([bad, ...slow].map(({ connectionId }) => runner.run(connectionId)));
  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "succeeded", "succeeded", "succeeded"]);
});

it("P-05 hanging sources do not block others, and are stopped after a while", async () => {
  const stop = new AbortController();
  const hanging = [];
  for (let one = 0; one < COLLECT.atOnce; one++) {
    const { connectionId } = await addHostile(host, "never-finishes");
    hanging.push(runner.run(connectionId, { signal: stop.signal }));
  }
  const { connectionId } = await addHostile(host, "good");
  const waiting = runner.run(connectionId);
  while ((await runsOf(connectionId)).length === 0) await sleep(20);
  expect((await runsOf(connectionId))[0].status).toBe("queued");
  later = COLLECT.roomMs;
  expect((await waiting).status).toBe("succeeded");
  stop.abort();
  for (const run of hanging) expect((await run).status).toBe("cancelled");
  later = 0;
});

it("P-05 the next command performs a requested run that never started, and adds another run if the mode differs", async () => {
  const other = join(folder, "other");
  const beside = openHome(other, { create: true, note: () => undefined });
  for (const mode of ["incremental", "full_refresh"] as const) {
    const { connectionId } = await addHostile(beside, "good");
    const left = await beside.call("startCollect", { connection_id: connectionId }, HOME_OWNER);
    const log = (text: string): unknown => failures.push(text);
    const command = new ConnectorRunner({ home: other, host: beside, log, only: connectionId });
    const { run_id, status } = await command.run(connectionId, { mode });
    await command.close();
    expect([status, run_id === left.run_id]).toEqual(["succeeded", mode === "incremental"]);
  }
  await beside.close();
});

it("no unexpected error occurred", () => {
  expect(failures.filter((text) => !text.startsWith("Created a new home"))).toEqual([]);
});
