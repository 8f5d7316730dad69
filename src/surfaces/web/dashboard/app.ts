// /dashboard/apps/{client_id}: one app: what it may read, what it read day by day, and everything it was given.
import type { ActivityDays } from "../../../contract/activity.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import { ACTIVITY_DAYS } from "../../../contract/limits.ts";
import { ownerPage } from "../owner-page.ts";
import {
  APPS,
  type App,
  appAddress,
  appsOf,
  type EndedApp,
  endedNow,
  grantsOf,
  packagesOf,
  takeBack,
} from "./app-grants.ts";
import { showApp } from "./app-view.ts";
import { type SubscriptionRow, subscriptionRows } from "./events/subscription-words.ts";
import { dayAfter, dayAt } from "./explore/local-days.ts";

interface StreamUse {
  connectionId: string;
  /** Its name now. */
  connection: string;
  stream: string;
  calls: number;
  records: number;
  bytes: number;
}

export interface AppView {
  app: App;
  /** Every day of the last thirty, oldest first. */
  days: readonly {
    day: string;
    calls: number;
    denied: number;
    records: number;
    bytes: number;
    streams: readonly StreamUse[];
  }[];
  /** Earlier calls were not counted. */
  countedFrom?: string;
  /** In all, the most records first. */
  streams: readonly (StreamUse & { lastReadAt?: string })[];
  /** The last calls under packages and grants of it. */
  recent: App["grants"][number]["recent"];
  /** Where it asked to be told of changes. */
  events: readonly SubscriptionRow[];
  /** Said once, after a revocation. */
  ended?: EndedApp | "nothing";
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
      throw new PdppError("not_found", `no app ${JSON.stringify(clientId)} was ever given anything`, {
        next_step: "Apps lists those that were.",
      });
    }
    const [packages, connections, used, events] = await Promise.all([
      packagesOf(visit, own),
      look("connections", {}),
      look("activityDays", { client_id: clientId, time_zone: zone }),
      subscriptionRows(visit, clientId),
    ]);
    const names = new Map(connections.data.map(({ connection_id, display_name }) => [connection_id, display_name]));
    const nameOf = (id: string): string => names.get(id) ?? `${id} (deleted)`;
    const app = appsOf(all, packages).find((one) => one.clientId === clientId)!;
    const ended = endedNow(visit.search, own);
    return {
      app,
      days: daysOf(used, dayAt(now, zone), nameOf),
      ...(used.counted_from === undefined ? {} : { countedFrom: used.counted_from }),
      streams: streamsOf(own, nameOf),
      recent: app.grants.flatMap(({ recent }) => recent).sort((one, other) => (one.at < other.at ? 1 : -1)),
      events,
      ...(ended === undefined ? {} : { ended }),
    };
  },
  show: showApp,
  post: (visit, form) => takeBack(visit, form, appAddress(visit.params.client_id!)),
});

function daysOf({ data }: ActivityDays, today: string, nameOf: (id: string) => string): AppView["days"] {
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
        connection: nameOf(connection_id),
        stream,
        calls: counts.calls,
        records: counts.records,
        bytes: counts.bytes,
      })),
    };
  });
}

function streamsOf(grants: readonly GrantSummary[], nameOf: (id: string) => string): AppView["streams"] {
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
      connection: nameOf(connection_id),
      stream,
      calls: sum("reads"),
      records: sum("records"),
      bytes: sum("bytes"),
      ...(last === undefined ? {} : { lastReadAt: last }),
    };
  });
  return sums.sort((one, other) => other.records - one.records);
}
