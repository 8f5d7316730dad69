// The authorization server: oidc-provider, configured to follow OAuth 2.1 and to ask the owner every time.

import { generateKeyPairSync } from "node:crypto";
import type { EventEmitter } from "node:events";
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import type { z } from "zod";
import type { Audience } from "../contract/auth.ts";
import {
  AUTHORIZATION_DETAILS_BYTES,
  AUTHORIZATION_DETAILS_MAX,
  DATA_ACCESS_TYPE,
  dataAccess,
} from "../contract/data-access.ts";
import { failureText, PdppError } from "../contract/errors.ts";
import { FILE_ACCESS_TYPE, fileAccess } from "../contract/file-access.ts";
import { newId, newToken } from "../contract/ids.ts";
import { firstIssue } from "../contract/issue.ts";
import { audienceOfResource, lensOfScope, OFFLINE_SCOPE, resourcesOf, SCOPES } from "../core/resources.ts";
import type { EngineHost } from "../engine/host.ts";
import { authAdapter } from "./adapter.ts";
import { answerAgents } from "./agent-connect.ts";
import { documentHost } from "./client-identity.ts";
import { slowDevicesDown } from "./device-pace.ts";
import { AUTH_PATHS, CLIENT_AUTH_METHODS, DEVICE_GRANT, GRANT_TYPES, KEYS_PATH } from "./discovery.ts";
import { type HeldRedirect, holdFirstRedirect } from "./first-redirect.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { nextRefreshToken } from "./next-refresh-token.ts";
import { normaliseRequests } from "./normalise-requests.ts";
import { matchesRedirect, validateRedirectUri } from "./redirect-uris.ts";
import { addGrantedScope } from "./token-responses.ts";

const REDIRECTS_MAX = 20;
/** The default grant types of an app that lists none. */
const CODE_GRANTS = ["authorization_code", "refresh_token"] as const;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** A page left open over lunch still works; one left open overnight does not. */
const INTERACTION_SECONDS = HOUR;
/**
 * An app that is unused for half a year needs a new approval. Each use issues a new refresh token, valid for another
 * half year.
 */
const REFRESH_SECONDS = 183 * DAY;

/** The error code while the store is unavailable. */
const UNAVAILABLE = "temporarily_unavailable";
const RETRY_AFTER_SECONDS = "2";

/** Pages that the provider itself shows. The web surface renders them. */
export interface ProviderPages {
  userCode(ctx: KoaContextWithOIDC, failure: "unknown" | "aborted" | "failed" | undefined): string;
  userCodeConfirm(ctx: KoaContextWithOIDC, userCode: string, started: DeviceStart): string;
  deviceDone(ctx: KoaContextWithOIDC): Promise<string>;
  heldRedirect(held: HeldRedirect): string;
  failed(ctx: KoaContextWithOIDC, code: string, description: string | undefined): string;
}

/** Where and when a device flow was started, for the owner to check. */
export interface DeviceStart {
  address: string;
  /** In milliseconds. */
  at: number;
}

