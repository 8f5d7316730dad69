// Rate limits by GCRA: a token bucket in one number, the time at which the bucket will be full again.

export interface Rate {
  /** The size of a burst, which refills evenly over this many seconds. */
  points: number;
  seconds: number;
}

/** Returns the new `fullAt` after one more attempt, or how long to wait. */
export function takePermit(
  fullAt: number | undefined,
  now: number,
  { points, seconds }: Rate,
): { fullAt: number } | { waitSeconds: number } {
  const period = seconds * 1000;
  const next = Math.max(fullAt ?? 0, now) + period / points;
  const wait = next - now - period;
  // Half a millisecond is tolerated for rounding errors.
  return wait > 0.5 ? { waitSeconds: Math.ceil(wait / 1000) } : { fullAt: next };
}

export const returnPermit = (fullAt: number, { points, seconds }: Rate): number => fullAt - (seconds * 1000) / points;
