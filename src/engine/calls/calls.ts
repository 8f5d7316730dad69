// Every engine call by name, and everything derived from the definitions: types, routes and lanes.
import type { z } from "zod";
import { parametersOf, type Route } from "../../contract/route.ts";
import { ALL_CONNECTIONS } from "../../core/scope.ts";
import type { Answer } from "../read/context.ts";
import { ACTIVITY_CALLS } from "./activity.ts";
import { AUTHORIZATION_CALLS } from "./authorization.ts";
import { BLOB_CALLS } from "./blobs.ts";
import { CONNECTOR_CALLS } from "./connectors.ts";
import type { AnyCall, Lane } from "./define.ts";
import { EVENT_CALLS } from "./events.ts";
import { EXPORT_CALLS } from "./exports.ts";
import { FILE_CALLS } from "./files.ts";
import { GRANT_CALLS } from "./grants.ts";
import { IMPORT_CALLS } from "./imports.ts";
import { OWNER_CALLS } from "./owner.ts";
import { PEOPLE_CALLS } from "./people.ts";
import { RECOGNITION_CALLS } from "./recognition.ts";
import { RECORD_CALLS } from "./records.ts";
import { SCHEDULE_CALLS } from "./schedules.ts";
import { SEARCH_MODEL_CALLS } from "./search-model.ts";
import { SECOND_FACTOR_CALLS } from "./second-factor.ts";
import { SOURCE_CALLS } from "./sources.ts";

/** In the order in which OpenAPI and the activity page list them. */
export const CALLS = {
  ...RECORD_CALLS,
  ...SEARCH_MODEL_CALLS,
  ...PEOPLE_CALLS,
  ...EXPORT_CALLS,
  ...BLOB_CALLS,
  ...SOURCE_CALLS,
  ...GRANT_CALLS,
  ...ACTIVITY_CALLS,
  ...IMPORT_CALLS,
  ...RECOGNITION_CALLS,
  ...CONNECTOR_CALLS,
  ...SCHEDULE_CALLS,
  ...EVENT_CALLS,
  ...FILE_CALLS,
  ...OWNER_CALLS,
  ...SECOND_FACTOR_CALLS,
  ...AUTHORIZATION_CALLS,
};

export type CallName = keyof typeof CALLS;

export type QueryOf<C extends CallName> = z.input<(typeof CALLS)[C]["query"]>;

type Ran<C extends CallName> = Awaited<ReturnType<(typeof CALLS)[C]["run"]>>;
type CallAnswers = {
  [C in CallName]: (typeof CALLS)[C] extends { kind: "read" } ? (Ran<C> extends Answer<infer T> ? T : never) : Ran<C>;
};
export type AnswerOf<C extends CallName> = CallAnswers[C];

/** A definition with its general type. `CALLS[name]` has narrower types. */
export const callNamed = (name: CallName): AnyCall => CALLS[name] as unknown as AnyCall;

/** True if the call returns only after all running reads have finished. */
export const endsAccess = (name: CallName): boolean => callNamed(name).effects?.includes("endsAccess") ?? false;

/** True if the call bypasses queues and stalled writers (0022). */
export function isUrgent(name: CallName): boolean {
  const call = callNamed(name);
  return call.kind === "write" && (call.urgent === true || endsAccess(name));
}

/** True if the call may run alongside another call in its lane. */
export function passesQueue(name: CallName): boolean {
  const call = callNamed(name);
  return call.kind === "read" && call.passesQueue === true;
}

/** True if a session needs a recent password to make a call with this query. */
export function createsLastingAccess(name: CallName, query: unknown): boolean {
  const { lastingAccess = false } = callNamed(name);
  return typeof lastingAccess === "function" ? lastingAccess(query) : lastingAccess;
}

/** A page request with any of these fields needs columns. */
const HEAVY = ["filter", "sort", "count", "expand"] as const;

/** The lane is chosen without parsing the query. Point reads and simple pages never wait behind a scan. */
export function laneOf(name: CallName, query: unknown): Lane {
  const call = callNamed(name);
  if (call.kind === "write") return "writer";
  if (call.lane !== undefined || typeof query !== "object" || query === null) return call.lane ?? "rows";
  const asked = query as Record<string, unknown>;
  if (asked.connection_id === ALL_CONNECTIONS) return "scans";
  return HEAVY.some((member) => asked[member] !== undefined) ? "scans" : "rows";
}

/** A /v1 route with the call behind it. */
export interface CallRoute extends Route {
  call: CallName;
}

export const ROUTES: readonly CallRoute[] = (Object.keys(CALLS) as CallName[]).flatMap((name) => {
  const { route, query, access, ...rest } = callNamed(name);
  if (route === undefined) return [];
  const schema = route.schema ?? (query as z.ZodObject);
  const open = "open" in rest && rest.open === true;
  return [
    {
      ...route,
      call: name,
      schema,
      access: open ? "anyone" : access === "app" ? "app" : "owner",
      parameters: parametersOf(route, schema),
    } as const,
  ];
});
