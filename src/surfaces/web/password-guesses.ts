// Limits guesses of the owner's password (SECURITY row 8): per address, for all addresses together, and separately for
// browsers in which the owner has signed in before. Guesses from elsewhere therefore cannot lock those browsers out
// (G-12).
import { addressKey, ownerLimiter } from "../../auth/rate-limit.ts";
import type { SharedLimiter } from "../../core/limiter.ts";
import { hashToken } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { browserOf } from "./visitor.ts";

export interface PasswordGuesses {
  /** Returns how many seconds this caller has to wait, or undefined if it may try now. */
  take(exchange: Exchange): Promise<number | undefined>;
  /** Called if the password was right, so that it does not count as a guess. */
  give(exchange: Exchange): Promise<void>;
}

export interface PasswordGuessesOptions {
  secret: () => Promise<string>;
  /** Set if several processes serve this owner and share their counters. */
  shared?: EngineHost;
  /** Counts attempts per address at the sign-in pages of all owners hosted here. */
  signIns?: SharedLimiter;
}

export function passwordGuesses({ secret, shared, signIns }: PasswordGuessesOptions): PasswordGuesses {
  const byBrowser = ownerLimiter("password by browser", { points: 10, seconds: 300 }, shared);
  const byAddress = ownerLimiter("password by address", { points: 10, seconds: 300 }, shared);
  const byAll = ownerLimiter("password", { points: 50, seconds: 300 }, shared);
  /** A browser is recognised by its key and its cookie, which no other server receives (G-03). */
  const browserKey = async (exchange: Exchange): Promise<string | undefined> => {
    const browser = browserOf(exchange, await secret());
    return browser && hashToken(browser);
  };
  return {
    async take(exchange) {
      const browser = await browserKey(exchange);
      const address = addressKey(exchange.address);
      if (browser !== undefined) {
        const own = await byBrowser.take(browser);
        return own.ok ? undefined : own.retryAfterSeconds;
      }
      // A caller that is refused because of its address does not use up the shared limit.
      const own = await byAddress.take(address);
      const here = own.ok && signIns !== undefined ? await signIns.take(address) : own;
      const taken = here.ok ? await byAll.take("all") : here;
      return taken.ok ? undefined : taken.retryAfterSeconds;
    },
    async give(exchange) {
      const browser = await browserKey(exchange);
      if (browser !== undefined) return void (await byBrowser.give(browser));
      const address = addressKey(exchange.address);
      await signIns?.give(address);
      await byAddress.give(address);
      await byAll.give("all");
    },
  };
}
