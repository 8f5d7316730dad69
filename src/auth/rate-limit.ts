// Limits how often something may be tried for an owner, counted across all of that owner's servers (SECURITY row 8).
import { isIPv6 } from "node:net";
import { type SharedLimiter, sharedLimiter } from "../core/limiter.ts";
import type { Rate } from "../core/rate.ts";
import type { EngineHost } from "../engine/host.ts";

/** `host` is set if several processes serve the owner, so that they share one count. */
export function ownerLimiter(limit: string, rate: Rate, host: EngineHost | undefined): SharedLimiter {
  if (host === undefined) return sharedLimiter(rate, undefined);
  const count = async (key: string, back?: true): Promise<number | undefined> => {
    const query = { limit, key, ...rate, ...(back ? { back } : {}) };
    return (await host.call("countAttempt", query, { home: true })).wait_seconds;
  };
  return sharedLimiter(rate, { take: count, give: async (key) => void (await count(key, true)) });
}

/**
 * The rate-limit key for a caller's address. A caller with one IPv6 address usually controls the whole /64, so a /64
 * counts as one caller.
 */
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
