// The job loop: one round at a time, no lost wake-ups, and a quick retry after a temporary failure.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PdppError } from "../contract/errors.ts";
import { JobLoop, type JobLoopOptions, retryBudget } from "./job-loop.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const away = new PdppError("store_unavailable", "the database cannot be reached");
const said: string[] = [];

function loopOf(round: JobLoopOptions["round"], rest: Partial<JobLoopOptions> = {}): JobLoop {
  said.length = 0;
  return new JobLoop({ name: "jobs", log: (text) => said.push(text), round, mayRun: () => true, ...rest });
}

it("D-04 runs one round at a time, and another if it is woken during a round", async () => {
  let rounds = 0;
  const gate = Promise.withResolvers<void>();
  const loop = loopOf(async () => {
    rounds++;
    await gate.promise;
    return undefined;
  });
  loop.wake();
  loop.wake();
  loop.wake();
  expect([rounds, loop.isWorking]).toEqual([1, true]);
  gate.resolve();
  await loop.idle();
  expect([rounds, loop.isWorking]).toEqual([2, false]);
});

it("D-04 a wake-up at the end of a round is not lost", async () => {
  let rounds = 0;
  const loop = loopOf(async () => {
    if (++rounds === 1) queueMicrotask(() => queueMicrotask(() => loop.wake()));
    return undefined;
  });
  loop.wake();
  await loop.idle();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toBe(2);
});

it("D-04 the result of a round decides when the next one runs: immediately, later, or only when woken", async () => {
  const answers = [0, 0, 500, undefined, Number.POSITIVE_INFINITY];
  const begun = Date.now();
  const rounds: number[] = [];
  const loop = loopOf(
    async () => {
      rounds.push(Date.now() - begun);
      return answers[rounds.length - 1];
    },
    { intervalMs: 3000 },
  );
  loop.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rounds).toEqual([0, 0, 0, 500, 3500]);
});

it("D-04 does nothing while it may not run, and runs after a stop only when woken", async () => {
  let rounds = 0;
  let isAllowed = false;
  const loop = loopOf(async () => void rounds++ as undefined, { mayRun: () => isAllowed, intervalMs: 1000 });
  loop.wake();
  await vi.advanceTimersByTimeAsync(5000);
  expect(rounds).toBe(0);
  isAllowed = true;
  loop.wake();
  await vi.advanceTimersByTimeAsync(1500);
  expect(rounds).toBe(2);
  await loop.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(rounds).toBe(2);
  loop.wake();
  await loop.idle();
  expect(rounds).toBe(3);
});

it("D-04 exports, imports, connectors, schedules and events all use this loop", () => {
  const services = ["engine/export/runner", "collect/import-runner", "collect/connectors/runner"];
  for (const file of [...services, "collect/schedules/scheduler", "notify/notifier"])
    expect(readFileSync(new URL(`../${file}.ts`, import.meta.url), "utf8")).toContain("new JobLoop(");
});

it("P-07 retries soon after a temporary failure, then every few seconds, and logs it once", async () => {
  const rounds: number[] = [];
  const begun = Date.now();
  let isAway = true;
  const loop = loopOf(async () => {
    rounds.push(Date.now() - begun);
    if (isAway) throw away;
    return undefined;
  });
  loop.wake();
  await vi.advanceTimersByTimeAsync(10);
  // Woken too early.
  loop.wake();
  await vi.advanceTimersByTimeAsync(18_800);
  expect(rounds).toEqual([0, 100, 300, 800, 1800, 3800, 8800, 13_800, 18_800]);
  expect(said).toEqual(["jobs: the database cannot be reached (store_unavailable)"]);
  isAway = false;
  loop.worked();
  loop.failed(away);
  expect(said).toHaveLength(2);
  await loop.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rounds).toHaveLength(9);
});

it("P-07 logs a permanent failure and runs the next round at its usual time", async () => {
  let rounds = 0;
  const loop = loopOf(
    async () => {
      rounds++;
      throw new PdppError("storage_full", "the disk is full");
    },
    { intervalMs: 1000 },
  );
  loop.wake();
  await vi.advanceTimersByTimeAsync(999);
  expect([rounds, said.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect([rounds, said.length]).toEqual([2, 2]);
});

it("P-07 stops retrying a job after many temporary failures in a row, counting each job separately", () => {
  const { mayRetry, reset } = retryBudget();
  expect(Array.from({ length: 20 }, () => mayRetry("job_1"))).toEqual([...Array<boolean>(19).fill(true), false]);
  expect(mayRetry("job_2")).toBe(true);
  for (let times = 0; times < 18; times++) mayRetry("job_2");
  reset();
  expect(mayRetry("job_2")).toBe(true);
});
