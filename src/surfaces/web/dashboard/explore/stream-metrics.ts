// Sums and averages over time: the time spent playing or training, and each metric.
import { GROUPS } from "../../../../contract/limits.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { secondsIn } from "../../kinds/units.ts";
import type { Visit } from "../../owner-page.ts";
import { changed, type StreamPlace, streamAddress } from "./addresses.ts";
import type { StreamPageState } from "./stream-state.ts";
import type { DatedStream, Measure } from "./timeline.ts";

const DURATION_LABELS: Partial<Record<NonNullable<StreamMetadata["kind"]>, string>> = {
  play: "Playing time",
  workout: "Training time",
};

/** Returns the duration as the measure for plays and workouts. */
export function durationMeasure({ kind, roles = {}, field_capabilities }: StreamMetadata): Measure | undefined {
  const label = kind && DURATION_LABELS[kind];
  const field = roles.duration?.[0];
  if (label === undefined || field === undefined || !field_capabilities[field]?.aggregation.sum) return undefined;
  return { label, field, filter: {}, seconds: secondsIn(field) };
}

export interface MetricChart {
  metric: string;
  unit?: string;
  /** True if values are added up, as for counts. All other metrics are averaged. */
  isSum: boolean;
  href: string;
  /** `YYYY-MM`, oldest first. */
  months: readonly { month: string; value: number }[];
}

interface MetricRequest {
  place: StreamPlace;
  metadata: StreamMetadata;
  state: StreamPageState;
  zone: string;
}

const METRICS_MAX = 6;

/** Lists the most frequent metrics first. Empty if the stream cannot be grouped by metric. */
export async function metricsOf(
  { look }: Pick<Visit, "look">,
  { place, metadata, state, zone }: MetricRequest,
  dated: DatedStream,
): Promise<MetricChart[]> {
  const { roles = {}, field_capabilities: can } = metadata;
  const [metric, value, unit] = [roles.metric?.[0], roles.value?.[0], roles.unit?.[0]];
  const isDrawn =
    metric !== undefined &&
    value !== undefined &&
    can[metric]?.aggregation.group_by === true &&
    can[metric].exact_filter &&
    can[value]?.aggregation.avg === true &&
    can[value].aggregation.sum;
  if (!isDrawn) return [];
  const where = Object.keys(state.filter).length === 0 ? place : { ...place, filter: state.filter };
  const { groups = [] } = await look("aggregate", { ...where, metric: "count", group_by: metric, limit: METRICS_MAX });
  const charts = await Promise.all(
    groups.map(async ({ key }): Promise<MetricChart[]> => {
      if (typeof key !== "string") return [];
      const filter = { ...state.filter, [metric]: key };
      const [last] = (
        await look("records", { ...place, filter, limit: 1, fields: unit === undefined ? [metric] : [unit] })
      ).data;
      const own = last !== undefined && "data" in last ? last.data[unit ?? ""] : undefined;
      const isSum = own === "count";
      const found = await look("aggregate", {
        ...place,
        filter,
        metric: isSum ? "sum" : "avg",
        field: value,
        group_by_time: dated.field,
        granularity: "month",
        time_zone: zone,
        order_by: "-key",
        limit: GROUPS.max,
      });
      const months = (found.groups ?? []).flatMap(({ key: month, value: sum }) =>
        typeof month === "string" && typeof sum === "number" ? [{ month, value: sum }] : [],
      );
      const href = streamAddress(place, changed(state.pairs, { [`filter[${metric}]`]: key }));
      return months.length === 0
        ? []
        : [{ metric: key, ...(typeof own === "string" ? { unit: own } : {}), isSum, href, months: months.reverse() }];
    }),
  );
  return charts.flat();
}
