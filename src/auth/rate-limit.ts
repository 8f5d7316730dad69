// How often something may be tried: a token bucket per key, in bounded memory (SECURITY row 8).
import { isIPv6 } from "node:net";

interface LimiterOptions {
  /** So many at once, refilled evenly over so many seconds. */
  points: number;
  seconds: number;
  /** Milliseconds. */
  now: () => number;
  maxKeys?: number;
}

type Taken = { ok: true } | { ok: false; retryAfterSeconds: number };

interface Limiter {
  take: (key: string) => Taken;
  /** Gives one back: it turned out not to be what is limited. */
  give: (key: string) => void;
  /** How many keys are remembered. */
  size: () => number;
}

/**
 * Keeps one number per key: when its bucket will be full again (GCRA). A full bucket needs no memory. When every
 * remembered bucket is in use, newcomers share one: forgetting a bucket instead would let a flood of made-up keys
 * reset the limit of the key that it attacks.
 */
export function createLimiter({ points, seconds, now, maxKeys = 10_000 }: LimiterOptions): Limiter {
  const period = seconds * 1000;
  const price = period / points;
  /** In the order of the last take, so that those which are full again gather at the front. */
  const fullAt = new Map<string, number>();
  let sharedFullAt = 0;

  const forgetFull = (time: number): void => {
    for (const [key, full] of fullAt) {
      if (full > time) return;
      fullAt.delete(key);
    }
  };

  return {
    take: (key) => {
      const time = now();
      if (!fullAt.has(key) && fullAt.size >= maxKeys) forgetFull(time);
      const shares = !fullAt.has(key) && fullAt.size >= maxKeys;
      const full = Math.max((shares ? sharedFullAt : fullAt.get(key)) ?? 0, time) + price;
      const wait = full - time - period;
      // Half a millisecond of grace: fractions do not add up exactly.
      if (wait > 0.5) return { ok: false, retryAfterSeconds: Math.ceil(wait / 1000) };
      if (shares) sharedFullAt = full;
      else {
        fullAt.delete(key);
        fullAt.set(key, full);
      }
      return { ok: true };
    },
    give: (key) => {
      const full = fullAt.get(key);
      if (full === undefined) sharedFullAt -= price;
      else fullAt.set(key, full - price);
    },
    size: () => fullAt.size,
  };
}

/** The key of a caller's address. Whoever has one IPv6 address has its whole /64, so that counts as one caller. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = [], tail = []] = address
    .replace(/%.*$/, "")
    .split("::")
    .map((side) => (side === "" ? [] : side.split(":")));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  const network = [...head, ...zeros, ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
