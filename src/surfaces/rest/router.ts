// The route of a request to /v1.

import { type CallRoute, ROUTES } from "../../engine/calls/calls.ts";
import { type RouteMatch as Match, routeTable } from "../http/route-table.ts";

export type RouteMatch = Match<CallRoute>;

export const matchRoute = routeTable<CallRoute>(ROUTES);
