// Finds the authorization server's endpoints for the address that a person typed (RFC 9728, then RFC 8414). Identifiers
// are compared byte for byte.
import { z } from "zod";
import type { Audience } from "../../../contract/auth.ts";
import { PdppError } from "../../../contract/errors.ts";
import { mcpResource } from "../../../core/resources.ts";
import { UsageError } from "../command.ts";
import { ask } from "./exchange.ts";

const resourceDocument = z.looseObject({ resource: z.string(), authorization_servers: z.array(z.string()).min(1) });

const serverDocument = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
  device_authorization_endpoint: z.string(),
  revocation_endpoint: z.string().optional(),
});

export interface Discovered extends z.infer<typeof serverDocument> {
  origin: string;
  /** The resource that tokens are requested for. */
  resource: string;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Accepts `data.example.org`, `127.0.0.1:7887` and `https://data.example.org/mcp`, because people paste whatever
 * address they have.
 */
export function originOf(typed: string): string {
  const bare = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : undefined;
  const host = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/i.test(typed) ? `http://${typed}` : `https://${typed}`;
  const url = URL.parse(bare ?? host);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || !/^\/(?:mcp\/?)?$/.test(url.pathname))
    throw new UsageError(`a server must be an address such as https://data.example.org, not ${JSON.stringify(typed)}`);
  return url.origin;
}

export async function discover(
  origin: string,
  { insecureHttp, lens }: { insecureHttp: boolean; lens: Audience },
): Promise<Discovered> {
  const safe = (address: string): void => {
    const { protocol, hostname } = new URL(address);
    if (protocol === "https:" || LOOPBACK.test(hostname) || (insecureHttp && protocol === "http:")) return;
    throw new PdppError(
      "invalid_request",
      `${address} is not encrypted: others on the network could read the traffic`,
      {
        param: "origin",
        next_step: "Use its https address, or add --insecure-http if you trust the network.",
      },
    );
  };
  safe(origin);
  const resource = mcpResource(origin, lens);
  const guarded = await ask(
    `${origin}/.well-known/oauth-protected-resource${resource.slice(origin.length)}`,
    resourceDocument,
  );
  if (guarded.resource !== resource) throw otherName(origin, guarded.resource);
  const issuer = guarded.authorization_servers[0]!;
  if (!URL.canParse(issuer)) throw otherName(origin, issuer);
  safe(issuer);
  const found = await ask(metadataUrl(issuer), serverDocument);
  if (found.issuer !== issuer) throw otherName(issuer, found.issuer);
  for (const [name, address] of Object.entries(found))
    if (/_endpoint$/.test(name) && typeof address === "string") safe(address);
  return { ...found, origin, resource };
}

/** RFC 8414 §3.1: the well-known part comes before the path. */
function metadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname === "/" ? "" : pathname}`;
}

function otherName(expected: string, found: string): PdppError {
  const origin = URL.parse(found)?.origin;
  return new PdppError("invalid_request", `${expected} says that its own address is ${JSON.stringify(found)}`, {
    param: "origin",
    next_step:
      origin === undefined || origin === "null" || origin === expected
        ? "Ask its operator: its --public-url must be the address that people use."
        : `Use its own name: \`pdpp connect ${origin}\`.`,
  });
}
