// The route of a request to /v1.

import { type CallRoute, ROUTES } from "../../engine/calls/calls.ts";
import { routeTable } from "../http/route-table.ts";

export const matchRoute = routeTable<CallRoute>(ROUTES);
