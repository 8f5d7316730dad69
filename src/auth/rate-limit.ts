// How often something may be tried: a token bucket per key, in bounded memory (SECURITY row 8).
import { isIPv6 } from "node:net";
import { giveTurn, type Turns, takeTurn } from "../core/turns.ts";
import type { EngineHost } from "../engine/host.ts";

interface LimiterOptions extends Turns {
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
  const turns = { points, seconds };
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
      const taken = takeTurn(shares ? sharedFullAt : fullAt.get(key), time, turns);
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
      if (full === undefined) sharedFullAt = giveTurn(sharedFullAt, turns);
      else fullAt.set(key, giveTurn(full, turns));
    },
    size: () => fullAt.size,
  };
}

/** Of one process, or of all that serve the same owner. */
export interface SharedLimiter {
  take(key: string): Promise<Taken>;
  give(key: string): Promise<void>;
}

/**
 * Counted in the store as well when several processes serve an owner. What one process alone turns away never gets that
 * far: a flood does not become the database's.
 */
export function sharedLimiter(limit: string, turns: Turns, shared: EngineHost | undefined): SharedLimiter {
  const own = createLimiter({ ...turns, now: Date.now });
  const count = async (key: string, back?: true): Promise<number | undefined> => {
    const query = { limit, key, ...turns, ...(back ? { back } : {}) };
    const body = await shared!.call("countTurn", query, { home: true });
    return (JSON.parse(body) as { wait_seconds?: number }).wait_seconds;
  };
  return {
    async take(key) {
      const taken = own.take(key);
      if (!taken.ok || shared === undefined) return taken;
      const wait = await count(key);
      return wait === undefined ? taken : { ok: false, retryAfterSeconds: wait };
    },
    async give(key) {
      own.give(key);
      if (shared !== undefined) await count(key, true);
    },
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
