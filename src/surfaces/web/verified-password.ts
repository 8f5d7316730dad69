// Verifies the password again, for cases in which an open browser alone must not be enough.
import { verifyPassword } from "../../auth/password.ts";
import { PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import type { PasswordGuesses } from "./password-guesses.ts";

/** Verifies the given password and returns the stored hash. */
export async function verifiedPassword(
  host: EngineHost,
  guesses: PasswordGuesses,
  exchange: Exchange,
  given: string,
): Promise<string> {
  const wait = await guesses.take(exchange);
  if (wait !== undefined) {
    throw new PdppError("rate_limit_exceeded", "too many wrong passwords", {
      next_step: `Try again in ${wait} seconds.`,
    });
  }
  const { password } = await host.call("ownerAccount", {}, { home: true });
  if (password === undefined || !(await verifyPassword(given, password, exchange.origin)).ok) {
    throw new PdppError("authentication_error", "that is not your password", {
      next_step: "If you forgot it, run pdpp owner reset in the server's terminal.",
    });
  }
  await guesses.give(exchange);
  return password;
}
