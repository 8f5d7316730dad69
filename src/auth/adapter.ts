// Keeps oidc-provider's data in our own store. Grants and access tokens are not copied: they are read from the tables
// that every request is checked against, so a revocation there takes effect here.
import { hash } from "node:crypto";
import type { Adapter, AdapterPayload } from "oidc-provider";
import { PdppError } from "../contract/errors.ts";
import { audienceOfResource, OFFLINE_SCOPE, resourcesOf, SCOPES } from "../core/resources.ts";
import { hashToken } from "../engine/caller.ts";
import type { AnswerOf, CallName, QueryOf } from "../engine/calls/calls.ts";
import type { EngineHost } from "../engine/host.ts";
import { nextRefreshToken, REPEAT_MS } from "./next-refresh-token.ts";

/** A client that registers but is never approved is deleted after a day. Approved clients are kept. */
const UNUSED_CLIENT_SECONDS = 86_400;
/**
 * These kinds are looked up by something other than their id, so the stored item must contain the id. All other kinds
 * are stored without it.
 */
const KINDS_STORED_WITH_ID = new Set(["Session", "DeviceCode", "Interaction"]);

/** The length limit for these ids. No id issued here has ever been longer. */
const NAMED_LENGTH_MAX = 200;

const HOME = { home: true } as const;
const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

export const itemHash = (kind: string, id: string): string => hash("sha256", `${kind}:${id}`, "base64url");

/** Called when a single-use item is presented again. It throws, and the provider reports `invalid_grant`. */
export type OnReuse = (grantId: string | null) => Promise<never>;

/** Why the provider is destroying a grant: the app revoked it, or a code or token was used twice. */
export type Ending = () => "app" | "reuse";

export interface AdapterOptions {
  host: EngineHost;
  issuer: string;
  /** The home's secret. */
  secret: string;
  reused: OnReuse;
  ending: Ending;
}

export function authAdapter({ host, issuer, secret, reused, ending }: AdapterOptions): (name: string) => Adapter {
  const ask: Ask = (name, query) => host.call(name, query, HOME);
  return (name) => {
    if (name === "AccessToken") return accessTokens(ask, issuer);
    if (name === "Grant") return grants(ask, issuer, ending);
    return items(name, ask, reused, name === "RefreshToken" ? repeatedRefresh(ask, secret) : async () => false);
  };
}

/** The fields of a stored item that this file reads. */
interface KeptItem {
  body: string;
  grantId: string | null;
  consumedAt: number | null;
  expiresAt: number | null;
}

type Ask = <C extends CallName>(name: C, query: QueryOf<C>) => Promise<AnswerOf<C>>;

/** Returns true if a used item may be used again. */
type AllowsReuse = (id: string, item: KeptItem | null) => Promise<boolean>;

/** Allows two simultaneous refreshes with the same token, as long as the next token has not been used yet. */
const repeatedRefresh =
  (ask: Ask, secret: string): AllowsReuse =>
  async (id, item) => {
    const usedAt = item?.consumedAt ?? null;
    if (usedAt === null || Date.now() - usedAt >= REPEAT_MS) return false;
    const next = itemHash("RefreshToken", nextRefreshToken(secret, id));
    return ((await ask("authItem", { kind: "RefreshToken", hash: next }))?.consumedAt ?? null) === null;
  };

