// Decides when a failed delivery is retried and when a waiting event is due.
import { EVENTS } from "../contract/limits.ts";

const { retriesMs, jitter, triedForMs, challengeTries } = EVENTS;

/** No delay is longer than this, even if a receiver requests a longer one. */
const LONGEST_MS = retriesMs.at(-1)! * (1 + jitter);

/** `tries` is the number of failed attempts; `chance` is between 0 and 1. */
export function retryDelay(tries: number, chance: number, retryAfterSeconds?: number): number {
  const base = retriesMs[Math.min(Math.max(tries, 1), retriesMs.length) - 1]!;
  const delay = base * (1 - jitter + 2 * jitter * chance);
  return Math.round(Math.min(LONGEST_MS, Math.max(delay, (retryAfterSeconds ?? 0) * 1000)));
}

/** A due time further ahead than the longest delay must be from before the clock was set back. */
export const isDue = (dueAt: number, now: number): boolean => dueAt <= now || dueAt > now + LONGEST_MS;

/**
 * Returns true if an event that failed again gets no further attempt. Time is counted from the first attempt, not from
 * the event's creation, so that an event still gets one more attempt after a server outage.
 */
export function isGivenUp(
  type: "change" | "challenge" | "test",
  tries: number,
  firstTryAt: number,
  now: number,
): boolean {
  if (type === "test") return true;
  if (type === "challenge") return tries >= challengeTries;
  return now - firstTryAt >= triedForMs;
}

/** Parses a number of seconds or a date (RFC 9110). */
export function retryAfterSeconds(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
