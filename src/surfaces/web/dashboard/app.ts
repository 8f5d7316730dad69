// /dashboard/apps/{client_id}: what one app may see, what it saw day by day, and all its grants.
import type { ActivityDays } from "../../../contract/activity.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import { ACTIVITY_DAYS } from "../../../contract/limits.ts";
import { ownerPage } from "../owner-page.ts";
import { APPS, type App, appAddress, appsOf, grantsOf, packagesOf, recentLines } from "./app-grants.ts";
import { showApp } from "./app-view.ts";
import { type SubscriptionRow, subscriptionRows } from "./events/subscription-words.ts";
import { dayAfter, dayAt } from "./explore/local-days.ts";
import { inWords } from "./explore/stream-fields.ts";
import { changeGrants, effectOf, type GrantEffect } from "./grant-acts.ts";
import { burstsOf, type SeenBurst } from "./seen/bursts.ts";
import { seenRequests } from "./seen/requests.ts";

/** The number of bursts of requests that the page shows. */
const BURSTS = 5;

interface StreamUse {
  connectionId: string;
  /** The connection's current name. */
  connection: string;
  stream: string;
  /** The name for the stream's records: `Emails`. */
  what: string;
  calls: number;
  records: number;
  bytes: number;
}

export interface AppView {
  app: App;
  /** Each of the last thirty days, oldest first. */
  days: readonly {
    day: string;
    calls: number;
    denied: number;
    records: number;
    bytes: number;
    streams: readonly StreamUse[];
  }[];
  /** Calls before this day were not counted. */
  countedFrom?: string;
  /** Totals, most records first. */
  streams: readonly (StreamUse & { lastReadAt?: string })[];
  /** The latest requests under the app's packages and grants. */
  seen: readonly SeenBurst[];
  /** The app's subscriptions to change notifications. */
  events: readonly SubscriptionRow[];
  /** Shown once, after a change. */
  effect?: GrantEffect | "nothing";
}

export const appPage = ownerPage<AppView>({
  path: `${APPS}/{client_id}`,
  under: "apps",
  async load(visit) {
    const clientId = visit.params.client_id!;
    const { look, zone, now } = visit;
    const all = await grantsOf(visit);
    const own = all.filter(({ grant }) => grant.client.client_id === clientId);
    if (own.length === 0) {
      throw new PdppError("not_found", `no app ${JSON.stringify(clientId)} was ever connected`, {
        next_step: "The Apps page lists every app that has ever been connected.",
      });
    }
    const [packages, connections, used, events] = await Promise.all([
      packagesOf(visit, own),
      look("connections", {}),
      look("activityDays", { client_id: clientId, time_zone: zone }),
      subscriptionRows(visit, clientId),
    ]);
    const names = new Map(connections.data.map(({ connection_id, display_name }) => [connection_id, display_name]));
    const place: Names = {
      connection: (id) => names.get(id) ?? "a deleted connection",
      what: whatIn(own),
    };
    const app = appsOf(all, packages).find((one) => one.clientId === clientId)!;
    const effect = effectOf(visit.search, all, now);
    return {
      app,
      days: daysOf(used, dayAt(now, zone), place),
      ...(used.counted_from === undefined ? {} : { countedFrom: used.counted_from }),
      streams: streamsOf(own, place),
      seen: burstsOf(await seenRequests(visit, recentLines(own, packages))).slice(0, BURSTS),
      events,
      ...(effect === undefined ? {} : { effect }),
    };
  },
  show: showApp,
  post: (visit, form) => changeGrants(visit, form, appAddress(visit.params.client_id!)),
});

interface Names {
  connection(id: string): string;
  what(connectionId: string, stream: string): string;
}

/** Uses the same names for records as the grants do. A stream that is no longer in any grant keeps its own name. */
function whatIn(grants: readonly GrantSummary[]): Names["what"] {
  const known = new Map(
    grants
      .flatMap(({ words }) => words.reads)
      .map(({ connection_id, stream, what }) => [`${connection_id}\n${stream}`, what]),
  );
  return (connectionId, stream) => known.get(`${connectionId}\n${stream}`) ?? inWords(stream);
}

function daysOf({ data }: ActivityDays, today: string, names: Names): AppView["days"] {
  const found = new Map(data.map((day) => [day.day, day]));
  return Array.from({ length: ACTIVITY_DAYS.default }, (_, index) => {
    const day = dayAfter(today, index + 1 - ACTIVITY_DAYS.default);
    const { calls = 0, denied = 0, records = 0, bytes = 0, streams = [] } = found.get(day) ?? {};
    return {
      day,
      calls,
      denied,
      records,
      bytes,
      streams: streams.map(({ connection_id, stream, ...counts }) => ({
        connectionId: connection_id,
        connection: names.connection(connection_id),
        stream,
        what: names.what(connection_id, stream),
        calls: counts.calls,
        records: counts.records,
        bytes: counts.bytes,
      })),
    };
  });
}

function streamsOf(grants: readonly GrantSummary[], names: Names): AppView["streams"] {
  const uses = grants.flatMap(({ use }) => use.streams);
  const groups = Map.groupBy(uses, ({ connection_id, stream }) => JSON.stringify([connection_id, stream]));
  const sums = [...groups.values()].map((rows) => {
    const { connection_id, stream } = rows[0]!;
    const sum = (of: "reads" | "records" | "bytes"): number => rows.reduce((total, row) => total + row[of], 0);
    const last = rows
      .flatMap(({ last_read_at }) => last_read_at ?? [])
      .sort()
      .at(-1);
    return {
      connectionId: connection_id,
      connection: names.connection(connection_id),
      stream,
      what: names.what(connection_id, stream),
      calls: sum("reads"),
      records: sum("records"),
      bytes: sum("bytes"),
      ...(last === undefined ? {} : { lastReadAt: last }),
    };
  });
  return sums.sort((one, other) => other.records - one.records);
}
