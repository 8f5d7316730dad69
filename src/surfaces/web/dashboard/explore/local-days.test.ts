// Tests days of the owner's calendar: their boundaries as instants, and buckets with their names.

import { describe, expect, it } from "vitest";
import { startOfDay } from "../../../../core/start-of-day.ts";
import { timeBuckets } from "../../../../core/time-buckets.ts";
import { bucketWords, type CalendarStep, DAY_MS, dayAt, labelOf, nextLabel, periodOf } from "./local-days.ts";

const ZONES = [
  "UTC",
  "Europe/Dublin",
  "America/New_York",
  "Asia/Kolkata",
  "Pacific/Auckland",
  "America/Santiago",
  "Africa/Cairo",
];

describe("a day in a time zone", () => {
  it.each(ZONES)("begins at the first instant of its bucket, on every day of two years in %s", (zone) => {
    const bucketAt = timeBuckets("day", zone);
    for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2026, 0, 1); at += DAY_MS) {
      const day = new Date(at).toISOString().slice(0, 10);
      const start = startOfDay(day, zone);
      expect([day, bucketAt(start).key, bucketAt(start - 1).key < at]).toEqual([day, at, true]);
      expect(dayAt(start, zone)).toBe(day);
    }
  });
});

describe("a bucket", () => {
  it.each<[CalendarStep, string, string, string, string, string]>([
    ["day", "2024-02-28", "2024-02-29", "2024-02-28", "2024-02-28", "28 Feb 2024"],
    ["week", "2024-12-30", "2025-01-06", "2024-12-30", "2025-01-05", "week of 30 Dec 2024"],
    ["month", "2024-02", "2024-03", "2024-02-01", "2024-02-29", "Feb 2024"],
    ["quarter", "2024-Q4", "2025-Q1", "2024-10-01", "2024-12-31", "Q4 2024"],
    ["year", "2024", "2025", "2024-01-01", "2024-12-31", "2024"],
  ])("of one %s has a successor, days, and a name", (step, label, next, since, until, words) => {
    expect(nextLabel(step, label)).toBe(next);
    expect(periodOf(step, label)).toEqual({ since, until });
    expect(labelOf(step, since)).toBe(label);
    expect(labelOf(step, until)).toBe(label);
    expect(bucketWords(step, label)).toBe(words);
  });
});
