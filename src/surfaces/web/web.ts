// The pages and the authorization server, by path. Returns undefined for a path that is not ours.
import { AUTH_PATHS, authorizationServer, KEYS_PATH, NO_KEYS, openIdConfiguration } from "../../auth/discovery.ts";
import type { GuardedFetch } from "../../auth/guarded-fetch.ts";
import { PdppError } from "../../contract/errors.ts";
import type { SharedLimiter } from "../../core/limiter.ts";
import { protectedResource, RESOURCE_PATHS } from "../../core/resources.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Housekeeping } from "../../engine/housekeeping.ts";
import type { Uploads } from "../../engine/uploads.ts";
import { asPdppError, baseHeaders, type Exchange, json, retryHeaders } from "../http/respond.ts";
import type { OwnerLensOf } from "./dashboard.ts";
import { sentence } from "./format.ts";
import { isProviderPath, oauth } from "./oauth.ts";
import { pageJobsOf } from "./page-jobs.ts";
import { page } from "./page-response.ts";
import { messagePage } from "./pages/message.ts";
import { passwordGuesses } from "./password-guesses.ts";
import type { SignIn } from "./sign-in.ts";

export interface WebOptions {
  uploads: Uploads;
  host: EngineHost;
  /** Serves REST calls for the owner's pages, under the owner's session. */
  rest: (exchange: Exchange, session: Credential) => Promise<Response>;
  /** Opens the files lens for the owner's pages when it is needed. */
  ownerLens: OwnerLensOf;
  house: Housekeeping;
  /** The public URL given when the server was started. */
  publicUrl?: string;
  clientFetch?: GuardedFetch;
  log: (text: string) => void;
  /** True if several processes serve this owner and share their counters. */
  shared?: boolean;
  /** Limits sign-in attempts per address, across all owners. */
  signIns?: SharedLimiter;
}

const WELL_KNOWN = "/.well-known/";
const PROTECTED = "oauth-protected-resource";

export function webHandler({
  uploads,
  host,
  rest,
  ownerLens,
  house,
  publicUrl,
  clientFetch,
  log,
  shared,
  signIns,
}: WebOptions): (exchange: Exchange) => Promise<Response | undefined> {
  let drawn: Promise<string> | undefined;
  /** The secret of this home. It signs cookies and forms, so a restart signs nobody out. */
  const secret = (): Promise<string> => {
    drawn ??= host.call("webSecret", {}, { home: true }).then(({ secret }) => secret);
    // After a failure, the secret is loaded again.
    drawn.catch(() => {
      drawn = undefined;
    });
    return drawn;
  };
  const guesses = passwordGuesses({ secret, shared: shared ? host : undefined, signIns });
  const pageJobs = pageJobsOf(log, shared ? host : undefined);
  let pages: Promise<SignIn> | undefined;
  const loaded = (): Promise<SignIn> => {
    pages ??= import("./sign-in.ts").then(({ signIn }) =>
      signIn({ host, secret, guesses, hasTerminal: house.home !== undefined }),
    );
    return pages;
  };
  const signInFirst: SignIn["first"] = async (exchange, reason) => (await loaded()).first(exchange, reason);
  const server = oauth({ host, secret, signInFirst, fetch: clientFetch, log, shared });

  const answer = async (exchange: Exchange): Promise<Response | undefined> => {
    const { pathname } = exchange.url;
    if (pathname.startsWith(WELL_KNOWN) || pathname === KEYS_PATH) return metadata(exchange);
    if (pathname.startsWith("/assets/")) return assetAt(exchange);
    if (isProviderPath(pathname)) return server.handle(exchange);
    if (pathname.startsWith(`${AUTH_PATHS.interaction}/`)) {
      only(exchange, "GET", "POST");
      const { consentFlow } = await import("./consent-flow.ts");
      const documents = await server.documents();
      const provider = await server.provider(exchange.origin);
      return consentFlow({ host, secret, signInFirst, guesses, documents }, provider, exchange);
    }
    if (/^\/(?:setup|login|logout)$/.test(pathname)) {
      only(exchange, "POST", ...(pathname === "/logout" ? [] : ["GET"]));
      return (await loaded())[pathname.slice(1) as "setup" | "login" | "logout"](exchange);
    }
    if (/^\/dashboard(?:\/|\.json$|$)/.test(pathname)) {
      const { dashboard } = await import("./dashboard.ts");
      return dashboard(
        { uploads, host, secret, signInFirst, rest, ownerLens, house, publicUrl, guesses, pageJobs },
        exchange,
      );
    }
    return undefined;
  };
  return (exchange) => answer(exchange).catch((error: unknown) => errorForPeople(exchange, error, log));
}

