// Calendar buckets for instants in any time zone, from minute to year, by local time. Fast enough for millions of
// instants.
import type { Granularity } from "../contract/read.ts";
import { offsetSpans } from "./zone-offsets.ts";

/**
 * A bucket is identified by the local time at which it starts, in milliseconds of a clock without a zone
 * ("2024-03-05T10:00" is Date.UTC(2024, 2, 5, 10) in every zone). Two instants with the same local label share a
 * bucket, even in the hour that a clock change repeats.
 */
export interface Bucket {
  key: number;
  /** Instants with from <= t < to are certainly in this bucket; others may be too. */
  from: number;
  to: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 1970-01-01 was a Thursday, so weeks that start on Monday are shifted by three days. */
const MONDAY = 3 * DAY;

/** How many buckets each function caches, so that instants in random order cost one lookup. */
const CACHED_BUCKETS = 4096;
const STRIDE: Record<Granularity, number> = {
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: DAY,
  month: DAY,
  quarter: DAY,
  year: DAY,
};

/**
 * Returns a function from instants to buckets. Throws a RangeError for a time zone that the runtime does not support.
 */
export function timeBuckets(granularity: Granularity, timeZone: string): (instant: number) => Bucket {
  const offsetAt = offsetSpans(timeZone);
  const stride = STRIDE[granularity];
  const cached: (Bucket | undefined)[] = new Array(CACHED_BUCKETS).fill(undefined);
  return (instant) => {
    const slot = Math.floor(instant / stride) & (CACHED_BUCKETS - 1);
    const known = cached[slot];
    if (known && instant >= known.from && instant < known.to) return known;
    const { offset, from, to } = offsetAt(instant);
    const [key, end] = localBucket(granularity, instant + offset);
    const bucket = { key, from: Math.max(from, key - offset), to: Math.min(to, end - offset) };
    cached[slot] = bucket;
    return bucket;
  };
}

/** Returns the start and end of the bucket that contains a local time. */
function localBucket(granularity: Granularity, local: number): [start: number, end: number] {
  switch (granularity) {
    case "minute":
      return fixed(local, MINUTE, 0);
    case "hour":
      return fixed(local, HOUR, 0);
    case "day":
      return fixed(local, DAY, 0);
    case "week":
      return fixed(local, 7 * DAY, MONDAY);
    case "month":
      return months(local, 1);
    case "quarter":
      return months(local, 3);
    case "year":
      return months(local, 12);
  }
}

function fixed(local: number, length: number, shift: number): [number, number] {
  const start = Math.floor((local + shift) / length) * length - shift;
  return [start, start + length];
}

function months(local: number, count: number): [number, number] {
  const date = new Date(local);
  const year = date.getUTCFullYear();
  const first = Math.floor(date.getUTCMonth() / count) * count;
  return [monthStart(year, first), monthStart(year, first + count)];
}

function monthStart(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1); // Date.UTC would read the years 0 to 99 as 19xx.
}

/** Returns the label of a bucket: `2024-03-05T10:15`, `2024-03-05T10`, `2024-03-05`, `2024-03`, `2024-Q1`, `2024`. */
export function bucketLabel(granularity: Granularity, key: number): string {
  const text = new Date(key).toISOString();
  const [day, time] = [text.slice(0, text.indexOf("T")), text.slice(text.indexOf("T"))];
  switch (granularity) {
    case "minute":
      return day + time.slice(0, 6);
    case "hour":
      return day + time.slice(0, 3);
    case "day":
    case "week":
      return day;
    case "month":
      return day.slice(0, -3);
    case "quarter":
      return `${day.slice(0, -6)}-Q${Math.floor(new Date(key).getUTCMonth() / 3) + 1}`;
    case "year":
      return day.slice(0, -6);
  }
}
