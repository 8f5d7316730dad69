// Finds the route of a /v1 request.

import { type CallRoute, ROUTES } from "../../engine/calls/calls.ts";
import { routeTable } from "../http/route-table.ts";

export const matchRoute = routeTable<CallRoute>(ROUTES);