const PAGES = /^\/(?:setup|login|logout|dashboard(?:\/.*)?|device(?:\/.*)?|oauth(?:\/.*)?)$/;

/** A person who views a page gets errors as a page, above all for a form that was open for too long. */
function errorForPeople(exchange: Exchange, error: unknown, log: (text: string) => void): Response {
  const { request, url, requestId } = exchange;
  const wanted = PAGES.test(url.pathname) && (request.headers.get("accept") ?? "").includes("text/html");
  if (!wanted) throw error;
  const failure = asPdppError(error, log, requestId);
  const { status, code, message, details } = failure;
  const unforeseen = code === "api_error";
  const said = [sentence(message), ...(details.next_step === undefined ? [] : [details.next_step])];
  const title = unforeseen ? "Something went wrong" : "That did not work";
  const text = (unforeseen ? BROKEN : said).join(" ");
  const answer = page(exchange, messagePage({ title, text, status, code, requestId }), status);
  for (const [name, value] of Object.entries(retryHeaders(failure))) answer.headers.set(name, value);
  return answer;
}

/** The page for an unknown address in a browser. Returns undefined for a program. */
export function notFoundPage(exchange: Exchange): Response | undefined {
  const { request, requestId } = exchange;
  if (!(request.headers.get("accept") ?? "").includes("text/html")) return undefined;
  const text = "There is no page at this address.";
  const next = { label: "Go to the home page", href: "/" };
  return page(exchange, messagePage({ title: "Not found", text, status: 404, requestId, next }), 404);
}

const BROKEN = [
  "This is not your fault.",
  "Try again. If it keeps failing, `pdpp doctor` shows what is wrong, and the server's log has details under the id below.",
];

/** RFC 8414, OpenID discovery and RFC 9728. A trailing slash is accepted, because people and clients add one. */
function metadata(exchange: Exchange): Response | undefined {
  const document = documentAt(exchange.url.pathname.replace(/\/$/, ""), exchange.origin);
  if (document === undefined) return undefined;
  only(exchange, "GET", "HEAD");
  return json(exchange, JSON.stringify(document));
}

function documentAt(pathname: string, origin: string): object | undefined {
  if (pathname === KEYS_PATH) return NO_KEYS;
  const name = pathname.slice(WELL_KNOWN.length);
  if (name === "oauth-authorization-server") return authorizationServer(origin);
  if (name === "openid-configuration") return openIdConfiguration(origin);
  const path = (["", ...RESOURCE_PATHS] as const).find((one) => name === PROTECTED + one);
  return path === undefined ? undefined : protectedResource(origin, path);
}

async function assetAt(exchange: Exchange): Promise<Response | undefined> {
  const { asset } = await import("./assets.ts");
  const found = asset(exchange.url.pathname);
  if (found === undefined) return undefined;
  only(exchange, "GET", "HEAD");
  const packed = /\bgzip\b/.test(exchange.request.headers.get("accept-encoding") ?? "");
  return new Response(packed ? found.gzip() : found.body, {
    headers: {
      ...baseHeaders(exchange.requestId),
      "Content-Type": found.type,
      "Cache-Control": found.cacheControl,
      Vary: "Accept-Encoding",
      ...(packed ? { "Content-Encoding": "gzip" } : {}),
    },
  });
}

function only(exchange: Exchange, ...methods: string[]): void {
  if (methods.includes(exchange.request.method)) return;
  throw new PdppError("method_not_allowed", `${exchange.url.pathname} takes ${methods.join(" and ")}`);
}
