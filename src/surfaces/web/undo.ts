// Undo after a change. The form that reverses the change is signed and part of the next page's address, so that it
// works without JavaScript (V-12).
import { html } from "hono/html";
import type { Exchange } from "../http/respond.ts";
import { type Html, hidden } from "./layout.ts";
import { signedText, signText } from "./ticket.ts";

/** The result of a form whose change can be reversed by sending another form to the same page. */
export interface Undoable {
  location: string;
  undo: readonly (readonly [name: string, value: string])[];
}

interface Browser {
  secret: string;
  csrf: string;
}

const PARAM = "undo";
/** Proxies may reject longer addresses, so a change that needs a longer one has no undo. */
const LENGTH_MAX = 4000;
const termsOf = ({ secret, csrf }: Browser) => ({ secret, purpose: "undo", bound: csrf });

export const isUndoable = (done: object): done is Undoable => "undo" in done && "location" in done;

/** Returns the next address with the undo. */
export function withUndo({ location, undo }: Undoable, browser: Browser): string {
  const signed = signText(termsOf(browser), JSON.stringify(undo));
  if (signed.length > LENGTH_MAX) return location;
  const [path, fragment] = location.split("#");
  return `${path}${path!.includes("?") ? "&" : "?"}${PARAM}=${signed}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** Returns true if the page itself says what was done and shows the button next to it. */
export const saysItself = ({ url }: Exchange): boolean => url.searchParams.has("done");

/**
 * The undo button on the page after a change. It is signed for this browser, so nobody else can create an address that
 * offers one.
 */
export function undoOffer(exchange: Exchange, browser: Browser): Html | "" {
  const { url } = exchange;
  const text = signedText(termsOf(browser), url.searchParams.get(PARAM) ?? "");
  if (text === undefined) return "";
  const others = [...url.searchParams].filter(([name]) => name !== PARAM && name !== "done");
  const action = others.length === 0 ? url.pathname : `${url.pathname}?${new URLSearchParams(others)}`;
  const fields = JSON.parse(text) as [string, string][];
  return html`<form class="toast" aria-label="Undo" method="post" action="${action}">${hidden({ csrf: browser.csrf })}${fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${saysItself(exchange) ? "" : html`<span>Changed.</span>`}<button class="button small">Undo</button></form>`;
}
