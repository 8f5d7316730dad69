// The authorization server's own addresses: discovery, and the bridge between our requests and oidc-provider.
import type { IncomingMessage } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { AGENT_POLL_PATH, asDeviceRequest, isAgentConnect } from "../../auth/agent-connect.ts";
import type { ClientDocuments } from "../../auth/client-documents.ts";
import { clientIdentity } from "../../auth/client-identity.ts";
import { AUTH_PATHS } from "../../auth/discovery.ts";
import type { GuardedFetch } from "../../auth/guarded-fetch.ts";
import type { ProviderPages } from "../../auth/provider.ts";
import { addressKey, ownerLimiter } from "../../auth/rate-limit.ts";
import { validateRedirectUri } from "../../auth/redirect-uris.ts";
import { PdppError } from "../../contract/errors.ts";
import { cleanDisplayName } from "../../core/display-name.ts";
import type { EngineHost } from "../../engine/host.ts";
import { keyPath, pageWithKey, withKey } from "../http/browser-key.ts";
import { baseHeaders, type Exchange, retryHeaders } from "../http/respond.ts";
import { receiptOf } from "./consent-flow.ts";
import { sentence } from "./format.ts";
import type { Layout } from "./layout.ts";
import { PAGE_HEADERS, seeOther } from "./page-response.ts";
import { deviceConfirmPage, devicePage, type StartedFrom } from "./pages/device.ts";
import { heldRedirectPage } from "./pages/held-redirect.ts";
import { messagePage } from "./pages/message.ts";
import { receiptPage } from "./pages/receipt.ts";
import type { SignIn } from "./sign-in.ts";
import { zoneOf } from "./times.ts";
import { ownerShown, visitorOf } from "./visitor.ts";

export interface OAuthOptions {
  host: EngineHost;
  secret: () => Promise<string>;
  signInFirst: SignIn["first"];
  /** Fetches client metadata documents. Tests pass their own. */
  fetch?: GuardedFetch;
  log: (text: string) => void;
  /** True if several processes serve this owner and share their counters. */
  shared?: boolean;
}

/** Passes a code from the address bar to the page. */
const SHOWN_CODE = "x-postern-user-code";

/** Requests per minute from one address. More than this is a mistake or an attack. */
const LIMITS: Record<string, number> = {
  [AUTH_PATHS.authorization]: 120,
  [AUTH_PATHS.registration]: 20,
  [AUTH_PATHS.pushed]: 60,
  [AUTH_PATHS.device]: 20,
  [AUTH_PATHS.verification]: 60,
  [AUTH_PATHS.token]: 300,
  [AUTH_PATHS.agentConnect]: 20,
  [AGENT_POLL_PATH]: 300,
};

/** Endpoints for programs, which send a form. */
const POSTED: readonly string[] = [
  AUTH_PATHS.token,
  AUTH_PATHS.registration,
  AUTH_PATHS.pushed,
  AUTH_PATHS.device,
  AUTH_PATHS.revocation,
  AUTH_PATHS.introspection,
];

const PATHS: readonly string[] = Object.values(AUTH_PATHS);
const PROVIDER_PATHS = new RegExp(
  `^(?:${Object.entries(AUTH_PATHS)
    .filter(([name]) => name !== "interaction")
    .map(([, path]) => path)
    .join("|")})(?:/[A-Za-z0-9_-]+)?$`,
);

export const isProviderPath = (pathname: string): boolean => PROVIDER_PATHS.test(pathname);

export interface OAuth {
  /** There is one provider for each name of this server, and nearly always only one name. */
  provider(origin: string): Promise<Provider>;
  documents(): Promise<ClientDocuments>;
  handle(exchange: Exchange): Promise<Response>;
}