function items(kind: string, ask: Ask, reused: OnReuse, mayRepeat: AllowsReuse): Adapter {
  const payloadOf = (item: KeptItem | null, id?: string): AdapterPayload | undefined => {
    if (item === null || (item.expiresAt !== null && item.expiresAt <= Date.now())) return undefined;
    const payload = JSON.parse(item.body) as AdapterPayload;
    return {
      ...payload,
      ...(id === undefined || kind === "Client" ? {} : { jti: id }),
      ...(item.consumedAt === null ? {} : { consumed: seconds(item.consumedAt) }),
    };
  };
  return {
    async upsert(id, { jti, ...payload }, expiresIn) {
      const lifetime = kind === "Client" ? UNUSED_CLIENT_SECONDS : expiresIn;
      await translateErrors(
        ask("putAuthItem", {
          kind,
          hash: itemHash(kind, id),
          body: JSON.stringify(KINDS_STORED_WITH_ID.has(kind) ? { jti, ...payload } : payload),
          grantId: payload.grantId ?? null,
          uid: kind === "Session" ? (payload.uid ?? null) : null,
          userCode: payload.userCode ?? null,
          expiresAt: lifetime ? Date.now() + lifetime * 1000 : null,
        }),
      );
    },
    async find(id) {
      const item = await ask("authItem", { kind, hash: itemHash(kind, id) });
      const found = payloadOf((await mayRepeat(id, item)) ? { ...item!, consumedAt: null } : item, id);
      return found ?? (kind === "Client" ? namedClient(ask, id) : undefined);
    },
    findByUid: async (uid) => payloadOf(await ask("authItemBy", { kind, key: "uid", value: uid })),
    findByUserCode: async (code) =>
      code.length > NAMED_LENGTH_MAX
        ? undefined
        : payloadOf(await ask("authItemBy", { kind, key: "user_code", value: code })),
    async consume(id) {
      const reference = { kind, hash: itemHash(kind, id) };
      const { consumed } = await ask("consumeAuthItem", reference);
      if (consumed) return;
      const item = await ask("authItem", reference);
      if (!(await mayRepeat(id, item))) await reused(item?.grantId ?? null);
    },
    destroy: async (id) => void (await ask("deleteAuthItem", { kind, hash: itemHash(kind, id) })),
    revokeByGrantId: NOTHING_TO_REVOKE,
  };
}

/** Translates an engine error for the provider. */
async function translateErrors(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    if (!error.code.startsWith("grant_")) throw error;
    const { errors } = await import("oidc-provider");
    throw new errors.InvalidGrant(error.message);
  }
}

/**
 * A client that never registered here, because the owner created its grant with `pdpp grants issue`. It can only
 * introspect.
 */
async function namedClient(ask: Ask, id: string): Promise<AdapterPayload | undefined> {
  // A client whose id is a URL is described only by its document, even after it has been approved.
  if (id.length > NAMED_LENGTH_MAX || id.startsWith("https://")) return undefined;
  const client = await ask("namedClient", { id });
  if (client === null) return undefined;
  return {
    client_id: id,
    client_name: client.name,
    redirect_uris: [],
    response_types: [],
    grant_types: [],
    token_endpoint_auth_method: "none",
  };
}

function accessTokens(ask: Ask, issuer: string): Adapter {
  return {
    ...NOT_KEPT,
    async upsert(id, { grantId, aud, exp }) {
      const audience = audienceOfResource(issuer, aud as string) ?? "records";
      await translateErrors(ask("issueToken", { hash: hashToken(id), id: grantId!, audience, expiresAt: exp! * 1000 }));
    },
    async find(id) {
      const token = await ask("tokenInfo", { hash: hashToken(id) });
      if (token === null) return undefined;
      return {
        jti: id,
        kind: "AccessToken",
        accountId: token.grant.subject_id,
        clientId: token.grant.client_id,
        grantId: token.grant.id,
        scope: SCOPES[token.grant.audience],
        aud: resourcesOf(issuer, token.grant.audience)[0]!,
        iat: seconds(token.grant.issued_at),
        ...(token.expires_at === null ? {} : { exp: seconds(token.expires_at) }),
      };
    },
    destroy: async (id) => void (await ask("deleteToken", { hash: hashToken(id) })),
  };
}

/** The approval created the rows; this only shows them in the provider's format. */
function grants(ask: Ask, issuer: string, ending: Ending): Adapter {
  return {
    ...NOT_KEPT,
    async find(id) {
      const grant = await ask("grantInfo", { id });
      if (grant === null) return undefined;
      return {
        jti: id,
        kind: "Grant",
        accountId: grant.subject_id,
        clientId: grant.client_id,
        openid: { scope: OFFLINE_SCOPE },
        resources: Object.fromEntries(
          resourcesOf(issuer, grant.audience).map((resource) => [resource, SCOPES[grant.audience]]),
        ),
        iat: seconds(grant.issued_at),
        ...(grant.expires_at === null ? {} : { exp: seconds(grant.expires_at) }),
      };
    },
    destroy: async (id) => void (await ask("endGrant", { id, by: ending() })),
  };
}

/**
 * The provider calls this for each kind of item. There is nothing to do: when a grant is destroyed, everything that
 * belongs to it ends too. Revoking an access token ends only that token.
 */
const NOTHING_TO_REVOKE = async (): Promise<undefined> => undefined;

const NOT_KEPT: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: NOTHING_TO_REVOKE,
};
