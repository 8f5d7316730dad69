// The data of the Explore page before a search: streams by connection with their counts, and activity over time.

import type { StreamDeclaration } from "../../../../contract/declaration.ts";
import { FILES_CONNECTOR } from "../../../../contract/file-access.ts";
import { rangesOf } from "../../../../core/fields.ts";
import { rolesOf, timeFieldOf } from "../../../../core/roles.ts";
import type { Visit } from "../../owner-page.ts";
import { type CalendarStep, dayAt } from "./local-days.ts";
import { type HeatDays, heatYear } from "./stream-charts.ts";
import {
  countsOf,
  type DatedStream,
  daysOf,
  heatStart,
  stepFor,
  type Timeline,
  timeline,
  timeQuery,
} from "./timeline.ts";

export interface ExploreHome {
  records: number;
  connections: {
    id: string;
    label: string;
    source: string;
    /** True if the totals and charts include the connection's records. */
    isCounted: boolean;
    records: number;
    streams: { name: string; label: string; records: number }[];
  }[];
  /** Covers all dated streams together. */
  activity?: Timeline;
  heat?: HeatDays;
  /** Files on indexed disks, which counts and charts omit unless requested. */
  files?: number;
  /** The number of dated streams that the charts omit. If there are very many, the smallest are omitted. */
  left: number;
}

/**
 * The number of streams that are charted, and how many are counted at a time, so that other callers can run in between.
 */
const CHARTED = { streams: 40, atOnce: 4 };

/** A disk has more files than everything else has records, so files are counted only with `withFiles`. */
export async function exploreHome(
  { look, zone, now }: Visit,
  { year, withFiles }: { year?: string; withFiles: boolean },
): Promise<ExploreHome> {
  const [connections, connectors, streams] = await Promise.all([
    look("connections", {}),
    look("connectors", {}),
    look("streams", {}),
  ]);
  const sources = new Map(connectors.data.map((one) => [one.connector_key, one]));
  const declared = (connectorKey: string, stream: string): StreamDeclaration | undefined =>
    sources.get(connectorKey)?.declaration?.streams.find(({ name }) => name === stream);
  const byConnection = Map.groupBy(streams.data, ({ connection_id }) => connection_id);
  const filled = streams.data.filter(({ record_count }) => record_count > 0);
  const held = filled.filter(({ connector_key }) => withFiles || connector_key !== FILES_CONNECTOR);
  const files = sum(filled.map(({ record_count }) => record_count)) - sum(held.map(({ record_count }) => record_count));
  const dated = held
    .sort((one, other) => other.record_count - one.record_count)
    .flatMap(({ connection_id, connector_key, name }) => {
      const by = datedBy(declared(connector_key, name));
      return by === undefined ? [] : [{ connection_id, stream: name, ...by }];
    });
  const charts = await chartsOf({ look }, dated.slice(0, CHARTED.streams), zone, dayAt(now, zone), year);
  return {
    records: sum(held.map(({ record_count }) => record_count)),
    connections: connections.data
      .map(({ connection_id, connector_key, display_name }) => {
        const own = byConnection.get(connection_id) ?? [];
        return {
          id: connection_id,
          label: display_name,
          source: sources.get(connector_key)?.display_name ?? connector_key,
          isCounted: withFiles || connector_key !== FILES_CONNECTOR,
          records: sum(own.map(({ record_count }) => record_count)),
          streams: own.map(({ name, record_count }) => ({
            name,
            label: declared(connector_key, name)?.display?.label ?? name,
            records: record_count,
          })),
        };
      })
      .sort((one, other) => other.records - one.records),
    ...charts,
    ...(files === 0 ? {} : { files }),
    left: Math.max(0, dated.length - CHARTED.streams),
  };
}

/** Finds the time field in the declaration, if records can be counted and filtered by it. */
function datedBy(stream: StreamDeclaration | undefined): Pick<DatedStream, "field" | "kind"> | undefined {
  const field = stream && timeFieldOf(stream, rolesOf(stream.schema));
  if (stream === undefined || field === undefined) return undefined;
  const { aggregations } = stream.query ?? {};
  const ranges = rangesOf(stream, field);
  const counted = aggregations?.count !== false && aggregations?.group_by_time?.includes(field);
  if (!counted || !ranges.includes("gte") || !ranges.includes("lt")) return undefined;
  return { field, kind: stream.schema.properties?.[field]?.format === "date" ? "day" : "instant" };
}

async function chartsOf(
  { look }: Pick<Visit, "look">,
  dated: readonly DatedStream[],
  zone: string,
  today: string,
  year: string | undefined,
): Promise<{ activity?: Timeline; heat?: HeatDays }> {
  const count = (step: CalendarStep) => async (of: DatedStream) => {
    const found = await look("aggregate", timeQuery(of, {}, step, zone));
    return countsOf(found.groups ?? []);
  };
  const byYear = await inTurns(dated, count("year"));
  const years = added(byYear);
  if (years.size === 0) return {};
  const step = stepFor("year", years);
  const activity = timeline(step, step === "year" ? years : added(await inTurns(dated, count(step))));
  if (activity.buckets.length === 0) return { activity };
  const { until, years: heldYears } = heatYear(activity, today, year);
  const since = heatStart(until);
  const inMap = dated.filter(
    (_, index) => byYear[index]!.has(since.slice(0, 4)) || byYear[index]!.has(until.slice(0, 4)),
  );
  const days = await inTurns(inMap, (of) => daysOf({ look }, of, {}, zone, { since, until }));
  return {
    activity,
    heat: { until, years: heldYears, days: Object.fromEntries(added(days.map((one) => new Map(Object.entries(one))))) },
  };
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += CHARTED.atOnce)
    results.push(...(await Promise.all(items.slice(from, from + CHARTED.atOnce).map(work))));
  return results;
}

function added<K>(counts: readonly ReadonlyMap<K, number>[]): Map<K, number> {
  const all = new Map<K, number>();
  for (const one of counts) for (const [key, count] of one) all.set(key, (all.get(key) ?? 0) + count);
  return all;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
