// /dashboard/activity: what apps read and what the owner did, newest first, with filters, and whether the log is
// intact.
import type { ActivityVerification } from "../../../contract/activity.ts";
import { parseDay } from "../../../core/instant.ts";
import { startOfDay } from "../../../core/start-of-day.ts";
import { ownerPage } from "../owner-page.ts";
import type { PageJob } from "../page-jobs.ts";
import { ACTIVITY } from "./activity-address.ts";
import { type ActivityLine, lineOf, namesFrom } from "./activity-line.ts";
import { showActivity } from "./activity-view.ts";
import { grantsOf } from "./app-grants.ts";
import { dayAfter } from "./explore/local-days.ts";
import { wholeNumber } from "./words.ts";

/** Entries per page. */
const SHOWN = 50;
const CHECK = "verify";

/** The filter as in the address. `who` is `owner`, `app` or an app's id. */
export interface ActivityFilter {
  who?: string;
  connection_id?: string;
  stream?: string;
  action?: string;
  outcome?: "ok" | "denied";
  grant_id?: string;
  request_id?: string;
  since?: string;
  until?: string;
}

export interface ActivityView {
  filter: ActivityFilter;
  /** The filter as the log accepts it. */
  asked: Readonly<Record<string, string | number>>;
  lines: readonly ActivityLine[];
  before?: number;
  /** The next page starts before this entry. */
  nextBefore?: number;
  choices: {
    apps: readonly { clientId: string; name: string }[];
    connections: readonly { connectionId: string; name: string }[];
    streams: readonly string[];
  };
  /** The last check of the chain since the server was started. */
  check?: PageJob<ActivityVerification>;
}

export const activityPage = ownerPage<ActivityView>({
  path: ACTIVITY,
  under: "activity",
  async load(visit) {
    const { look, search, zone, pageJobs } = visit;
    const filter = filterFrom(search);
    const before = wholeNumber(search.get("before")) || undefined;
    const asked = { ...wanted(filter, zone), ...(before === undefined ? {} : { before }), limit: SHOWN };
    const [list, grants, connections] = await Promise.all([
      look("activity", asked),
      grantsOf(visit),
      look("connections", {}),
    ]);
    const names = namesFrom(grants, connections.data);
    const check = await pageJobs.last<ActivityVerification>(CHECK);
    return {
      filter,
      asked,
      lines: list.data.map((line) => lineOf(line, names)),
      ...(before === undefined ? {} : { before }),
      ...(list.meta.next_before === undefined ? {} : { nextBefore: list.meta.next_before }),
      choices: {
        apps: [...names.apps].map(([clientId, name]) => ({ clientId, name })),
        connections: connections.data.map(({ connection_id, display_name }) => ({
          connectionId: connection_id,
          name: display_name,
        })),
        streams: [...new Set(connections.data.flatMap(({ streams }) => streams))].sort(),
      },
      ...(check === undefined ? {} : { check }),
    };
  },
  show: showActivity,
  /** The page's only form starts a check of the chain. This can take a while, so the page is shown in the meantime. */
  async post({ act, pageJobs, exchange }) {
    await pageJobs.start(CHECK, () => act("verifyActivity", {}));
    return `${ACTIVITY}${exchange.url.search}#chain`;
  },
});

/** Malformed parts of an address are ignored. */
function filterFrom(search: URLSearchParams): ActivityFilter {
  const text = (name: string, most = 200): string | undefined => {
    const value = search.get(name)?.trim();
    return value === undefined || value === "" || value.length > most ? undefined : value;
  };
  const day = (name: string): string | undefined => {
    const value = search.get(name) ?? "";
    return parseDay(value) === undefined ? undefined : value;
  };
  const outcome = search.get("outcome");
  const [since, until] = [day("since"), day("until")];
  const found: Record<keyof ActivityFilter, string | undefined> = {
    who: text("who", 2000) ?? text("client_id", 2000),
    connection_id: text("connection_id"),
    stream: text("stream"),
    action: text("action"),
    outcome: outcome === "ok" || outcome === "denied" ? outcome : undefined,
    grant_id: text("grant_id"),
    request_id: text("request_id"),
    since,
    // If the days are in the wrong order, nothing would match, so `until` is ignored.
    until: since !== undefined && until !== undefined && until < since ? undefined : until,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Days are in the owner's time zone, and both are inclusive. */
function wanted({ who, since, until, ...rest }: ActivityFilter, zone: string): object {
  const from = (day: string): string => new Date(startOfDay(day, zone)).toISOString();
  return {
    ...rest,
    ...(who === undefined ? {} : who === "owner" || who === "app" ? { actor: who } : { client_id: who }),
    ...(since === undefined ? {} : { since: from(since) }),
    ...(until === undefined ? {} : { until: from(dayAfter(until)) }),
  };
}
