// Activity over time: counts in steps that suit the span, without gaps, and the days of one year.
import type { Aggregation } from "../../../../contract/answers.ts";
import { GROUPS } from "../../../../contract/limits.ts";
import type { Filter } from "../../../../contract/read.ts";
import { parseInstant } from "../../../../core/instant.ts";
import { startOfDay } from "../../../../core/start-of-day.ts";
import type { Visit } from "../../owner-page.ts";
import type { StreamPlace } from "./addresses.ts";
import {
  bucketWords,
  type CalendarStep,
  DAY_MS,
  dayAfter,
  labelOf,
  nextLabel,
  type Period,
  periodOf,
} from "./local-days.ts";

export interface TimeBucket extends Period {
  label: string;
  count: number;
}

export interface Timeline {
  step: CalendarStep;
  buckets: TimeBucket[];
  /** The number of records without a time. */
  undated: number;
}

/** A stream whose records can be counted by a time field. */
export interface DatedStream extends StreamPlace {
  field: string;
  /** The field to sum instead of counting records. */
  measure?: Measure;
  /** Days have no time zone. */
  kind: "instant" | "day";
}

export interface Measure {
  /** The name of the sum: "Spent", "Time played". */
  label: string;
  field: string;
  /** Selects the records that are included. */
  filter: Filter;
  /** Set for money. */
  currency?: string;
  /** Set for a duration: the number of seconds per unit. */
  seconds?: number;
}

type Counts = ReadonlyMap<string | null, number>;

/** Finest step first. The first one whose buckets fit into a chart is used. */
const STEPS: readonly [CalendarStep, most: number][] = [
  ["day", 92],
  ["week", 54],
  ["month", GROUPS.max],
  ["quarter", GROUPS.max],
];

/**
 * Builds a chart of one stream. It first counts by month to find the span, and then counts again if another step fits
 * better.
 */
export async function timelineOf(
  { look }: Pick<Visit, "look">,
  of: DatedStream,
  filter: Filter,
  zone: string,
): Promise<Timeline> {
  const ask = async (step: CalendarStep): Promise<{ counts: Counts; whole: boolean }> => {
    const { groups = [], other_count } = await look("aggregate", timeQuery(of, filter, step, zone));
    return { counts: countsOf(groups), whole: other_count === 0 };
  };
  const months = await ask("month");
  if (months.whole) {
    const step = stepFor("month", months.counts);
    return step === "month" ? timeline(step, months.counts) : timeline(step, (await ask(step)).counts);
  }
  const years = await ask("year");
  const step = stepFor("year", years.counts);
  return step === "year" ? timeline(step, years.counts) : timeline(step, (await ask(step)).counts);
}

export const timeQuery = (
  { stream, connection_id, field, measure }: DatedStream,
  given: Filter,
  step: CalendarStep,
  zone: string,
) => {
  const filter = { ...measure?.filter, ...given };
  return {
    stream,
    connection_id,
    ...(measure === undefined ? { metric: "count" as const } : { metric: "sum" as const, field: measure.field }),
    group_by_time: field,
    granularity: step,
    time_zone: zone,
    limit: GROUPS.max,
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  };
};

/** Returns the number of records, or the absolute value of the sum. */
export function countsOf(groups: NonNullable<Aggregation["groups"]>): Counts {
  return new Map(
    groups.map(({ key, count, value }) => [
      key === null ? null : String(key),
      typeof value === "number" ? Math.abs(value) : count,
    ]),
  );
}

/** Returns the span from the first bucket to the last one with data. */
function spanOf(step: CalendarStep, counts: Counts): Period | undefined {
  const labels = [...counts.keys()].filter((label) => label !== null).sort();
  if (labels.length === 0) return undefined;
  return { since: periodOf(step, labels[0]!).since, until: periodOf(step, labels.at(-1)!).until };
}

/** Returns the best step, given counts by `coarse`. It is never coarser than a chart needs. */
export function stepFor(coarse: CalendarStep, counts: Counts): CalendarStep {
  const span = spanOf(coarse, counts);
  if (span === undefined) return coarse;
  const days = (Date.parse(span.until) - Date.parse(span.since)) / DAY_MS + 1;
  const lengths = { day: 1, week: 7, month: 30.4, quarter: 91.3, year: 365.2 };
  return STEPS.find(([step, most]) => days / lengths[step] <= most)?.[0] ?? "year";
}

export function timeline(step: CalendarStep, counts: Counts): Timeline {
  const span = spanOf(step, counts);
  const buckets: TimeBucket[] = [];
  if (span !== undefined) {
    const last = labelOf(step, span.until);
    for (let label = labelOf(step, span.since); label <= last; label = nextLabel(step, label))
      buckets.push({ label, ...periodOf(step, label), count: counts.get(label) ?? 0 });
  }
  // A record dated in the year 1 must not squeeze all others into one bar.
  return { step, buckets: buckets.slice(-GROUPS.max), undated: counts.get(null) ?? 0 };
}

/** Builds bars that link to the records they count. */
export const barsOf = (
  { step, buckets }: Timeline,
  href?: (period: Period) => string,
  words?: (value: number) => string,
) =>
  buckets.map(({ label, count, since, until }) => ({
    label: bucketWords(step, label),
    value: count,
    ...(words === undefined ? {} : { words: words(count) }),
    ...(href === undefined || count === 0 ? {} : { href: href({ since, until }) }),
  }));

/** Returns the first day of a year's heat map: the Monday 52 weeks before the week of the last day. */
export const heatStart = (until: string): string => dayAfter(labelOf("week", until), -52 * 7);

const WINDOW_DAYS = 93;

/** Counts by day. The counts are requested in pieces, because an aggregation returns a limited number of groups. */
export async function daysOf(
  { look }: Pick<Visit, "look">,
  of: DatedStream,
  filter: Filter,
  zone: string,
  { since, until }: Period,
): Promise<Record<string, number>> {
  const days: Record<string, number> = {};
  for (let from = since; from <= until; from = dayAfter(from, WINDOW_DAYS)) {
    const to = dayAfter(from, WINDOW_DAYS) > until ? dayAfter(until) : dayAfter(from, WINDOW_DAYS);
    const within = narrowed(filter, of, { gte: edge(from, of, zone), lt: edge(to, of, zone) });
    const { groups = [] } = await look("aggregate", timeQuery(of, within, "day", zone));
    for (const { key, count } of groups) if (key !== null) days[String(key)] = count;
  }
  return days;
}

/** Returns the beginning of a day, for use in a filter. */
export const edge = (day: string, { kind }: Pick<DatedStream, "kind">, zone: string): string =>
  kind === "day" ? day : new Date(startOfDay(day, zone)).toISOString();

/** Combines both conditions. If both have the same bound, the tighter one is used. */
export function narrowed(filter: Filter, { field }: DatedStream, bounds: { gte: string; lt: string }): Filter {
  const own = filter[field];
  if (own === undefined) return { ...filter, [field]: bounds };
  // An exact time cannot be narrowed further.
  if (typeof own !== "object") return filter;
  const at = (value: unknown): number => parseInstant(String(value)) ?? Date.parse(String(value));
  const gte = own.gte !== undefined && at(own.gte) > at(bounds.gte) ? own.gte : bounds.gte;
  const lt = own.lt !== undefined && at(own.lt) < at(bounds.lt) ? own.lt : bounds.lt;
  return { ...filter, [field]: { ...own, gte, lt } };
}
