// The two audiences of a token and the addresses that mean them (RFC 8707), byte for byte as discovery tells them.

export type Audience = "records" | "files";

/** The one scope there is; what a token reads is in its grant. */
export const SCOPE = "read";

const PATHS: Record<Audience, readonly string[]> = { records: ["/mcp", "/v1"], files: ["/files/mcp", "/api"] };

export const resourcesOf = (origin: string, audience: Audience): string[] =>
  PATHS[audience].map((path) => `${origin}${path}`);

const AUDIENCES = ["records", "files"] as const;

/** Every name of a resource that a request may use. The root of the server is its gate; clients that only know the origin mean that. */
const namesOf = (origin: string, audience: Audience): string[] => [
  ...resourcesOf(origin, audience),
  ...(audience === "records" ? [origin, `${origin}/`] : []),
];

export const resourceNames = (origin: string): string[] => AUDIENCES.flatMap((audience) => namesOf(origin, audience));

export function audienceOf(origin: string, resource: string): Audience | undefined {
  return AUDIENCES.find((audience) => namesOf(origin, audience).includes(resource));
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
  };
}
