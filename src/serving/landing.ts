// GET / returns a page for people and an index for programs.
import { LADDER } from "../contract/ladder.ts";
import { CAPABILITIES_PATH } from "../core/event-capabilities.ts";
import { type Exchange, json } from "../surfaces/http/respond.ts";

/** An index of all addresses. It covers reading only, because owners do everything else signed in. */
function discoveryIndex(origin: string): object {
  return {
    object: "discovery",
    name: "Postern",
    mcp: `${origin}/mcp`,
    llms: `${origin}/llms.txt`,
    llms_full: `${origin}/llms-full.txt`,
    rest: `${origin}/v1`,
    schema: `${origin}/v1/schema`,
    openapi: `${origin}/openapi.json`,
    errors: `${origin}/docs/errors`,
    event_subscriptions: `${origin}${CAPABILITIES_PATH}`,
    protected_resource: `${origin}/.well-known/oauth-protected-resource/mcp`,
    authorization_server: `${origin}/.well-known/oauth-authorization-server`,
    dashboard: `${origin}/dashboard`,
    connect: `pdpp connect ${origin}`,
    ladder: LADDER.map(({ name, mcp, rest, cli }) => ({ step: name, mcp, rest, cli })),
  };
}

export async function landing(exchange: Exchange): Promise<Response> {
  const { request, origin } = exchange;
  if (!(request.headers.get("accept") ?? "").includes("text/html"))
    return json(exchange, JSON.stringify(discoveryIndex(origin)));
  // The page has its own styles, so it is loaded only for the first visitor.
  const [{ landingPage }, { page }] = await Promise.all([
    import("../surfaces/web/pages/landing.ts"),
    import("../surfaces/web/page-response.ts"),
  ]);
  return page(exchange, landingPage(origin));
}
