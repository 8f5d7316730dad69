// Freshness and health of a connection: what is reported, and what the owner can do about it.
import { describe, expect, test } from "vitest";
import { type ConnectionCheck, freshnessOf, type HealthFacts, healthOf, type PlannedCheck } from "./freshness.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const HOUR = 3_600_000;
const hourly: PlannedCheck = { timing: { every_seconds: 3600 }, isPaused: false, nextAt: NOW + HOUR, failures: 0 };
const read = (ago: number): ConnectionCheck => ({ at: NOW - ago, ok: true, okAt: NOW - ago });

describe("P-01 freshness", () => {
  test("P-01 is current while checks run on schedule, stale if a check was missed, and unknown without a schedule", () => {
    const status = (check: ConnectionCheck | undefined, planned: PlannedCheck | undefined) =>
      freshnessOf(check, planned, NOW).status;
    expect(status(read(HOUR), hourly)).toBe("current");
    expect(status(read(1.4 * HOUR), hourly)).toBe("current");
    expect(status(read(1.6 * HOUR), hourly)).toBe("stale");
    expect(status(undefined, hourly)).toBe("stale");
    expect(status({ at: NOW, ok: false, okAt: NOW - 3 * HOUR }, hourly)).toBe("stale");
    expect(status({ at: NOW, ok: false, okAt: NOW - HOUR }, hourly)).toBe("current");
    expect(status(read(0), undefined)).toBe("unknown");
  });

  test("P-01 includes the times of the last and the next check", () => {
    expect(freshnessOf(read(HOUR), hourly, NOW)).toEqual({
      status: "current",
      checked_at: "2026-05-01T11:00:00.000Z",
      next_check_at: "2026-05-01T13:00:00.000Z",
    });
    expect(freshnessOf(undefined, { ...hourly, isPaused: true }, NOW)).toMatchObject({
      checked_at: null,
      next_check_at: null,
    });
  });
});

describe("P-01 health", () => {
  const facts: HealthFacts = {
    connectionId: "cin_1",
    kind: "connector",
    check: read(HOUR),
    planned: hourly,
    hasRecords: true,
  };
  const failed: ConnectionCheck = { at: NOW, ok: false, okAt: null, message: "wrong password" };
  test.each<[Partial<HealthFacts>, string, RegExp, RegExp | undefined]>([
    [{}, "ok", /^Up to date/, undefined],
    [{ question: "Code?" }, "waiting_for_you", /Code\?/, /pdpp connectors answer/],
    [{ check: failed }, "failing", /wrong password/, /pdpp connectors run cin_1/],
    [{ check: failed, planned: { ...hourly, failures: 3 } }, "failing", /3 times in a row/, /Fix that/],
    [{ planned: { ...hourly, isPaused: true } }, "paused", /paused/, /schedules resume/],
    [{ check: undefined }, "never_read", /not run yet/, /scheduled/],
    [{ check: read(9 * HOUR) }, "stale", /2026-05-01T03:00/, /server is running/],
    [{ planned: undefined }, "by_hand", /^Not scheduled\. Last updated at/, /schedules set cin_1/],
    [{ planned: undefined, check: undefined, kind: "disk" }, "never_read", /not run yet/, /schedules set/],
    [{ planned: undefined, kind: "hand" }, "by_hand", /^Not scheduled\. Last updated by an import\./, undefined],
    [{ planned: undefined, kind: "hand", hasRecords: false }, "never_read", /Nothing has been imported/, /pdpp import/],
  ])("P-01 for %j is %s", (other, verdict, words, next) => {
    const health = healthOf({ ...facts, ...other }, NOW);
    expect(health).toMatchObject({ verdict, words: expect.stringMatching(words) });
    if (next === undefined) expect(health.next_step).toBeUndefined();
    else expect(health.next_step).toMatch(next);
  });
});