export interface ProviderOptions {
  host: EngineHost;
  /** True if other processes serve the same owner. */
  shared: boolean;
  /** The issuer, byte for byte. */
  origin: string;
  /** The home's secret, which signs cookies and derives refresh tokens. */
  secret: string;
  fetch: GuardedFetch;
  pages: ProviderPages;
  /** Middleware around every response. */
  around: (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>;
  log: (text: string) => void;
}

export function createProvider({ host, shared, origin, secret, fetch, pages, around, log }: ProviderOptions): Provider {
  const reused = async (grantId: string | null): Promise<never> => {
    if (grantId !== null) await host.call("endGrant", { id: grantId, by: "reuse" }, { home: true });
    throw new errors.InvalidGrant("it was used before, so everything issued for it was revoked");
  };
  const provider = new Provider(origin, configuration());
  provider.proxy = true;
  const storeErrors = new WeakMap<object, PdppError>();
  provider.on("server_error", (ctx, error: Error) => {
    log(`${ctx.method} ${ctx.path} ${failureText(error)}`);
    if (error instanceof PdppError && error.code === "store_unavailable") storeErrors.set(ctx, error);
  });
  // Koa's own event, which the provider's types omit. Without a listener, Koa prints the error to the terminal.
  (provider as EventEmitter).on("error", (error: Error) => log(failureText(error)));
  provider.use(around as (ctx: unknown, next: () => Promise<void>) => Promise<void>);
  provider.use(holdFirstRedirect(host, pages.heldRedirect) as Parameters<Provider["use"]>[0]);
  provider.use(answerAgents);
  provider.use(addGrantedScope(host));
  provider.use(slowDevicesDown(shared ? host : undefined));
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status === 429) ctx.set("Retry-After", String(HOUR));
    const { message } = storeErrors.get(ctx) ?? {};
    if (message === undefined || ctx.status !== 500) return;
    // The failure is temporary and nothing was changed. A client that revokes a token must not believe that it
    // succeeded (RFC 7009 section 2.2.1).
    const isPage = ctx.type === "text/html";
    ctx.body = isPage
      ? pages.failed(ctx as KoaContextWithOIDC, UNAVAILABLE, message)
      : { error: UNAVAILABLE, error_description: message };
    ctx.status = 503;
    ctx.set("Retry-After", RETRY_AFTER_SECONDS);
  });
  ownTokens(provider, secret);
  ownClients(provider);
  normaliseRequests(provider);
  return provider;

  function configuration(): Configuration & Record<string, unknown> {
    const secure = origin.startsWith("https:");
    const cookie = { httpOnly: true, sameSite: "lax", secure, signed: true } as const;
    const page = (ctx: KoaContextWithOIDC, body: string): void => {
      ctx.type = "html";
      ctx.body = body;
    };
    return {
      // At the revocation endpoint, the app revoked the grant. Anywhere else, one of the grant's codes or tokens was
      // used twice.
      adapter: authAdapter({
        host,
        issuer: origin,
        secret,
        reused,
        ending: () => (Provider.ctx?.oidc.route === "revocation" ? "app" : "reuse"),
      }),
      fetch,
      // This key never signs anything, because no scope issues an ID token. The provider requires one anyway.
      jwks: { keys: [{ ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) }] },
      clientAuthMethods: [...CLIENT_AUTH_METHODS],
      grantTypes: [...GRANT_TYPES],
      responseTypes: ["code"],
      scopes: [...Object.values(SCOPES), OFFLINE_SCOPE],
      claims: {},
      pkce: { required: () => true },
      // With the type "native", the provider leaves every kind of redirect to our own rules.
      clientDefaults: {
        application_type: "native",
        id_token_signed_response_alg: "ES256",
        grant_types: [...CODE_GRANTS],
        response_types: ["code"],
        authorization_details_types: Object.values(DETAIL_TYPES),
      },
      cookies: {
        keys: [secret],
        names: {
          session: "pdpp_as",
          interaction: "pdpp_as_interaction",
          resume: "pdpp_as_resume",
        },
        short: cookie,
        long: cookie,
      },
      routes: {
        authorization: AUTH_PATHS.authorization,
        token: AUTH_PATHS.token,
        registration: AUTH_PATHS.registration,
        pushed_authorization_request: AUTH_PATHS.pushed,
        device_authorization: AUTH_PATHS.device,
        code_verification: AUTH_PATHS.verification,
        revocation: AUTH_PATHS.revocation,
        introspection: AUTH_PATHS.introspection,
        jwks: KEYS_PATH,
        end_session: "/oauth/session/end",
        userinfo: "/oauth/userinfo",
      },
      ttl: {
        AccessToken: accessTokenSeconds,
        AuthorizationCode: 60,
        DeviceCode: 10 * 60,
        Grant: REFRESH_SECONDS,
        Interaction: INTERACTION_SECONDS,
        // Long enough for the owner to sign in first.
        PushedAuthorizationRequest: 10 * 60,
        RefreshToken: REFRESH_SECONDS,
        Session: INTERACTION_SECONDS,
      },
      interactions: {
        policy: askAlways(),
        url: (_ctx: KoaContextWithOIDC, interaction: { uid: string }) => `${AUTH_PATHS.interaction}/${interaction.uid}`,
      },
      findAccount: async (_ctx: KoaContextWithOIDC, sub: string) => ({
        accountId: sub,
        claims: async () => ({ sub }),
      }),
      /** Only the grant that was just approved: an earlier grant never satisfies a new request. */
      loadExistingGrant: (ctx: KoaContextWithOIDC) => {
        const id = ctx.oidc.result?.consent?.grantId;
        return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id);
      },
      /** Every client sees the same subject, so no address in a registration is ever fetched. */
      sectorIdentifierUriValidate: () => false,
      rotateRefreshToken: rotateUnlessOtherResource,
      expiresWithSession: async () => false,
      issueRefreshToken: async (
        _ctx: KoaContextWithOIDC,
        client: { grantTypeAllowed(type: string): boolean },
        source,
      ) => {
        if (!client.grantTypeAllowed("refresh_token")) return false;
        const grant = await host.call("grantInfo", { id: source.grantId! }, { home: true });
        return grant?.access_mode === "continuous";
      },
      extraParams: { client_display: withDefaults },
      renderError: async (ctx: KoaContextWithOIDC, out: { error: string; error_description?: string }) =>
        page(ctx, pages.failed(ctx, out.error, out.error_description)),
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        revocation: {
          enabled: true,
          /** A client may revoke only its own tokens, and learns nothing about other clients' tokens. */
          allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
        },
        introspection: {
          enabled: true,
          /** A client may introspect only its own tokens; the owner has `GET /v1/grants`. */
          allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
        },
        registration: { enabled: true, idFactory: () => newId("client"), issueRegistrationAccessToken: false },
        pushedAuthorizationRequests: { enabled: true },
        // ChatGPT's document prefers a signed assertion but also accepts "none", which is the method we offer.
        rpMetadataChoices: { enabled: true },
        clientIdMetadataDocument: { enabled: true, ack: "draft-02", cacheDuration: { min: 60, max: DAY } },
        resourceIndicators: {
          enabled: true,
          defaultResource: ({ oidc }, _client, oneOf) =>
            oneOf?.[0] ?? resourcesOf(origin, lensOfScope(oidc.params?.scope as string | undefined))[0],
          useGrantedResource: () => true,
          getResourceServerInfo: (_ctx: KoaContextWithOIDC, resource: string) => {
            const audience = audienceOfResource(origin, resource);
            if (audience === undefined) throw new errors.InvalidTarget();
            return { scope: SCOPES[audience], accessTokenFormat: "opaque", audience: resource };
          },
        },
        richAuthorizationRequests: {
          enabled: true,
          types: {
            [DATA_ACCESS_TYPE]: { validate: checkDetail(dataAccess) },
            [FILE_ACCESS_TYPE]: { validate: checkDetail(fileAccess) },
          },
          authorizationDetailsForGrantSource: () => undefined,
          authorizationDetailsForAccessToken: () => undefined,
          authorizationDetailsForIntrospection: () => undefined,
        },
        deviceFlow: {
          enabled: true,
          charset: "base-20",
          mask: "****-****",
          deviceInfo: ({ ip }: KoaContextWithOIDC) => ({ address: ip }),
          userCodeInputSource: async (
            ctx: KoaContextWithOIDC,
            _form: string,
            out?: { error: string; error_description?: string },
            failure?: Error,
          ) => {
            const session = ctx.oidc.session as unknown as { exp?: number; touched: boolean };
            if (out === undefined || session.exp !== undefined) {
              return page(ctx, pages.userCode(ctx, failure && userCodeFailure(failure)));
            }
            // On its first visit, a browser has no form to send again, so no session is stored for it.
            session.touched = false;
            return page(ctx, pages.failed(ctx, out.error, out.error_description));
          },
          userCodeConfirmSource: async (
            ctx: KoaContextWithOIDC,
            _form: string,
            _client: unknown,
            device: Record<string, unknown>,
            userCode: string,
          ) => {
            const address = device.address as string;
            const at = (ctx.oidc.entities.DeviceCode!.iat as number) * 1000;
            return page(ctx, pages.userCodeConfirm(ctx, userCode, { address, at }));
          },
          successSource: async (ctx: KoaContextWithOIDC) => page(ctx, await pages.deviceDone(ctx)),
        },
      },
    };
  }
}

