// Who sits at the browser: the owner's session cookie, and a token on every form that only our own pages know.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import { BODY } from "../../contract/limits.ts";
import { type Credential, hashToken } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { bodyBytes } from "../http/body.ts";
import type { Exchange } from "../http/respond.ts";

export interface SignedIn {
  name: string;
  subjectId: string;
  credential: Credential;
  sessionHash: string;
}

export interface Visitor {
  owner: SignedIn | undefined;
  /** For the forms of this page. */
  csrf: string;
  /** To be set with the page, when the visitor had none. */
  cookies: string[];
}

const SESSION = "pdpp_session";
const FORM = "pdpp_form";

/** Strict: no other site can make the browser send it, not even by a link. */
function cookieOf(exchange: Exchange, name: string, value: string, maxAge?: number): string {
  const secure = exchange.origin.startsWith("https:");
  const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  return `${cookieName(exchange, name)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}${age}`;
}

const cookieName = (exchange: Exchange, name: string): string =>
  exchange.origin.startsWith("https:") ? `__Host-${name}` : name;

function readCookie(exchange: Exchange, name: string): string | undefined {
  const wanted = `${cookieName(exchange, name)}=`;
  const found = (exchange.request.headers.get("cookie") ?? "")
    .split(/;\s*/)
    .find((pair) => pair.startsWith(wanted))
    ?.slice(wanted.length);
  return found !== undefined && /^[A-Za-z0-9_-]{1,200}$/.test(found) ? found : undefined;
}

export const sessionCookie = (exchange: Exchange, session: string, maxAge: number): string =>
  cookieOf(exchange, SESSION, session, maxAge);
export const noSessionCookie = (exchange: Exchange): string => cookieOf(exchange, SESSION, "", 0);

export async function visitorOf(exchange: Exchange, host: EngineHost, secret: string): Promise<Visitor> {
  const known = readCookie(exchange, FORM);
  const form = known ?? randomBytes(18).toString("base64url");
  return {
    owner: await signedIn(exchange, host),
    csrf: formToken(secret, form),
    cookies: known === undefined ? [cookieOf(exchange, FORM, form)] : [],
  };
}

async function signedIn(exchange: Exchange, host: EngineHost): Promise<SignedIn | undefined> {
  const session = readCookie(exchange, SESSION);
  if (session === undefined || !session.startsWith(TOKEN_PREFIX.session)) return undefined;
  const credential = { token: session };
  try {
    const account = JSON.parse(await host.call("ownerAccount", {}, credential)) as { name: string; subject_id: string };
    return { name: account.name, subjectId: account.subject_id, credential, sessionHash: hashToken(session) };
  } catch (error) {
    if (error instanceof PdppError && error.status === 401) return undefined;
    throw error;
  }
}

const formToken = (secret: string, form: string): string =>
  createHmac("sha256", secret).update(`form:${form}`).digest("base64url");

/** The fields of a posted form, once it is sure that one of our pages sent it. The guard has looked at the Origin already. */
export async function postedForm(exchange: Exchange, secret: string): Promise<URLSearchParams> {
  const parts: Uint8Array[] = [];
  for await (const part of bodyBytes(exchange.request, BODY.json)) parts.push(part);
  const form = new URLSearchParams(Buffer.concat(parts).toString("utf8"));
  checkFormToken(exchange, secret, form.get("csrf"));
  return form;
}

/** Of a form, or of a script in a header. */
export function checkFormToken(exchange: Exchange, secret: string, token: string | null): void {
  const cookie = readCookie(exchange, FORM);
  const expected = Buffer.from(cookie === undefined ? "" : formToken(secret, cookie));
  const given = Buffer.from(token ?? "");
  if (expected.length === 0 || expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw new PdppError("forbidden_origin", "this form did not come from a page of this server", {
      param: "csrf",
      next_step: "Open the page again and send the form from there.",
    });
  }
}
