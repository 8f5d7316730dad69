// Asks for the password again before an action that creates lasting access, and then goes on with that very action (G-04).
import { PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { sentence } from "./format.ts";
import type { Layout } from "./layout.ts";
import { page } from "./page-response.ts";
import { confirmPasswordPage } from "./pages/confirm-password.ts";
import type { PasswordGuesses } from "./password-guesses.ts";
import { presentPassword } from "./present-password.ts";
import type { SignedIn } from "./visitor.ts";

const FIELD = "confirm_password";

/** Takes the password out of a form, if the owner was asked for it, and notes that it was entered. */
export async function takePassword(
  { host, guesses }: { host: EngineHost; guesses: PasswordGuesses },
  exchange: Exchange,
  owner: SignedIn,
  form: URLSearchParams,
): Promise<void> {
  const given = form.get(FIELD);
  if (given === null) return;
  form.delete(FIELD);
  try {
    const checked = await presentPassword(host, guesses, exchange, given);
    await host.call("enterPassword", { checked }, owner.credential, exchange.requestId);
  } catch (error) {
    if (!(error instanceof PdppError) || error.status >= 500) throw error;
    throw new PdppError("password_required", error.message, { next_step: error.details.next_step });
  }
}

/** Values that were entered in the form stay in it; `failure` says whether a password was given and was wrong. */
export function askForPassword(
  exchange: Exchange,
  form: URLSearchParams,
  failure: PdppError,
  around: Pick<Layout, "owner" | "nav">,
): Response {
  const { next_step } = failure.details;
  const error = next_step === undefined ? undefined : `${sentence(failure.message)} ${next_step}`;
  const { pathname, search } = exchange.url;
  const view = { action: pathname + search, fields: [...form], field: FIELD, error, ...around };
  return page(exchange, confirmPasswordPage(view), 403);
}
