// The /api route table, in the order of the documentation. OpenAPI is generated from it. GET /api/jobs/{id} is in the
// /v1 table.
import { routeTable } from "../http/route-table.ts";
import { findRoutes } from "./find-routes.ts";
import { indexRoutes } from "./index-routes.ts";
import { linkRoutes } from "./link-routes.ts";
import { nodeRoutes } from "./node-routes.ts";
import { queryRoutes } from "./query-routes.ts";
import { reportRoutes } from "./report-routes.ts";
import { rootRoutes } from "./root-routes.ts";
import type { FileRoute } from "./route.ts";
import { setRoutes } from "./set-routes.ts";

const routes = [
  ...rootRoutes,
  ...indexRoutes,
  ...nodeRoutes,
  ...findRoutes,
  ...reportRoutes,
  ...setRoutes,
  ...queryRoutes,
  ...linkRoutes,
] as const;

export const FILE_ROUTES: readonly FileRoute[] = routes;
/** The calls that have a route. A mapping over them does not compile if it lacks one. */
export type FileRouteCall = (typeof routes)[number]["call"];

export const matchFileRoute = routeTable<FileRoute>(FILE_ROUTES);
