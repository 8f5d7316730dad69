// Dates in queries: `after:2024-05`, `before:2024-05-01`, `from:2024-05-01`, `to:2024-06`.
import { parseDay, parseInstant } from "../instant.ts";
import type { TimeRange } from "./query.ts";

/**
 * `after`, `since` and `from` start the range with the given period. `before` ends the range where the period starts;
 * `until` and `to` include the period. Mail has fields called from and to, so these two are dates only if the value has
 * at least a month and therefore cannot be a word.
 */
const EDGES: Record<string, { edge: keyof TimeRange; whole: boolean; yearAlone: boolean }> = {
  after: { edge: "since", whole: false, yearAlone: true },
  since: { edge: "since", whole: false, yearAlone: true },
  from: { edge: "since", whole: false, yearAlone: false },
  before: { edge: "until", whole: false, yearAlone: true },
  until: { edge: "until", whole: true, yearAlone: true },
  to: { edge: "until", whole: true, yearAlone: false },
};

/** Returns true if `name:` can only mean a date, regardless of what follows. */
export const namesDate = (name: string): boolean =>
  Object.hasOwn(EDGES, name.toLowerCase()) && EDGES[name.toLowerCase()]!.yearAlone;

/** Returns the range for `name:value`, or undefined if it is not a date filter. */
export function parseTimeFilter(name: string, value: string): TimeRange | undefined {
  const rule = Object.hasOwn(EDGES, name.toLowerCase()) ? EDGES[name.toLowerCase()] : undefined;
  if (!rule || (!rule.yearAlone && /^\d{4}$/.test(value))) return undefined;
  const period = parsePeriod(value);
  return period && { [rule.edge]: rule.whole ? period.end : period.start };
}

/** Returns the intersection of both ranges. */
export function narrow(range: TimeRange | undefined, other: TimeRange): TimeRange {
  const since = Math.max(range?.since ?? Number.NEGATIVE_INFINITY, other.since ?? Number.NEGATIVE_INFINITY);
  const until = Math.min(range?.until ?? Number.POSITIVE_INFINITY, other.until ?? Number.POSITIVE_INFINITY);
  return {
    ...(since > Number.NEGATIVE_INFINITY ? { since } : {}),
    ...(until < Number.POSITIVE_INFINITY ? { until } : {}),
  };
}

/** Parses a year, month, day (UTC) or instant. The period of an instant is one millisecond. */
function parsePeriod(text: string): { start: number; end: number } | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text) ?? [];
  if (year === undefined) {
    const instant = parseInstant(text);
    return instant === undefined ? undefined : { start: instant, end: instant + 1 };
  }
  const start = parseDay(`${year}-${(month ?? "1").padStart(2, "0")}-${(day ?? "1").padStart(2, "0")}`);
  if (start === undefined) return undefined;
  const end = new Date(start);
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1);
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCFullYear(end.getUTCFullYear() + 1);
  return { start, end: end.getTime() };
}
