// Normalises requests to the authorization server, because clients express the same thing in different ways (C-01,
// C-03).
import type Provider from "oidc-provider";
import { normaliseResource } from "../core/resources.ts";

interface RequestParameters {
  scope?: string;
  resource?: string | string[];
  grant_type?: string;
}

/** RFC 6749 section 3.3. A scope with any other syntax is left for the provider to refuse. */
const SCOPE_SYNTAX = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/;

/**
 * Runs before the provider checks anything. The provider has no such hook for the token endpoint, but all requests
 * share one class.
 */
export function normaliseRequests(provider: Provider): void {
  const { prototype } = (provider as unknown as { OIDCContext: { prototype: object } }).OIDCContext;
  const kept = new WeakMap<object, RequestParameters>();
  Object.defineProperty(prototype, "params", {
    get(this: { route: string }) {
      return kept.get(this);
    },
    set(this: { route: string }, params: RequestParameters) {
      kept.set(this, this.route === "token" ? tokenRequest(provider.issuer, params) : asked(provider.issuer, params));
    },
  });
}

function asked(origin: string, params: RequestParameters): RequestParameters {
  if (params.resource === undefined) return params;
  const meant = [params.resource].flat().map((resource) => normaliseResource(origin, resource, params.scope));
  return Object.assign(params, { resource: meant.length === 1 ? meant[0] : meant });
}

/**
 * The code or refresh token determines what is issued. A resource that is just the origin means the granted lens. A
 * refresh gets the granted scopes, whatever scopes it lists: Codex repeats `offline_access`, and other clients repeat
 * the scopes they registered with.
 */
function tokenRequest(origin: string, params: RequestParameters): RequestParameters {
  const resources = [params.resource ?? []].flat().filter((resource) => resource.replace(/\/$/, "") !== origin);
  const meant = resources.map((resource) => normaliseResource(origin, resource, undefined));
  if (params.grant_type === "refresh_token" && SCOPE_SYNTAX.test(params.scope ?? "")) params.scope = undefined;
  return Object.assign(params, { resource: meant.length > 1 ? meant : meant[0] });
}
