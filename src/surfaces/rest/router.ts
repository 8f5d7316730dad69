// The route of a request to /v1.
import { type RouteMatch as Match, routeTable } from "../http/route-table.ts";
import type { Route } from "./route.ts";
import { ROUTES } from "./routes.ts";

export type RouteMatch = Match<Route>;

export const matchRoute = routeTable<Route>(ROUTES);
