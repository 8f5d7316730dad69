// After a failure that passes: again soon, then less often, not earlier than that, and not for ever for one job.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PdppError } from "../contract/errors.ts";
import { lookAgain, patience } from "./look-again.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const away = new PdppError("store_unavailable", "the database cannot be reached");

it("P-07 looks again soon, then every few seconds, and says so once", () => {
  const woken: number[] = [];
  const said: string[] = [];
  const begun = Date.now();
  const again = lookAgain(
    () => {
      woken.push(Date.now() - begun);
      expect(again.isWaiting).toBe(false);
      if (woken.length < 8) again.failed(away);
    },
    (text) => said.push(text),
  );
  again.failed(away);
  expect(again.isWaiting).toBe(true);
  again.failed(away);
  vi.advanceTimersByTime(60_000);
  expect(woken).toEqual([100, 300, 800, 1800, 3800, 8800, 13_800, 18_800]);
  expect(said).toHaveLength(1);
  again.worked();
  again.failed(away);
  expect(said).toHaveLength(2);
  again.stop();
  vi.advanceTimersByTime(60_000);
  expect(woken).toHaveLength(8);
});

it("P-07 what does not pass is said, and not looked at again", () => {
  const said: string[] = [];
  const again = lookAgain(
    () => expect.unreachable(),
    (text) => said.push(text),
  );
  again.failed(new PdppError("storage_full", "the disk is full"));
  vi.advanceTimersByTime(60_000);
  expect([said.length, again.isWaiting]).toEqual([1, false]);
});

it("P-07 one job that meets nothing else in a row has met something that lasts; another one has its own patience", () => {
  const { lasts, renew } = patience();
  expect(Array.from({ length: 20 }, () => lasts("job_1"))).toEqual([...Array<boolean>(19).fill(true), false]);
  expect(lasts("job_2")).toBe(true);
  for (let times = 0; times < 18; times++) lasts("job_2");
  renew();
  expect(lasts("job_2")).toBe(true);
});