/** An access token never outlives its grant, so `expires_in` is accurate. */
function accessTokenSeconds({ oidc }: KoaContextWithOIDC): number {
  const { exp } = (oidc.entities.Grant ?? {}) as { exp?: number };
  return exp === undefined ? HOUR : Math.max(1, Math.min(HOUR, exp - Math.floor(Date.now() / 1000)));
}

function userCodeFailure(failure: Error): "unknown" | "aborted" | "failed" {
  if (failure.name === "AbortedError") return "aborted";
  return "userCode" in failure || failure.name === "NoCodeError" ? "unknown" : "failed";
}

/** There is one prompt: our page signs the owner in, shows the request and returns both results. */
function askAlways(): interactionPolicy.Prompt[] {
  const { Prompt, Check } = interactionPolicy;
  const unanswered = (ctx: KoaContextWithOIDC): boolean => ctx.oidc.result?.consent === undefined;
  return [
    new Prompt({ name: "login", requestable: true }),
    new Prompt(
      { name: "consent", requestable: true },
      new Check("not_asked_yet", "the owner has not been asked yet", "interaction_required", unanswered),
    ),
  ];
}

/** Agent hosts send neither scope nor details. They get the lens's scope, and the owner chooses. */
function withDefaults(ctx: KoaContextWithOIDC, value: string | undefined): void {
  const params = ctx.oidc.params!;
  const details = params.authorization_details;
  if (typeof details === "string" && Buffer.byteLength(details) > AUTHORIZATION_DETAILS_BYTES) {
    throw new errors.InvalidAuthorizationDetails(`more than ${AUTHORIZATION_DETAILS_BYTES} bytes`);
  }
  if (typeof details === "string" && (JSON.parse(details) as unknown[]).length > AUTHORIZATION_DETAILS_MAX) {
    throw new errors.InvalidAuthorizationDetails(`more than ${AUTHORIZATION_DETAILS_MAX} details`);
  }
  if (params.response_mode !== undefined && params.response_mode !== "query") {
    throw new errors.UnsupportedResponseMode();
  }
  const origin = ctx.oidc.issuer;
  const resources = [params.resource ?? []].flat() as string[];
  if (new Set(resources.map((resource) => audienceOfResource(origin, resource))).size > 1) {
    throw new errors.InvalidTarget("a request is for either records or files, not both");
  }
  if (value !== undefined && value.length > 2000) throw new errors.InvalidRequest("client_display is too long");
  // Both addresses of a lens are one audience, so an approval for one is valid for the other.
  const audience = audienceOfResource(origin, resources[0]!)!;
  if (typeof details === "string") checkLens(audience, JSON.parse(details) as { type: string }[]);
  params.resource = resourcesOf(origin, audience);
  params.scope = SCOPES[audience];
}

