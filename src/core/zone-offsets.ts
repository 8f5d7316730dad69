// The UTC offset of a time zone at an instant, and how long it applies. It is computed once per year and cached.

export interface OffsetSpan {
  /** Local time minus UTC, in milliseconds. */
  offset: number;
  /** The offset applies for from <= t < to, and perhaps beyond. */
  from: number;
  to: number;
}

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const YEAR = 365.25 * DAY;
/** No zone has ever changed its offset and changed it back within such a short time. */
const STEP = 10 * DAY;

/** Limits for cached zones and years, so that hostile queries cannot make the cache grow without bound. */
const ZONES_MAX = 64;
const YEARS_MAX = 2000;

const ALWAYS_UTC: OffsetSpan = { offset: 0, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const zones = new Map<string, (instant: number) => OffsetSpan>();

/** Throws a RangeError if the runtime does not support the zone. */
export function offsetSpans(timeZone: string): (instant: number) => OffsetSpan {
  const known = zones.get(timeZone);
  if (known) return known;
  const spans = /^(UTC|GMT|Etc\/UTC|Z)$/i.test(timeZone) ? () => ALWAYS_UTC : zoneSpans(timeZone);
  const oldest = zones.keys().next().value;
  if (zones.size >= ZONES_MAX && oldest !== undefined) zones.delete(oldest);
  zones.set(timeZone, spans);
  return spans;
}

function zoneSpans(timeZone: string): (instant: number) => OffsetSpan {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offsetAt = (instant: number) => parseOffset(format.format(instant));
  const years = new Map<number, OffsetSpan[]>();
  return (instant) => {
    const year = Math.floor(instant / YEAR);
    let spans = years.get(year);
    if (!spans) {
      spans = spansBetween(offsetAt, year * YEAR, (year + 1) * YEAR);
      if (years.size >= YEARS_MAX) years.clear();
      years.set(year, spans);
    }
    return spans.find((span) => instant < span.to)!;
  };
}

function spansBetween(offsetAt: (instant: number) => number, start: number, end: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  let from = start;
  let offset = offsetAt(start);
  for (let at = start; at < end; ) {
    const next = Math.min(end, at + STEP);
    const later = offsetAt(next);
    if (later !== offset) {
      const change = firstWithOther(offsetAt, offset, at, next);
      // A change exactly at the end belongs to the next year.
      if (change < end) {
        spans.push({ offset, from, to: change });
        from = change;
        offset = offsetAt(change);
        at = change;
        continue;
      }
    }
    at = next;
  }
  spans.push({ offset, from, to: end });
  return spans;
}

/** Returns the first whole second with a different offset, given that the offset differs at `to`. */
function firstWithOther(offsetAt: (instant: number) => number, offset: number, from: number, to: number): number {
  let low = Math.floor(from / SECOND);
  let high = Math.ceil(to / SECOND);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * SECOND) === offset) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

/** Parses strings such as `3/5/2024, GMT+05:30`; plain `GMT` means offset 0. */
function parseOffset(text: string): number {
  const parts = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (!parts?.[1]) return 0;
  const seconds = Number(parts[2]) * 3600 + Number(parts[3]) * 60 + Number(parts[4] ?? 0);
  return (parts[1] === "+" ? seconds : -seconds) * SECOND;
}
