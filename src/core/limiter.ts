// A rate limiter with a token bucket per key, in bounded memory. It can be shared between processes if several serve an
// owner.
import { type Rate, returnPermit, takePermit } from "./rate.ts";

interface LimiterOptions extends Rate {
  /** Milliseconds. */
  now: () => number;
  maxKeys?: number;
}

type PermitResult = { ok: true } | { ok: false; retryAfterSeconds: number };

interface Limiter {
  take: (key: string) => PermitResult;
  /** Gives back one permit, for an attempt that turned out not to count. */
  give: (key: string) => void;
  /** The number of remembered keys. */
  size: () => number;
}

/**
 * Keeps one number per key: when its bucket will be full again (GCRA). A full bucket needs no memory. If every
 * remembered bucket is in use, new keys share one. Forgetting a bucket instead would let a flood of made-up keys reset
 * the limit of the attacked key.
 */
export function createLimiter({ points, seconds, now, maxKeys = 10_000 }: LimiterOptions): Limiter {
  const rate = { points, seconds };
  /** Ordered by last use, so that full buckets are at the front. */
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
      const taken = takePermit(shares ? sharedFullAt : fullAt.get(key), time, rate);
      if ("waitSeconds" in taken) return { ok: false, retryAfterSeconds: taken.waitSeconds };
      const full = taken.fullAt;
      if (shares) sharedFullAt = full;
      else {
        fullAt.delete(key);
        fullAt.set(key, full);
      }
      return { ok: true };
    },
    give: (key) => {
      const full = fullAt.get(key);
      if (full === undefined) sharedFullAt = returnPermit(sharedFullAt, rate);
      else fullAt.set(key, returnPermit(full, rate));
    },
    size: () => fullAt.size,
  };
}

/** A limiter for one process, or for several processes that count together. */
export interface SharedLimiter {
  take(key: string): Promise<PermitResult>;
  give(key: string): Promise<void>;
}

/** A count that several processes share. */
export interface SharedCount {
  /** Resolves to the seconds to wait, or to undefined if the attempt is allowed. */
  take(key: string): Promise<number | undefined>;
  give(key: string): Promise<void>;
}

/** Requests that a process itself refuses never reach the shared count, so a flood does not hit the database. */
export function sharedLimiter(rate: Rate, shared: SharedCount | undefined): SharedLimiter {
  const own = createLimiter({ ...rate, now: Date.now });
  return {
    async take(key) {
      const taken = own.take(key);
      if (!taken.ok || shared === undefined) return taken;
      const wait = await shared.take(key);
      return wait === undefined ? taken : { ok: false, retryAfterSeconds: wait };
    },
    async give(key) {
      own.give(key);
      await shared?.give(key);
    },
  };
}
