// The two audiences of a token and the addresses that mean them (RFC 8707), byte for byte as discovery tells them.

import type { Audience } from "../contract/auth.ts";
import { CAPABILITIES_PATH } from "../core/event-capabilities.ts";

/** The one scope there is; what a token reads is in its grant. */
export const SCOPE = "read";

const PATHS: Record<Audience, readonly string[]> = { records: ["/mcp", "/v1"], files: ["/files/mcp", "/api"] };

export const resourcesOf = (origin: string, audience: Audience): string[] =>
  PATHS[audience].map((path) => `${origin}${path}`);

const AUDIENCES = ["records", "files"] as const;

/** Every name of a lens that a request may use. The root of the server is its gate; clients that only know the origin mean that. */
export const resourceNames = (origin: string, audience: Audience): string[] => [
  ...resourcesOf(origin, audience),
  ...(audience === "records" ? [origin, `${origin}/`] : []),
];

export function audienceOf(origin: string, resource: string): Audience | undefined {
  return AUDIENCES.find((audience) => resourceNames(origin, audience).includes(resource));
}

/** RFC 9728: who guards this resource. */
export function protectedResource(origin: string, path: "/mcp" | "/v1" | "/files/mcp"): object {
  return {
    resource: `${origin}${path}`,
    authorization_servers: [origin],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: path === "/files/mcp" ? "Postern files" : "Postern",
    resource_documentation: `${origin}/llms.txt`,
    ...(path === "/v1" ? { event_subscriptions: `${origin}${CAPABILITIES_PATH}` } : {}),
  };
}