/**
 * Checked before the refresh token is consumed, so that a mistake does not cost the app its grant. Each token is
 * replaced after use.
 */
function rotateUnlessOtherResource({ oidc }: KoaContextWithOIDC): true {
  const granted = [oidc.entities.RefreshToken?.resource ?? []].flat();
  const asked = [(oidc.params?.resource as string | string[] | undefined) ?? []].flat();
  const other = asked.find((resource) => !granted.includes(resource));
  if (other !== undefined)
    throw new errors.InvalidTarget(`this refresh token is for ${granted.join(", ")}; omit the resource parameter`);
  return true;
}

const DETAIL_TYPES: Record<Audience, string> = { records: DATA_ACCESS_TYPE, files: FILE_ACCESS_TYPE };

/** The details must belong to the lens that is requested. */
function checkLens(audience: Audience, details: readonly { type: string }[]): void {
  const type = DETAIL_TYPES[audience];
  const other = details.findIndex((detail) => detail.type !== type);
  if (other >= 0) {
    throw new errors.InvalidAuthorizationDetails(
      `${other}.type: this resource accepts ${type}; ${details[other]!.type} is for the other lens`,
    );
  }
  if (audience === "files" && details.length > 1) {
    throw new errors.InvalidAuthorizationDetails(
      "request files with a single authorization detail that lists all roots",
    );
  }
}

