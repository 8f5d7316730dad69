// The rate limiter: bursts, refill, waiting times and bounded memory, with a clock that the test controls.
import { describe, expect, it } from "vitest";
import { createLimiter } from "./limiter.ts";

const start = (options: { points: number; seconds: number; maxKeys?: number }) => {
  const clock = { time: 1_700_000_000_000 };
  const limiter = createLimiter({ ...options, now: () => clock.time });
  const takes = (key: string, times: number) => Array.from({ length: times }, () => limiter.take(key).ok);
  return { clock, limiter, takes };
};

describe("SECURITY row 8: the rate limiter", () => {
  it("allows a burst of the configured size, then says how long to wait", () => {
    const { limiter, takes } = start({ points: 5, seconds: 60 });
    expect(takes("a", 5)).toEqual(Array(5).fill(true));
    expect(limiter.take("a")).toEqual({ ok: false, retryAfterSeconds: 12 });
    expect(limiter.take("b")).toEqual({ ok: true });
  });

  it("allows a returned permit to be used again, once", () => {
    const { limiter, takes } = start({ points: 2, seconds: 60 });
    takes("a", 2);
    limiter.give("a");
    expect(takes("a", 2)).toEqual([true, false]);
  });

  it("refills evenly, so that waiting as long as indicated is enough and a second less is not", () => {
    const { clock, limiter, takes } = start({ points: 7, seconds: 60 });
    takes("a", 7);
    const refused = limiter.take("a");
    const wait = refused.ok ? 0 : refused.retryAfterSeconds;
    clock.time += (wait - 1) * 1000;
    expect(limiter.take("a").ok).toBe(false);
    clock.time += 1000;
    expect(takes("a", 2)).toEqual([true, false]);
    clock.time += 60_000;
    expect(takes("a", 8)).toEqual([...Array(7).fill(true), false]);
  });

  it("does not extend the wait if there are attempts during it", () => {
    const { clock, limiter, takes } = start({ points: 1, seconds: 10 });
    takes("a", 1);
    takes("a", 1000);
    clock.time += 10_000;
    expect(limiter.take("a").ok).toBe(true);
  });

  it("allows at most points + elapsed refills, no matter how the attempts are spread", () => {
    const { clock, limiter } = start({ points: 10, seconds: 100 });
    let passed = 0;
    for (let step = 0; step < 10_000; step++) {
      if (limiter.take("a").ok) passed++;
      clock.time += 97;
    }
    expect(passed).toBeLessThanOrEqual(10 + Math.ceil((10_000 * 97) / 10_000));
    expect(passed).toBeGreaterThanOrEqual(10 + Math.floor((9_999 * 97) / 10_000));
  });

  it("of 10,000 keys, remembers only a bounded number, and frees them when they expire", () => {
    const { clock, limiter } = start({ points: 5, seconds: 60, maxKeys: 500 });
    let passed = 0;
    for (let index = 0; index < 10_000; index++) if (limiter.take(`key ${index}`).ok) passed++;
    expect(limiter.size()).toBe(500);
    // Further keys share one bucket.
    expect(passed).toBe(500 + 5);
    clock.time += 60_000;
    expect(limiter.take("late").ok).toBe(true);
    expect(limiter.size()).toBe(1);
  });

  it("does not forget a limited key during a flood of others", () => {
    const { limiter, takes } = start({ points: 3, seconds: 60, maxKeys: 100 });
    takes("owner", 3);
    for (let index = 0; index < 10_000; index++) limiter.take(`made up ${index}`);
    expect(limiter.take("owner").ok).toBe(false);
  });
});
