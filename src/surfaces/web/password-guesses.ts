// How often the owner's password may be guessed: by one address, and by all of them together (SECURITY row 8).
import { addressKey, ownerLimiter } from "../../auth/rate-limit.ts";
import type { SharedLimiter } from "../../core/limiter.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";

export interface PasswordGuesses {
  /** Waiting time of this address, or nothing. */
  take(exchange: Exchange): Promise<number | undefined>;
  /** Who knew the password was not guessing. */
  give(exchange: Exchange): Promise<void>;
}

/** `shared`: where several processes count together. `doors`: one address at the doors of all owners that are hosted here. */
export function passwordGuesses(shared?: EngineHost, doors?: SharedLimiter): PasswordGuesses {
  const byAddress = ownerLimiter("password by address", { points: 10, seconds: 300 }, shared);
  const byAll = ownerLimiter("password", { points: 50, seconds: 300 }, shared);
  return {
    async take({ address }) {
      // Whoever is turned away by his address takes nothing from the rest: one cannot lock the owner out.
      const own = await byAddress.take(addressKey(address));
      const here = own.ok && doors !== undefined ? await doors.take(addressKey(address)) : own;
      const taken = here.ok ? await byAll.take("all") : here;
      return taken.ok ? undefined : taken.retryAfterSeconds;
    },
    async give({ address }) {
      await doors?.give(addressKey(address));
      await byAddress.give(addressKey(address));
      await byAll.give("all");
    },
  };
}
