// The visitor: the owner's session, a browser that signed in before, and the token in each of our forms.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import { BODY } from "../../contract/limits.ts";
import type { Preferences, Theme } from "../../contract/preferences.ts";
import { type Credential, hashToken } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { bodyBytes } from "../http/body.ts";
import { KEY_LENGTH, keyPath } from "../http/browser-key.ts";
import type { Exchange } from "../http/respond.ts";

export interface SignedIn {
  name: string;
  subjectId: string;
  credential: Credential;
  sessionHash: string;
  preferences: Preferences;
}

export interface Visitor {
  owner: SignedIn | undefined;
  /** The id of a browser in which the owner has signed in before. */
  browser: string | undefined;
  /** The token for the forms on this page. */
  csrf: string;
  /** Cookies to set with the page, if the visitor did not have them yet. */
  cookies: string[];
}

/** Returns what a page header shows about the owner. */
export const ownerShown = ({ name, preferences }: SignedIn): { name: string; theme: Theme } => ({
  name,
  theme: preferences.theme,
});

const SESSION = "pdpp_session";
const BROWSER = "pdpp_browser";
const FORM = "pdpp_form";
/** How long a browser is recognised after the last sign-in. */
const BROWSER_SECONDS = 365 * 86_400;

/** SameSite=Strict: no other site can make the browser send the cookie, not even through a link. */
function cookieOf(exchange: Exchange, name: string, value: string, path: string, maxAge?: number): string {
  const secure = exchange.origin.startsWith("https:") ? "; Secure" : "";
  const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  return `${cookieName(exchange, name)}=${value}; Path=${path}; HttpOnly; SameSite=Strict${secure}${age}`;
}

/** `__Host-` is only for cookies with the path `/`. */
function cookieName({ origin }: Exchange, name: string): string {
  if (!origin.startsWith("https:")) return name;
  return name === FORM ? `__Host-${name}` : `__Secure-${name}`;
}

/** The cookie with the longest path comes first. */
function readCookies(exchange: Exchange, name: string): string[] {
  const wanted = `${cookieName(exchange, name)}=`;
  return (exchange.request.headers.get("cookie") ?? "")
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(wanted))
    .map((pair) => pair.slice(wanted.length))
    .filter((value) => /^[A-Za-z0-9_-]{1,200}$/.test(value));
}

const mac = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("base64url");

function same(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const keyOf = (secret: string, browser: string): string => mac(secret, `browser:${browser}`).slice(0, KEY_LENGTH);

/** A key is useful only together with the cookie that it was derived from, and nobody else can create such a pair. */
export function browserOf(exchange: Exchange, secret: string): string | undefined {
  const { key } = exchange;
  if (key === undefined) return undefined;
  return readCookies(exchange, BROWSER).find((browser) => same(keyOf(secret, browser), key));
}

/** Starts a session in this browser, under its existing key or a new one. */
export function sessionIn(
  exchange: Exchange,
  secret: string,
  session: string,
  maxAge: number,
): { key: string; cookies: string[] } {
  const browser = browserOf(exchange, secret) ?? randomBytes(18).toString("base64url");
  const key = keyOf(secret, browser);
  const cookies = [
    cookieOf(exchange, SESSION, session, keyPath(key), maxAge),
    cookieOf(exchange, BROWSER, browser, keyPath(key), BROWSER_SECONDS),
  ];
  return { key, cookies };
}

export const noSessionCookie = (exchange: Exchange): string[] =>
  exchange.key === undefined ? [] : [cookieOf(exchange, SESSION, "", keyPath(exchange.key), 0)];

export async function visitorOf(exchange: Exchange, host: EngineHost, secret: string): Promise<Visitor> {
  const browser = browserOf(exchange, secret);
  if (browser !== undefined)
    return { owner: await signedIn(exchange, host), browser, csrf: browserToken(secret, browser), cookies: [] };
  const [known] = readCookies(exchange, FORM);
  const form = known ?? randomBytes(18).toString("base64url");
  const cookies = known === undefined ? [cookieOf(exchange, FORM, form, "/")] : [];
  return { owner: undefined, browser, csrf: formToken(secret, form), cookies };
}

/** Checked only in a browser whose key is in the path, because a session cookie alone gives no access (G-03). */
async function signedIn(exchange: Exchange, host: EngineHost): Promise<SignedIn | undefined> {
  const session = readCookies(exchange, SESSION).find((value) => value.startsWith(TOKEN_PREFIX.session));
  if (session === undefined) return undefined;
  const credential = { token: session };
  try {
    const account = await host.call("ownerAccount", {}, credential);
    if (!account.exists) return undefined;
    const { name, subject_id: subjectId, preferences } = account;
    return { name, subjectId, credential, sessionHash: hashToken(session), preferences };
  } catch (error) {
    if (error instanceof PdppError && error.status === 401) return undefined;
    throw error;
  }
}

const browserToken = (secret: string, browser: string): string => mac(secret, `browser form:${browser}`);
const formToken = (secret: string, form: string): string => mac(secret, `form:${form}`);

/**
 * Returns the fields of a posted form, after checking that one of our pages sent it. The guard has already checked the
 * Origin.
 */
export async function postedForm(exchange: Exchange, secret: string): Promise<URLSearchParams> {
  const parts: Uint8Array[] = [];
  for await (const part of bodyBytes(exchange.request, BODY.json)) parts.push(part);
  const form = new URLSearchParams(Buffer.concat(parts).toString("utf8"));
  checkFormToken(exchange, secret, form.get("csrf"));
  return form;
}

/** Checks the token that a form contains, or that a script sends in a header. */
export function checkFormToken(exchange: Exchange, secret: string, token: string | null): void {
  const browser = browserOf(exchange, secret);
  const [form] = readCookies(exchange, FORM);
  const expected = browser === undefined ? form && formToken(secret, form) : browserToken(secret, browser);
  if (expected === undefined || !same(expected, token ?? "")) {
    throw new PdppError("forbidden_origin", "this form did not come from a page on this server", {
      param: "csrf",
      next_step: "Open the page again and send the form from there.",
    });
  }
}
