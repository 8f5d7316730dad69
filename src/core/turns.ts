// How often something may be tried: one number says all of a bucket of turns, when it will be full again (GCRA).

export interface Turns {
  /** So many at once, refilled evenly over so many seconds. */
  points: number;
  seconds: number;
}

/** The number after one more turn, or how long to wait for it. */
export function takeTurn(
  fullAt: number | undefined,
  now: number,
  { points, seconds }: Turns,
): { fullAt: number } | { waitSeconds: number } {
  const period = seconds * 1000;
  const next = Math.max(fullAt ?? 0, now) + period / points;
  const wait = next - now - period;
  // Half a millisecond of grace: fractions do not add up exactly.
  return wait > 0.5 ? { waitSeconds: Math.ceil(wait / 1000) } : { fullAt: next };
}

export const giveTurn = (fullAt: number, { points, seconds }: Turns): number => fullAt - (seconds * 1000) / points;
