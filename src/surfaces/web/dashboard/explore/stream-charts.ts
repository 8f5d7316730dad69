// The charts of a stream: the days of a year, the most frequent values, and sums of its numbers.
import type { Aggregation } from "../../../../contract/answers.ts";
import type { AggregateQuery, Metric } from "../../../../contract/read.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import type { Visit } from "../../owner-page.ts";
import type { StreamPlace } from "./addresses.ts";
import { dayAfter, dayAt } from "./local-days.ts";
import { fieldsOf } from "./stream-fields.ts";
import type { StreamPageState } from "./stream-state.ts";
import { type DatedStream, daysOf, heatStart, type Timeline } from "./timeline.ts";

/** The number of records on each day of one year, for the heat map. */
export interface HeatDays {
  until: string;
  days: Record<string, number>;
  /** Calendar years with data, newest first. */
  years: string[];
}

export interface StreamCharts {
  heat?: HeatDays;
  top: {
    field: string;
    label: string;
    values: { value: string | number | boolean | null; count: number }[];
    /** The number of records with other values. */
    others: number;
  }[];
  figures: { field: string; label: string; metrics: { metric: Metric; value: number }[] }[];
}

const TOP = { fields: 8, values: 8 };
const RANK_ORDERS = { most: "-count", least: "count", name: "key" } as const;
const FIGURES = { fields: 4, metrics: ["sum", "avg", "min", "max"] as const };

interface ChartRequest {
  place: StreamPlace;
  metadata: StreamMetadata;
  state: StreamPageState;
  zone: string;
  now: number;
}

export async function chartsOf(
  { look }: Pick<Visit, "look">,
  { place, metadata, state, zone, now }: ChartRequest,
  dated: DatedStream | undefined,
  timeline: Timeline | undefined,
): Promise<StreamCharts> {
  const { filter, year } = state;
  const where = Object.keys(filter).length === 0 ? place : { ...place, filter };
  const ask = (query: Omit<AggregateQuery, "stream">): Promise<Aggregation> =>
    look("aggregate", { ...where, ...query });
  const fields = fieldsOf(metadata);
  const groupable = metadata.aggregations.count ? fields.filter(({ can }) => can.aggregation.group_by) : [];
  const numbers = fields.filter(
    ({ kind, can }) => kind === "number" && FIGURES.metrics.some((metric) => can.aggregation[metric]),
  );
  const [top, figures, heat] = await Promise.all([
    Promise.all(
      groupable.slice(0, TOP.fields).map(async ({ name, label }) => {
        const order_by = RANK_ORDERS[state.rank];
        const found = await ask({ metric: "count", group_by: name, order_by, limit: TOP.values });
        const values = (found.groups ?? []).map(({ key, count }) => ({ value: key, count }));
        return { field: name, label, values, others: found.other_count ?? 0 };
      }),
    ),
    Promise.all(
      numbers.slice(0, FIGURES.fields).map(async ({ name, label, can }) => {
        const metrics = await Promise.all(
          FIGURES.metrics
            .filter((metric) => can.aggregation[metric])
            .map(async (metric) => ({ metric, value: (await ask({ metric, field: name })).value })),
        );
        return {
          field: name,
          label,
          metrics: metrics.flatMap(({ metric, value }) => (typeof value === "number" ? [{ metric, value }] : [])),
        };
      }),
    ),
    dated === undefined || timeline === undefined || timeline.buckets.length === 0
      ? undefined
      : heatOf({ look }, dated, state, timeline, zone, now, year),
  ]);
  return {
    ...(heat === undefined ? {} : { heat }),
    top: top.filter(({ values }) => values.length > 0),
    figures: figures.filter(({ metrics }) => metrics.length > 0),
  };
}

async function heatOf(
  { look }: Pick<Visit, "look">,
  dated: DatedStream,
  { filter }: StreamPageState,
  timeline: Timeline,
  zone: string,
  now: number,
  year: string | undefined,
): Promise<HeatDays> {
  const { until, years } = heatYear(timeline, dayAt(now, zone), year);
  const days = await daysOf({ look }, dated, filter, zone, { since: heatStart(until), until });
  return { until, days, years };
}

/** Returns the requested year. Otherwise returns the last twelve months, or the last twelve with data. */
export function heatYear(
  { buckets }: Timeline,
  today: string,
  year: string | undefined,
): { until: string; years: string[] } {
  const held = buckets.filter(({ count }) => count > 0);
  const years = new Set<string>();
  for (const { since, until } of held)
    for (let one = Number(since.slice(0, 4)); one <= Number(until.slice(0, 4)); one++)
      years.add(String(one).padStart(4, "0"));
  const newestFirst = [...years].sort().reverse().slice(0, 30);
  if (year !== undefined && years.has(year)) return { until: `${year}-12-31`, years: newestFirst };
  const last = held.at(-1)!.until;
  return { until: last < dayAfter(today, -364) ? last : today, years: newestFirst };
}
