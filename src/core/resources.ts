// The two lenses of this server, and the URLs and scopes that identify them, for discovery and for requests.

import type { Audience } from "../contract/auth.ts";
import { CAPABILITIES_PATH } from "../core/event-capabilities.ts";

/** One scope for each lens. It identifies only the lens; the grant decides what a token can read. */
export const SCOPES: Record<Audience, string> = { records: "read", files: "files" };

/**
 * Requested by apps that want to refresh tokens. Every app with a lasting grant can refresh, even without this scope.
 */
export const OFFLINE_SCOPE = "offline_access";

const PATHS = { records: ["/mcp", "/v1"], files: ["/files/mcp", "/api"] } as const satisfies Record<
  Audience,
  readonly string[]
>;
const LENSES = ["records", "files"] as const;

export type ResourcePath = (typeof PATHS)[Audience][number];

/** Returns the URLs exactly as discovery publishes them; the first is the MCP endpoint. */
export const resourcesOf = (origin: string, audience: Audience): string[] =>
  PATHS[audience].map((path) => `${origin}${path}`);

/** The URL for an MCP client. */
export const mcpResource = (origin: string, audience: Audience): string => resourcesOf(origin, audience)[0]!;

export const RESOURCE_PATHS: readonly ResourcePath[] = LENSES.flatMap((lens) => [...PATHS[lens]]);

export function audienceOfResource(origin: string, resource: string): Audience | undefined {
  return LENSES.find((lens) => resourcesOf(origin, lens).includes(resource));
}

/**
 * Ignores unknown scopes. Returns records by default, because most apps want records, including those that request
 * everything.
 */
export function lensOfScope(scope: string | undefined): Audience {
  const scopes = new Set(scope?.split(" "));
  return scopes.has(SCOPES.files) && !scopes.has(SCOPES.records) ? "files" : "records";
}

/**
 * Returns the URL that a request refers to. The MCP SDK adds a slash to a bare origin, and people add one to any URL.
 * Clients that read only the root document request the origin; then the scope determines the lens. Anything else is
 * returned unchanged.
 */
export function normaliseResource(origin: string, resource: string, scope: string | undefined): string {
  const bare = resource.replace(/\/$/, "");
  if (bare === origin) return resourcesOf(origin, lensOfScope(scope))[0]!;
  return audienceOfResource(origin, bare) === undefined ? resource : bare;
}

/**
 * RFC 9728: the authorization server for this URL. Without a path, the metadata covers the whole origin with both
 * lenses.
 */
export function protectedResource(origin: string, path: ResourcePath | ""): object {
  const lens = LENSES.find((one) => (PATHS[one] as readonly string[]).includes(path));
  return {
    resource: `${origin}${path}`,
    authorization_servers: [origin],
    scopes_supported: lens === undefined ? LENSES.map((one) => SCOPES[one]) : [SCOPES[lens]],
    bearer_methods_supported: ["header"],
    resource_name: lens === "files" ? "Postern files" : "Postern",
    resource_documentation: `${origin}/llms.txt`,
    ...(lens === "files" || path === "/mcp" ? {} : restMetadata(origin)),
  };
}

/**
 * Beyond RFC 9728: metadata that REST clients look for, including the reference implementation's CLI and smoke script
 * (C-08).
 */
const restMetadata = (origin: string): object => ({
  event_subscriptions: `${origin}${CAPABILITIES_PATH}`,
  capabilities: { client_event_subscriptions: { supported: true, capabilities: `${origin}${CAPABILITIES_PATH}` } },
  pdpp_agent_discovery: { cli: { no_owner_token: true } },
});

/** RFC 6750 and RFC 9728: tells a caller without a valid token how to get one for this URL. */
export function bearerChallenge(origin: string, path: ResourcePath): string {
  const lens = LENSES.find((one) => (PATHS[one] as readonly string[]).includes(path))!;
  return `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource${path}", scope="${SCOPES[lens]}"`;
}
