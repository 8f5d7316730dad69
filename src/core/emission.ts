// Decides when a record was emitted: at the producer's time, unless that is implausible.
import type { JsonValue } from "../contract/json.ts";

const DAY_MS = 86_400_000;
/** Times this close to each other count as equal, because producers drop fractions of a second. */
const SAME_MS = 1000;

/**
 * Keeps the producer's time, unless one of two reasons makes the time of arrival the better choice (G-02). First, the
 * time may repeat a field of the record, so that an app that may not see that field would read its value in the
 * envelope. Second, it may be in 1970, because the clock was never set or the producer had no time.
 */
export function emissionTime(claimed: number, data: JsonValue | undefined, arrived: number): number {
  return isEmission(claimed, data) ? claimed : arrived;
}

function isEmission(claimed: number, data: JsonValue | undefined): boolean {
  return claimed >= DAY_MS && (data === undefined || !repeats(data, claimed));
}

function repeats(value: JsonValue, time: number): boolean {
  if (typeof value === "string") return isSame(timeIn(value), time);
  if (typeof value === "number") return isSame(value, time) || isSame(value * 1000, time) || isSame(value / 1000, time);
  if (value === null || typeof value !== "object") return false;
  for (const name in value) if (repeats((value as Record<string, JsonValue>)[name]!, time)) return true;
  return false;
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < SAME_MS;

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;
/** Enough for a time with nanoseconds and an offset. */
const TIME_CHARS_MAX = 40;

/** Returns a date, or a date and time, in ms; without an offset it is read as UTC. Returns NaN for anything else. */
function timeIn(text: string): number {
  if (text.length < 10 || text.length > TIME_CHARS_MAX) return Number.NaN;
  const first = text.charCodeAt(0);
  if (first < 0x30 || first > 0x39) return Number.NaN;
  const [, day, clock = "00:00", offset = "Z"] = TIME.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  return Date.parse(`${day}T${clock}${offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`);
}
