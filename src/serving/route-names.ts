// The name of a request in the log and in the metrics is the pattern of its route, never its path. So no id, name or
// token is logged, and there are only as many names as routes.

import { ROUTES } from "../engine/calls/calls.ts";
import { FILE_ROUTES } from "../surfaces/files/routes.ts";
import { PROBES } from "../surfaces/http/probes.ts";
import { pathTable } from "../surfaces/http/route-table.ts";

const api = [...ROUTES, ...FILE_ROUTES].map(({ path }) => path);

const PATTERNS: readonly string[] = [
  ...api,
  // The owner's pages call the same routes under their session.
  ...api.map((path) => `/dashboard${path}`),
  ...Object.keys(PROBES),
  "/",
  "/metrics",
  "/mcp",
  "/files/mcp",
  "/llms.txt",
  "/llms-full.txt",
  "/openapi.json",
  "/docs/errors",
  "/setup",
  "/login",
  "/logout",
  "/dashboard",
  "/dashboard.json",
  "/device",
  "/device/{id}",
  "/oauth/authorize",
  "/oauth/authorize/{id}",
  "/oauth/token",
  "/oauth/register",
  "/oauth/register/{id}",
  "/oauth/par",
  "/oauth/device",
  "/oauth/revoke",
  "/oauth/introspect",
  "/oauth/jwks",
  "/oauth/agent-connect",
  "/oauth/agent-connect/poll",
];

/** All paths below one of these share a name. */
const FAMILIES: Readonly<Record<string, string>> = {
  "/dashboard/": "/dashboard/{page}",
  "/assets/": "/assets/{file}",
  "/.well-known/": "/.well-known/{document}",
  "/oauth/interaction/": "/oauth/interaction/{id}",
};

/** The name for paths without a route. */
const NO_ROUTE = "(none)";

const match = pathTable([...new Set(PATTERNS)].map((path) => ({ path })));

export function routeName(pathname: string): string {
  const family = (): string | undefined => Object.keys(FAMILIES).find((beginning) => pathname.startsWith(beginning));
  return match(pathname)?.pattern ?? FAMILIES[family() ?? ""] ?? NO_ROUTE;
}
