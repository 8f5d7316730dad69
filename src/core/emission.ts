// When a record was emitted: the producer's time, unless it cannot be a time of emission.
import type { JsonValue } from "../contract/json.ts";

const DAY_MS = 86_400_000;
/** Times this close count as equal: producers drop fractions of a second. */
const SAME_MS = 1000;

/**
 * The producer's time is kept, with two exceptions, where the time of arrival replaces it (G-02):
 * - it repeats a field of the record. An app that may not see that field would read its value in the envelope.
 * - it is in 1970: the clock was never set, or the producer had no time.
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
/** The length of a time with nanoseconds and an offset. */
const TIME_CHARS_MAX = 40;

/** A date, or a date and time, in ms; without an offset it is read as UTC. NaN if it is neither. */
function timeIn(text: string): number {
  if (text.length < 10 || text.length > TIME_CHARS_MAX) return Number.NaN;
  const first = text.charCodeAt(0);
  if (first < 0x30 || first > 0x39) return Number.NaN;
  const [, day, clock = "00:00", offset = "Z"] = TIME.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  return Date.parse(`${day}T${clock}${offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`);
}