/** Checks only the shape. Whether the named items exist here is not revealed before the owner has seen the request. */
const checkDetail =
  (schema: z.ZodType) =>
  (_ctx: KoaContextWithOIDC, detail: unknown): void => {
    const parsed = schema.safeParse(detail);
    if (parsed.success) return;
    const issue = firstIssue(parsed.error);
    const path = issue.path.join(".");
    throw new errors.InvalidAuthorizationDetails(path === "" ? issue.message : `${path}: ${issue.message}`);
  };

/** Our tokens have a recognisable prefix, so that logs can hide them and surfaces can tell them apart. */
function ownTokens(provider: Provider, secret: string): void {
  const named = (model: unknown, kind: "client" | "refresh"): void => {
    const { prototype } = model as { prototype: { generateTokenId(this: { format?: string }): string } };
    const original = prototype.generateTokenId;
    prototype.generateTokenId = function generateTokenId() {
      // This also sets the token's format.
      original.call(this);
      const used = kind === "refresh" ? Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti : undefined;
      return used === undefined ? newToken(kind) : nextRefreshToken(secret, used);
    };
  };
  named(provider.AccessToken, "client");
  named(provider.RefreshToken, "refresh");
}

/**
 * Redirects are checked against our own rules when a client is read or registered, and on every request. The scopes in
 * a registration limit nothing: clients list scopes of other servers there, and the grants decide what a client may
 * read.
 */
function ownClients(provider: Provider): void {
  const Client = provider.Client as unknown as {
    prototype: { redirectUriAllowed(this: { redirectUris: string[] }, uri: string): boolean };
    Schema: {
      prototype: {
        redirectUris(this: ClientSchema, uris?: string[], label?: string): void;
        scopes(this: ClientSchema): void;
        required(this: ClientSchema): void;
      };
    };
  };
  Client.prototype.redirectUriAllowed = function redirectUriAllowed(presented) {
    return this.redirectUris.some((registered) => matchesRedirect(registered, presented));
  };
  const { required } = Client.Schema.prototype;
  Client.Schema.prototype.required = function (this: ClientSchema) {
    if (isDevice(this)) Object.assign(this, { response_types: [], grant_types: [DEVICE_GRANT, "refresh_token"] });
    required.call(this);
  };
  Client.Schema.prototype.scopes = function scopes(this: ClientSchema) {
    delete this.scope;
  };
  Client.Schema.prototype.redirectUris = function redirectUris(
    this: ClientSchema,
    uris = this.redirect_uris ?? [],
    label = "redirect_uris",
  ) {
    if (uris.length > REDIRECTS_MAX) this.invalidate(`${label}: at most ${REDIRECTS_MAX}`);
    for (const uri of uris) {
      const problem = validateRedirectUri(uri, { applicationType: this.application_type });
      if (problem !== undefined) this.invalidate(`${label}: ${JSON.stringify(uri)} ${problem}`);
    }
  };
}

/** An app that registers without a redirect address and does not need one can use only the device flow. */
function isDevice({ client_id, redirect_uris, grant_types }: ClientSchema): boolean {
  if (redirect_uris !== undefined || documentHost(client_id) !== undefined || !Array.isArray(grant_types)) return false;
  return grant_types.includes(DEVICE_GRANT) || grant_types.join() === CODE_GRANTS.join();
}

interface ClientSchema {
  client_id: string;
  scope?: string;
  grant_types: string[];
  redirect_uris?: string[];
  application_type: "web" | "native";
  invalidate(message: string): void;
}