export function oauth({ host, secret, signInFirst, fetch, log, shared = false }: OAuthOptions): OAuth {
  const providers = new Map<string, Promise<Provider>>();
  const limiters = new Map(
    Object.entries(LIMITS).map(([path, points]) => [
      path,
      ownerLimiter(path, { points, seconds: 60 }, shared ? host : undefined),
    ]),
  );

  /** Loaded on the first request that needs it, so that the server starts fast. */
  async function create(origin: string): Promise<Provider> {
    const [{ createProvider }, documents] = await Promise.all([import("../../auth/provider.ts"), self.documents()]);
    return createProvider({
      host,
      shared,
      origin,
      secret: await secret(),
      fetch: documents.fetch,
      pages: providerPages(host, documents),
      around: keepUnderKey,
      log,
    });
  }

  let documents: Promise<ClientDocuments> | undefined;
  const self: OAuth = {
    documents() {
      documents ??= Promise.all([import("../../auth/client-documents.ts"), import("../../auth/guarded-fetch.ts")]).then(
        ([{ clientDocuments }, { guardedFetch }]) => clientDocuments(host, fetch ?? guardedFetch()),
      );
      return documents;
    },
    provider(origin) {
      const found = providers.get(origin) ?? create(origin);
      providers.set(origin, found);
      // A failure, such as a full disk, is not cached, so the next request tries again.
      found.catch(() => providers.delete(origin));
      return found;
    },
    handle: (exchange) => answer(exchange).catch((error: unknown) => later(exchange, error)),
  };

  async function answer(exchange: Exchange): Promise<Response> {
    const { request, url } = exchange;
    if (isAgentConnect(url.pathname) && request.method !== "POST") {
      throw new PdppError("method_not_allowed", `${url.pathname} takes POST`);
    }
    if (url.pathname === AUTH_PATHS.authorization && request.method !== "GET") {
      throw new PdppError("method_not_allowed", `${url.pathname} takes GET`);
    }
    if (POSTED.includes(url.pathname) && ["GET", "HEAD"].includes(request.method)) {
      const types = request.headers.get("accept") ?? "";
      // The address resembles the one where a person types a code, so a browser is redirected there.
      if (url.pathname === AUTH_PATHS.device && types.includes("text/html"))
        return seeOther(exchange, AUTH_PATHS.verification);
      throw new PdppError("method_not_allowed", `${url.pathname} takes POST`);
    }
    const taken = await limiters.get(url.pathname)?.take(addressKey(exchange.address));
    if (taken !== undefined && !taken.ok) {
      const seconds = taken.retryAfterSeconds;
      return comeLater(exchange, 429, `too many requests; wait ${seconds} seconds`, String(seconds));
    }
    const owner = isPage(url.pathname) ? (await visitorOf(exchange, host, await secret())).owner : undefined;
    if (owner === undefined && url.pathname.startsWith(AUTH_PATHS.verification)) {
      return signInFirst(
        exchange,
        "A device is asking to read your data. Sign in to see which app it is and what it is asking for.",
      );
    }
    const provider = await self.provider(exchange.origin);
    const { outgoing } = exchange.node!;
    const incoming = isAgentConnect(url.pathname)
      ? await asDeviceRequest(exchange.node!.incoming, url.pathname)
      : exchange.node!.incoming;
    if (exchange.key !== undefined) incoming.url = url.pathname + url.search;
    // The proxy's own headers are not trusted, and not needed, because we know our own name.
    incoming.headers["x-forwarded-host"] = new URL(exchange.origin).host;
    incoming.headers["x-forwarded-for"] = exchange.address;
    incoming.headers["x-forwarded-proto"] = exchange.origin.startsWith("https:") ? "https" : "http";
    if (url.pathname === AUTH_PATHS.verification && request.method === "GET") withoutUserCode(exchange);
    if (url.pathname === AUTH_PATHS.authorization) onlyQueryMode(exchange);
    // When a request continues after the owner's answer, everything is already known, so the query is dropped.
    if (!PATHS.includes(url.pathname) && !isAgentConnect(url.pathname)) incoming.url = url.pathname;
    const headers = { ...baseHeaders(exchange.requestId), ...PAGE_HEADERS, Pragma: "no-cache" };
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    const bridged: Bridged = { exchange, owner: owner && ownerShown(owner), signInFirst: false };
    bridges.set(incoming, bridged);
    await provider.callback()(incoming, outgoing);
    if (!bridged.signInFirst) return alreadySent();
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    outgoing.statusMessage = "";
    return signInFirst(exchange);
  }
  return self;
}

