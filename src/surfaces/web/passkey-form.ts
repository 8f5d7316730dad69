// A form that is completed with a passkey, and the parsing of its response. Without JavaScript the form stays hidden.
import { html, raw } from "hono/html";
import {
  type AnswerTerms,
  creationOptions,
  newPasskey,
  passkeyProofOf,
  passkeyServer,
  requestOptions,
} from "../../auth/passkeys.ts";
import type { PasskeyProof } from "../../contract/second-factor.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { type Html, hidden } from "./layout.ts";
import type { PasskeyCreator } from "./owner-page.ts";
import { newTicket, ticketUntil } from "./ticket.ts";
import type { SignedIn } from "./visitor.ts";

/** How long a page with such a form can stay open. */
const TICKET_MS = 30 * 60_000;
const HOME = { home: true } as const;

type PasskeyPurpose = "sign in" | "confirm" | "add";

interface Browser {
  secret: string;
  /** The browser's form token. A challenge for one browser cannot be answered in another. */
  csrf: string;
}

const passkeyTicket = ({ secret, csrf }: Browser, purpose: PasskeyPurpose, now: number): string =>
  newTicket({ secret, purpose, bound: csrf }, now + TICKET_MS);

const answerTerms = (
  { origin }: Exchange,
  { secret, csrf }: Browser,
  purpose: PasskeyPurpose,
  now: number,
): AnswerTerms => ({ origin, until: (ticket) => ticketUntil({ secret, purpose, bound: csrf }, ticket, now) });

/** Returns options for using a passkey, or undefined if none of the owner's passkeys works at this address. */
export async function passkeyOffer(
  host: EngineHost,
  { origin }: Exchange,
  browser: Browser,
  purpose: PasskeyPurpose,
): Promise<object | undefined> {
  const server = passkeyServer(origin);
  if (server === undefined) return undefined;
  const { passkeys } = await host.call("secondFactors", {}, HOME);
  if (!passkeys.some((passkey) => passkey.server === server)) return undefined;
  return requestOptions(server, passkeyTicket(browser, purpose, Date.now()));
}

/** Verifies a passkey response. The engine ensures that it is used only once. */
export async function passkeyGiven(
  host: EngineHost,
  exchange: Exchange,
  browser: Browser,
  purpose: PasskeyPurpose,
  given: string,
): Promise<PasskeyProof> {
  const { passkeys } = await host.call("secondFactors", {}, HOME);
  return passkeyProofOf(given, passkeys, answerTerms(exchange, browser, purpose, Date.now()));
}

/** Creates passkeys on a dashboard page. */
export function passkeysOf(exchange: Exchange, browser: Browser, owner: SignedIn): { passkeys?: PasskeyCreator } {
  const server = passkeyServer(exchange.origin);
  if (server === undefined) return {};
  return {
    passkeys: {
      options: (have) => creationOptions(server, owner, passkeyTicket(browser, "add", Date.now()), have),
      made: (answer, name) => newPasskey(answer, name, answerTerms(exchange, browser, "add", Date.now())),
    },
  };
}

interface PasskeyForm {
  options: object;
  action: string;
  fields: Html;
  button: string;
  /** The hidden field that the script fills in. */
  field?: string;
  /** Set if a passkey is created rather than used. */
  create?: true;
  more?: Html;
}

export const passkeyForm = ({
  options,
  action,
  fields,
  button,
  field = "passkey",
  create,
  more = html``,
}: PasskeyForm): Html =>
  html`<form class="stack passkey-form" method="post" action="${action}" data-passkey="${JSON.stringify(options)}" data-field="${field}"${create === undefined ? "" : raw(" data-create")} hidden>
${fields}${hidden({ [field]: "" })}${more}
<button class="button${create === undefined ? "" : " primary"}">${button}</button><p class="note" role="status"></p></form>`;
