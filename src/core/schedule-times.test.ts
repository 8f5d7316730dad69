// When schedules are due: intervals, cron expressions in a time zone, jitter, backoff, and clocks that jump.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Timing } from "../contract/schedule.ts";
import { isTooFar, nextRun, plannedAfter, requireTiming } from "./schedule-times.ts";

const NOW = Date.parse("2026-03-28T20:00:00Z");
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const well = { failures: 0, chance: 0 };

describe("a schedule", () => {
  test("P-01 is due after its interval, or at the next time of its cron expression in its time zone, even across clock changes", () => {
    expect(nextRun({ every_seconds: 3600 }, NOW, well)).toBe(NOW + 60 * MINUTE);
    const morning = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };
    // 02:30 does not exist in Berlin that night, so the schedule runs when the clocks change.
    expect(new Date(plannedAfter(morning, NOW)).toISOString()).toBe("2026-03-29T01:00:00.000Z");
    expect(new Date(plannedAfter(morning, NOW + DAY)).toISOString()).toBe("2026-03-30T00:30:00.000Z");
  });

  test("P-01 has a jitter of at most a tenth of its interval, and never more than five minutes", () => {
    expect(nextRun({ every_seconds: 600 }, NOW, { failures: 0, chance: 1 })).toBe(NOW + 11 * MINUTE);
    expect(nextRun({ every_seconds: 86_400 }, NOW, { failures: 0, chance: 1 })).toBe(NOW + DAY + 5 * MINUTE);
  });

  test("P-01 is retried soon after a failure, then less and less often, but at least once a day", () => {
    const waits = [1, 2, 3, 4, 9, 60].map(
      (failures) => nextRun({ every_seconds: 3600 }, NOW, { failures, chance: 0 }) - NOW,
    );
    expect(waits).toEqual([5, 10, 20, 40, 1280, 1440].map((minutes) => minutes * MINUTE));
  });

  test("P-01 has a due time that is plausible to the clock that set it, and too far ahead for a clock that is two years behind", () => {
    const timings = fc.oneof(
      fc.record({ every_seconds: fc.integer({ min: 60, max: 40 * 86_400 }) }),
      fc.constantFrom({ cron: "*/30 * * * *" }, { cron: "0 6 * * 1", time_zone: "Asia/Tokyo" }, { cron: "@daily" }),
    );
    fc.assert(
      fc.property(
        timings,
        fc.nat(60),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (timing: Timing, failures, chance) => {
          const due = nextRun(timing, NOW, { failures, chance });
          expect(due).toBeGreaterThan(NOW);
          expect(isTooFar(timing, due, NOW)).toBe(false);
          expect(isTooFar(timing, due, NOW - 730 * DAY)).toBe(true);
        },
      ),
    );
  });

  test.each([
    [{}, /either every_seconds or cron/],
    [{ every_seconds: 60, cron: "@daily" }, /either every_seconds or cron/],
    [{ cron: "every day" }, /cannot be used/],
    [{ cron: "* * * * * *" }, /more often than once a minute/],
    [{ cron: "0 0 30 2 *" }, /never runs/],
    [{ cron: "@daily", time_zone: "Mars/Olympus" }, /no time zone "Mars\/Olympus"/],
  ])("refuses %j with an explanation", (timing, words) => {
    expect(() => requireTiming(timing)).toThrow(words);
  });
});