interface Bridged {
  exchange: Exchange;
  /** The signed-in owner. */
  owner: Layout["owner"];
  /** True if the app's request is valid but nobody is signed in to answer it. */
  signInFirst: boolean;
}

const bridges = new WeakMap<IncomingMessage, Bridged>();

/**
 * The provider does not know about the browser's key, so the key is added to its responses here, above all to its
 * cookies. Without a key no cookies are set, because every port of this host would receive them (G-03).
 */
async function keepUnderKey(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const bridged = bridges.get(ctx.req)!;
  const { exchange, owner } = bridged;
  const location = ctx.response.get("Location") ?? "";
  if (owner === undefined && location.startsWith(`${AUTH_PATHS.interaction}/`)) {
    bridged.signInFirst = true;
    // The interaction is created again once the owner is signed in, for the browser's own path.
    await ctx.oidc.entities.Interaction?.destroy();
    ctx.respond = false;
    return;
  }
  const cookies = [ctx.response.headers["set-cookie"] ?? []].flat();
  ctx.remove("Set-Cookie");
  if (exchange.key === undefined) return;
  ctx.set(
    "Set-Cookie",
    cookies.map((line) => line.replace(/; path=\//i, `; path=${keyPath(exchange.key!)}`)),
  );
  if (location !== "") ctx.set("Location", withKey(exchange, location));
  if (ctx.type === "text/html" && typeof ctx.body === "string") ctx.body = pageWithKey(exchange, ctx.body);
}

/**
 * If node-server has replaced the global class, it sends a Response from cached fields without checking whether it was
 * already sent. Reading a property such as `type` discards the cache, so that the check is made.
 */
function alreadySent(): Response {
  void RESPONSE_ALREADY_SENT.type;
  return RESPONSE_ALREADY_SENT;
}

/**
 * The provider would submit a code from the address bar with a script. Our page shows it instead, and the owner submits
 * it.
 */
function withoutUserCode({ url, node }: Exchange): void {
  const code = url.searchParams.get("user_code");
  node!.incoming.url = AUTH_PATHS.verification;
  if (code === null) delete node!.incoming.headers[SHOWN_CODE];
  else node!.incoming.headers[SHOWN_CODE] = code;
}

/**
 * Responses are always in the redirect's query. Other modes count as unsupported, so that not even an error is sent by
 * a self-submitting form.
 */
function onlyQueryMode({ url: { pathname, searchParams }, node }: Exchange): void {
  if (searchParams.getAll("response_mode").every((mode) => mode === "query")) return;
  const rest = new URLSearchParams(searchParams);
  rest.set("response_mode", "unsupported");
  node!.incoming.url = `${pathname}?${rest}`;
}

const isPage = (pathname: string): boolean =>
  pathname.startsWith(AUTH_PATHS.authorization) || pathname.startsWith(AUTH_PATHS.verification);

/** Responds in RFC 6749 format, because OAuth clients understand no other format. A person gets an error page. */
function later(exchange: Exchange, error: unknown): Response {
  if (isPage(exchange.url.pathname) || !(error instanceof PdppError) || error.code !== "store_unavailable") throw error;
  return comeLater(exchange, error.status, error.message, retryHeaders(error)["Retry-After"]!);
}

function comeLater(exchange: Exchange, status: number, error_description: string, seconds: string): Response {
  return new Response(JSON.stringify({ error: "temporarily_unavailable", error_description }), {
    status,
    headers: { ...baseHeaders(exchange.requestId), "Content-Type": "application/json", "Retry-After": seconds },
  });
}

function providerPages(host: EngineHost, documents: ClientDocuments): ProviderPages {
  /** Used only for pages of the device flow, which does not verify the app's identity. */
  const client = (ctx: KoaContextWithOIDC) =>
    clientIdentity(ctx.oidc.client!.metadata() as { client_id: string; client_name?: string });
  const csrf = (ctx: KoaContextWithOIDC): string =>
    (ctx.oidc.session as unknown as { state?: { secret: string } }).state?.secret ?? "";
  const FAILURES = {
    unknown: "There is no such code, or it has expired. Check your device again.",
    aborted: "You denied the request. The device has been told.",
    failed: "That did not work. Type the code again, or start again on your device.",
  };
  return {
    userCode: (ctx, failure) =>
      devicePage({
        action: AUTH_PATHS.verification,
        csrf: "",
        owner: bridges.get(ctx.req)?.owner,
        hidden: { xsrf: csrf(ctx) },
        userCode: ctx.get(SHOWN_CODE) || undefined,
        ...(failure === undefined ? {} : { error: FAILURES[failure] }),
      }),
    userCodeConfirm: (ctx, userCode, started) =>
      deviceConfirmPage({
        action: AUTH_PATHS.verification,
        csrf: "",
        owner: bridges.get(ctx.req)?.owner,
        hidden: { xsrf: csrf(ctx) },
        userCode,
        client: client(ctx),
        startedFrom: startedFrom(started.address, ctx.ip),
        minutesAgo: Math.floor((Date.now() - started.at) / 60_000),
      }),
    async deviceDone(ctx) {
      const receipt = await receiptOf(host, { home: true }, ctx.oidc.entities.Grant!.jti);
      const zone = zoneOf({ request: { headers: { get: (name) => ctx.get(name) } } });
      return receiptPage({ client: client(ctx), ...receipt, zone, appsUrl: "/dashboard/apps" });
    },
    heldRedirect: ({ href, clientId, clientName, redirectUri, code, description }) =>
      heldRedirectPage({
        client: clientIdentity({
          client_id: clientId,
          client_name: clientName,
          redirect_uri: redirectUri,
          copy: documents.copyFor(clientId),
        }),
        href,
        text: description === undefined ? "" : sentence(description),
        code,
      }),
    failed: (ctx, code, description) =>
      messagePage({
        title: "This request cannot be completed",
        text: description?.includes("metadata document")
          ? unreadDocument(ctx, description)
          : failureWords(code, description),
        status: 400,
        code,
      }),
  };
}

const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address);

/** Compares the address that started a device flow with the address of the owner's browser. */
function startedFrom(device: string, browser: string): StartedFrom {
  if (isLoopback(device)) return { place: isLoopback(browser) ? "this-computer" : "server" };
  return device === browser ? { place: "same-address" } : { place: "elsewhere", address: device };
}

function failureWords(code: string, description: string | undefined): string {
  const again = "Go back to the app and connect again.";
  if (description === undefined) return again;
  return code === "invalid_client"
    ? "The app is not registered on this server, or no longer is. Remove the connection in the app, then connect again."
    : `${sentence(description)} ${again}`;
}

/**
 * Suggests two alternatives for an app whose description cannot be fetched. Both work without internet access (C-02).
 */
function unreadDocument({ oidc }: KoaContextWithOIDC, description: string): string {
  const { client_id, redirect_uri } = oidc.params as { client_id?: string; redirect_uri?: string };
  const redirect = portless(redirect_uri);
  const registration = JSON.stringify({ redirect_uris: [redirect], token_endpoint_auth_method: "none" });
  return [
    `The app’s description should be at ${cleanDisplayName(client_id ?? "its own address", 200)}, but this server could not read it (${description}).`,
    "Check that the server can reach the internet.",
    "If it is offline, let the app register here instead: the setting is often called dynamic client registration (Codex: `--oauth-client-registration dcr`).",
    ...(redirect === undefined
      ? []
      : [
          `Or register it yourself, with \`curl -H "Content-Type: application/json" -d '${registration}' ${oidc.issuer}${AUTH_PATHS.registration}\`, and give the app the \`client_id\` from the response, for example with \`--client-id\`.`,
        ]),
  ].join(" ");
}

/**
 * Returns the redirect URI to register, without a port, because programs on this computer use a different port each
 * time. Returns undefined if it cannot be registered.
 */
function portless(uri: string | undefined): string | undefined {
  if (uri === undefined || validateRedirectUri(uri, { applicationType: "native" }) !== undefined || uri.includes("'"))
    return undefined;
  return uri.replace(/^(http:\/\/[^/]+?):\d+(?=\/)/, "$1");
}
