// How often the owner's password may be guessed: by one address, and by all of them together (SECURITY row 8).
import { addressKey, createLimiter } from "../../auth/rate-limit.ts";
import type { Exchange } from "../http/respond.ts";

export interface PasswordGuesses {
  /** Waiting time of this address, or nothing. */
  take(exchange: Exchange): number | undefined;
  /** Who knew the password was not guessing. */
  give(exchange: Exchange): void;
}

export function passwordGuesses(): PasswordGuesses {
  const byAddress = createLimiter({ points: 10, seconds: 300, now: Date.now });
  const byAll = createLimiter({ points: 50, seconds: 300, now: Date.now });
  return {
    take({ address }) {
      // Whoever is turned away by his address takes nothing from the rest: one cannot lock the owner out.
      const own = byAddress.take(addressKey(address));
      const taken = own.ok ? byAll.take("all") : own;
      return taken.ok ? undefined : taken.retryAfterSeconds;
    },
    give({ address }) {
      byAddress.give(addressKey(address));
      byAll.give("all");
    },
  };
}
