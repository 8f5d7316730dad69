// The table of /v1, in the order in which it is told; OpenAPI is generated from it.
import { collectRoutes } from "./collect-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { fileRoutes } from "./file-routes.ts";
import { grantRoutes } from "./grant-routes.ts";
import { importRoutes } from "./import-routes.ts";
import { readingRoutes } from "./reading-routes.ts";
import type { Route } from "./route.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import { sourceRoutes } from "./source-routes.ts";

const routes = [
  ...readingRoutes,
  ...fileRoutes,
  ...sourceRoutes,
  ...grantRoutes,
  ...importRoutes,
  ...collectRoutes,
  ...scheduleRoutes,
  ...eventRoutes,
] as const;

export const ROUTES: readonly Route[] = routes;
/** The engine calls that have a route: whoever maps them is told of a new one by the compiler. */
export type RouteCall = (typeof routes)[number]["call"];
