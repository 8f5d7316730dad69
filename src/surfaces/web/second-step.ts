// The second step of a password sign-in: the owner proves a second factor with a code or a passkey. The state is in a
// signed ticket, and attempts are counted like password guesses.
import { createHash } from "node:crypto";
import type { FactorProof } from "../../contract/second-factor.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { hidden } from "./layout.ts";
import { page } from "./page-response.ts";
import { secondStepPage } from "./pages/second-step.ts";
import { passkeyForm, passkeyGiven, passkeyOffer } from "./passkey-form.ts";
import { newTicket, ticketUntil } from "./ticket.ts";
import type { Visitor } from "./visitor.ts";

/** Enough time to find the phone. */
const PENDING_MS = 10 * 60_000;
const HOME = { home: true } as const;
const LOGIN = "/login";

/** The ticket depends on the password, so a new password ends sign-ins in progress. */
const termsOf = (secret: string, { csrf }: Visitor, password: string) => ({
  secret,
  purpose: "second step",
  bound: `${csrf}\n${createHash("sha256").update(password).digest("base64url")}`,
});

export interface SecondStepOptions {
  host: EngineHost;
  exchange: Exchange;
  visitor: Visitor;
  secret: string;
  /** The stored password that matched. */
  password: string;
  returnTo: string;
  hasTerminal: boolean;
}

export const isPending = (secret: string, visitor: Visitor, password: string, ticket: string): boolean =>
  ticketUntil(termsOf(secret, visitor, password), ticket, Date.now()) !== undefined;

export async function askSecondStep(
  { host, exchange, visitor, secret, password, returnTo, hasTerminal }: SecondStepOptions,
  { pending, error, status = 200 }: { pending?: string; error?: string; status?: number } = {},
): Promise<Response> {
  const { csrf } = visitor;
  const { authenticator } = await host.call("secondFactors", {}, HOME);
  const ticket = pending ?? newTicket(termsOf(secret, visitor, password), Date.now() + PENDING_MS);
  const options = await passkeyOffer(host, exchange, { secret, csrf }, "sign in");
  const fields = hidden({ csrf, return_to: returnTo });
  const view = {
    action: LOGIN,
    csrf,
    returnTo,
    pending: ticket,
    hasAuthenticator: authenticator !== undefined,
    hasTerminal,
    ...(options === undefined
      ? {}
      : { passkey: passkeyForm({ options, action: LOGIN, fields, button: "Use a passkey" }) }),
    ...(error === undefined ? {} : { error }),
  };
  return page(exchange, secondStepPage(view), status, visitor.cookies);
}

/** Returns the proof in a posted form, a passkey or a code, or undefined if it has neither. */
export async function proofIn(
  form: URLSearchParams,
  host: EngineHost,
  exchange: Exchange,
  browser: { secret: string; csrf: string },
): Promise<FactorProof | undefined> {
  const [passkey, code] = [form.get("passkey") ?? "", form.get("code") ?? ""];
  if (passkey !== "") return passkeyGiven(host, exchange, browser, "sign in", passkey);
  return code === "" ? undefined : { kind: "code", code: code.slice(0, 100) };
}
