// Computes when a schedule is due next: by its interval or cron expression, with jitter, and with backoff while it
// fails.
import { Cron } from "croner";
import { PdppError } from "../contract/errors.ts";
import { SCHEDULE } from "../contract/limits.ts";
import type { Timing } from "../contract/schedule.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Spreads runs, so that not all sources are queried in the same second. */
const JITTER_SHARE = 0.1;
const JITTER_MAX = 5 * MINUTE;
const FIRST_RETRY = 5 * MINUTE;

export function requireTiming({ every_seconds, cron, time_zone }: Timing): void {
  if ((every_seconds === undefined) === (cron === undefined)) {
    throw new PdppError("invalid_request", "specify either every_seconds or cron", {
      param: "every_seconds",
      next_step: 'Use every_seconds: 3600, or cron: "0 6 * * *" with a time_zone.',
    });
  }
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    throw new PdppError("invalid_request", `there is no time zone ${JSON.stringify(time_zone)}`, {
      param: "time_zone",
      next_step: "Use an IANA name such as Europe/Berlin, America/New_York or UTC.",
    });
  }
  if (cron === undefined) return;
  const [first, second] = cronOf(cron, time_zone).nextRuns(2);
  if (first === undefined) throw badCron(cron, "it never runs");
  if (second !== undefined && second.getTime() - first.getTime() < SCHEDULE.shortestSeconds * 1000)
    throw badCron(cron, "it runs more often than once a minute");
}

function cronOf(expression: string, time_zone: string | undefined): Cron {
  try {
    return new Cron(expression, { paused: true, ...(time_zone === undefined ? {} : { timezone: time_zone }) });
  } catch (error) {
    throw badCron(expression, (error as Error).message);
  }
}

const badCron = (expression: string, why: string): PdppError =>
  new PdppError("invalid_request", `the cron expression ${JSON.stringify(expression)} cannot be used: ${why}`, {
    param: "cron",
    next_step:
      'Five fields: minute hour day month weekday. "0 6 * * *" is six in the morning, "*/30 * * * *" every half hour.',
  });

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the first scheduled time after `now`, without jitter. */
export function plannedAfter({ every_seconds, cron, time_zone }: Timing, now: number): number {
  if (every_seconds !== undefined) return now + every_seconds * 1000;
  const next = cronOf(cron!, time_zone).nextRun(new Date(now));
  // A schedule that never runs again is checked once a year, in case the owner changes it.
  return next?.getTime() ?? now + 366 * DAY;
}

export interface RetryState {
  /** Consecutive failures. */
  failures: number;
  /** Random, from 0 to 1. */
  chance: number;
}

/** Counts from now, so that missed runs are made up for only once. */
export function nextRun(timing: Timing, now: number, { failures, chance }: RetryState): number {
  const planned = plannedAfter(timing, now);
  const at = failures === 0 ? planned : now + retryAfter(failures);
  return at + Math.round(chance * Math.min(JITTER_MAX, (at - now) * JITTER_SHARE));
}

/** The first retry is soon, because many failures are temporary; the delay then doubles each time. */
const retryAfter = (failures: number): number => Math.min(DAY, FIRST_RETRY * 2 ** Math.min(failures - 1, 20));

/** Returns true if the due time is so far ahead that the clock must have been set back since. */
export function isTooFar(timing: Timing, dueAt: number, now: number): boolean {
  return dueAt > Math.max(plannedAfter(timing, now), now + DAY) + JITTER_MAX;
}
