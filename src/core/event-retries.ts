// When a failed delivery is tried again, and when a waiting event is due.
import { EVENTS } from "../contract/limits.ts";

const { retriesMs, jitter, triedForMs, challengeTries } = EVENTS;

/** No delay is longer than this, whatever a receiver asks for. */
const LONGEST_MS = retriesMs.at(-1)! * (1 + jitter);

/** `tries`: how many attempts have failed; `chance` is between 0 and 1. */
export function retryDelay(tries: number, chance: number, retryAfterSeconds?: number): number {
  const base = retriesMs[Math.min(Math.max(tries, 1), retriesMs.length) - 1]!;
  const delay = base * (1 - jitter + 2 * jitter * chance);
  return Math.round(Math.min(LONGEST_MS, Math.max(delay, (retryAfterSeconds ?? 0) * 1000)));
}

/** A time further ahead than the longest delay was written before the clock was set back. */
export const isDue = (dueAt: number, now: number): boolean => dueAt <= now || dueAt > now + LONGEST_MS;

/**
 * Whether an event that failed again is given up. Time counts from the first attempt, not from its creation: after an
 * outage of the server it still gets one more attempt.
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

/** A number of seconds, or a date (RFC 9110). */
export function retryAfterSeconds(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
