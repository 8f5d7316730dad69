// Asks for the password again before an action that creates lasting access, then continues with that action (G-04).
import { PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { sentence } from "./format.ts";
import type { Layout } from "./layout.ts";
import { page } from "./page-response.ts";
import { confirmPasswordPage, keptFields } from "./pages/confirm-password.ts";
import { passkeyForm, passkeyGiven, passkeyOffer } from "./passkey-form.ts";
import type { PasswordGuesses } from "./password-guesses.ts";
import { verifiedPassword } from "./verified-password.ts";
import type { SignedIn, Visitor } from "./visitor.ts";

const FIELD = "confirm_password";
const PASSKEY_FIELD = "confirm_passkey";

export interface ConfirmOptions {
  host: EngineHost;
  guesses: PasswordGuesses;
  secret: () => Promise<string>;
}

/**
 * Checks the password or the passkey response in a form, if the owner was asked for it, and records that it was
 * entered.
 */
export async function takePassword(
  { host, guesses, secret }: ConfirmOptions,
  exchange: Exchange,
  { csrf }: Pick<Visitor, "csrf">,
  owner: SignedIn,
  form: URLSearchParams,
): Promise<void> {
  const given = form.get(FIELD);
  const passkey = form.get(PASSKEY_FIELD);
  if (given === null && passkey === null) return;
  form.delete(FIELD);
  form.delete(PASSKEY_FIELD);
  try {
    const entered =
      passkey === null
        ? { checked: await verifiedPassword(host, guesses, exchange, given!) }
        : { proof: await passkeyGiven(host, exchange, { secret: await secret(), csrf }, "confirm", passkey) };
    await host.call("enterPassword", entered, owner.credential, exchange.requestId);
  } catch (error) {
    if (!(error instanceof PdppError) || error.status >= 500) throw error;
    throw new PdppError("password_required", error.message, { next_step: error.details.next_step });
  }
}

/** Entered values stay in the form. `failure` tells whether a wrong password was entered. */
export async function askForPassword(
  { host, secret }: Pick<ConfirmOptions, "host" | "secret">,
  exchange: Exchange,
  { csrf }: Pick<Visitor, "csrf">,
  form: URLSearchParams,
  failure: PdppError,
  around: Pick<Layout, "owner" | "nav">,
): Promise<Response> {
  const { next_step } = failure.details;
  const error = next_step === undefined ? undefined : `${sentence(failure.message)} ${next_step}`;
  const { pathname, search } = exchange.url;
  const action = pathname + search;
  const fields = [...form];
  const options = await passkeyOffer(host, exchange, { secret: await secret(), csrf }, "confirm");
  const passkey =
    options &&
    passkeyForm({ options, action, fields: keptFields(fields), field: PASSKEY_FIELD, button: "Use a passkey instead" });
  const view = { action, fields, field: FIELD, error, ...(passkey === undefined ? {} : { passkey }), ...around };
  return page(exchange, confirmPasswordPage(view), 403);
}
