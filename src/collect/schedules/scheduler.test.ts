// Tests of schedules (P-05): a week without a server, pauses, killed servers, a clock that is set back, and checks that
// hang.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import type { EngineHost } from "../../engine/host.ts";
import { localHost } from "../../engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import { type ScheduledRead, Scheduler } from "./scheduler.ts";

const OWNER = { home: true } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;

let home: string;
let host: EngineHost;
let now: number;
let looks: string[];
let log: string[];
const open: Scheduler[] = [];

const call = async (method: Parameters<EngineHost["call"]>[0], query: object = {}): Promise<Loose> =>
  await host.call(method, query as never, OWNER);
const watch = async (name: string): Promise<string> =>
  (await call("watchFolder", { folder: `/${name}`, every_seconds: 3600 })).schedule_id;
const noted: ScheduledRead = async ({ id }) => {
  looks.push(id);
  return "looked";
};

function server(look: ScheduledRead = noted, over: EngineHost = host): Scheduler {
  const scheduler = new Scheduler({ host: over, look, log: (text) => log.push(text), now: () => now });
  open.push(scheduler);
  return scheduler;
}

async function turn(scheduler: Scheduler): Promise<void> {
  scheduler.wake();
  await scheduler.idle();
  await scheduler.idle();
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pdpp-scheduler-"));
  prepareHome(home);
  now = Date.parse("2026-03-01T00:00:00Z");
  [looks, log] = [[], []];
  host = localHost(openSqliteStore(home), { home, persist: true, now: () => now });
});
afterEach(async () => {
  for (const scheduler of open.splice(0)) await scheduler.close();
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

it("P-05 one run makes up for all runs that were missed in a week without a server, or while paused", async () => {
  const id = await watch("a");
  const first = server();
  await turn(first);
  expect(looks).toEqual([id]);
  await first.close();
  now += WEEK;
  const second = server();
  await turn(second);
  await turn(second);
  expect(looks).toEqual([id, id]);
  await call("pauseSchedule", { id });
  now += WEEK;
  await turn(second);
  expect(looks).toHaveLength(2);
  await call("resumeSchedule", { id });
  await turn(second);
  await turn(second);
  expect(looks).toHaveLength(3);
  const { next_run_at } = await call("schedule", { id });
  expect(Date.parse(next_run_at)).toBeGreaterThan(now);
  expect(Date.parse(next_run_at)).toBeLessThanOrEqual(now + HOUR + 6 * MINUTE);
});

it("P-05 a clock that is set back delays no run", async () => {
  const id = await watch("a");
  const scheduler = server();
  await turn(scheduler);
  now -= 52 * WEEK;
  await turn(scheduler);
  expect(looks).toEqual([id, id]);
  expect(Date.parse((await call("schedule", { id })).next_run_at)).toBeLessThan(now + 2 * HOUR);
});

it("P-05 a run whose server was killed is taken over after two minutes without a heartbeat, by only one process", async () => {
  const id = await watch("a");
  // The process that claimed the schedule has ended.
  await call("takeDueSchedules");
  const servers = [server(), server()];
  now += MINUTE;
  for (const one of servers) await turn(one);
  expect(looks).toEqual([]);
  expect((await call("schedule", { id })).status).toBe("running");
  now += MINUTE;
  await Promise.all(servers.map(turn));
  expect(looks).toEqual([id]);
});

it("P-05 a run whose server shut down is due at once, and does not count as failed", async () => {
  const id = await watch("a");
  let begun = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const first = server((_due, signal) => {
    begun();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("cut"))));
  });
  first.wake();
  await running;
  await first.close();
  expect(await call("schedule", { id })).toMatchObject({ status: "waiting", failures: 0, last_run: null });
  await turn(server());
  expect(looks).toEqual([id]);
});

it("P-05 a run that hangs blocks no other and is not started twice, and one that fails is retried later", async () => {
  const [hanging, failing, good] = [await watch("hangs"), await watch("fails"), await watch("good")];
  let hangs = 0;
  const scheduler = server(async (due, signal, credential) => {
    if (due.id === failing) throw new Error("no");
    if (due.id !== hanging) return noted(due, signal, credential);
    hangs++;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("cut"))));
  });
  const until = async (count: number): Promise<void> => {
    scheduler.wake();
    while (looks.length < count || (await call("schedule", { id: failing })).failures < count)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(1);
  now += 2 * HOUR;
  await until(2);
  expect([hangs, looks]).toEqual([1, [good, good]]);
  expect(log.filter((text) => !text.includes(failing))).toEqual([]);
});

it("P-05 if the store refuses writes, they are retried later, not in a loop", async () => {
  await watch("a");
  let asked = 0;
  const full: EngineHost = {
    ...host,
    async call(method, ...rest) {
      if (method !== "takeDueSchedules") return host.call(method, ...rest);
      asked++;
      throw new Error("the disk is full");
    },
  };
  const scheduler = server(noted, full);
  await turn(scheduler);
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([asked - before, log.length]).toEqual([0, before]);
});
