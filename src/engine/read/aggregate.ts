// Aggregations over what the Scope shows: one exact number, or one per group.
import type { Aggregation, AggregationGroup } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import { GROUPS } from "../../contract/limits.ts";
import type { AggregateQuery, GroupOrder } from "../../contract/read.ts";
import { fieldCapability, visibleColumns } from "../../core/capabilities.ts";
import type { ColumnKind, ColumnValue } from "../../core/fields.ts";
import { predicatesOf } from "../../core/filter.ts";
import { formatDay, formatInstant } from "../../core/instant.ts";
import { compilePlan, requireColumn } from "../../core/plan.ts";
import type { ScopeRow } from "../../core/scope.ts";
import { bucketLabel, timeBuckets } from "../../core/time-buckets.ts";
import type { AggregateRequest } from "../projection/columns/aggregate.ts";
import { type Answer, type ReadContext, sourceIdentity } from "./context.ts";
import { selectionFor } from "./records.ts";

/** Aggregates over one connection. Amounts of money must be in a single currency, which is part of the result. */
export async function readAggregate(
  context: ReadContext,
  query: AggregateQuery,
  row: ScopeRow,
  currency?: string,
): Promise<Answer> {
  checkCapabilities(row, query);
  const plan = compilePlan(row);
  const selection = selectionFor(plan, predicatesOf(row, query.filter));
  const grouping = groupingOf(query);
  const { limit, orderBy } = grouping;
  const result = await (await context.columns(plan)).aggregate(selection, {
    metric: query.metric,
    field: query.field,
    ...grouping.request,
    orderBy,
    limit,
  });
  const answer: Aggregation = {
    object: "aggregation",
    stream: row.stream.name,
    metric: query.metric,
    ...(query.field === undefined ? {} : { field: query.field }),
    ...(query.group_by === undefined ? {} : { group_by: query.group_by }),
    ...grouping.echo,
    filtered_record_count: result.count,
    ...(currency === undefined ? {} : { currency }),
    ...(grouping.isGrouped
      ? {
          groups: result.groups!.map(
            (group): AggregationGroup => ({
              key: keyLabel(row, query, grouping, group.key),
              count: group.count,
              value: valueLabel(row, query, group.value) as AggregationGroup["value"],
            }),
          ),
          order_by: orderBy,
          limit,
          other_count: result.otherCount,
          ...(result.otherValue === undefined
            ? {}
            : { other_value: valueLabel(row, query, result.otherValue) as Aggregation["value"] }),
        }
      : { value: valueLabel(row, query, result.value ?? null) as Aggregation["value"] }),
    approximate: false,
    ...sourceIdentity(row),
  };
  return { body: JSON.stringify(answer), row, records: 0 };
}

/** A query's grouping with the defaults filled in. */
export interface Grouping {
  isGrouped: boolean;
  request: Pick<AggregateRequest, "groupBy" | "groupByTime">;
  /** The parts of a time grouping that the response repeats. */
  echo: Pick<Aggregation, "group_by_time" | "granularity" | "time_zone">;
  orderBy: GroupOrder;
  limit: number;
}

export function groupingOf(query: AggregateQuery): Grouping {
  const { group_by, group_by_time, granularity = "day", time_zone = "UTC" } = query;
  const byTime = group_by_time !== undefined;
  if (byTime) requireZone(time_zone);
  return {
    isGrouped: group_by !== undefined || byTime,
    request: {
      groupBy: group_by,
      groupByTime: byTime ? { field: group_by_time, granularity, timeZone: time_zone } : undefined,
    },
    echo: byTime ? { group_by_time, granularity, time_zone } : {},
    orderBy: query.order_by ?? (byTime ? "key" : "-value"),
    limit: query.limit ?? (byTime ? GROUPS.timeDefault : GROUPS.default),
  };
}

export function keyLabel(
  row: ScopeRow,
  { group_by }: AggregateQuery,
  { echo }: Grouping,
  key: ColumnValue,
): ColumnValue {
  if (echo.granularity !== undefined && typeof key === "number") return bucketLabel(echo.granularity, key);
  return shown(key, group_by === undefined ? undefined : columnKindOf(row, group_by));
}

/** The min and max of a time are times. A count or a sum is always a number. */
export function valueLabel(row: ScopeRow, { metric, field }: AggregateQuery, value: ColumnValue): ColumnValue {
  return shown(value, metric === "min" || metric === "max" ? columnKindOf(row, field!) : undefined);
}

const columnKindOf = ({ stream }: ScopeRow, name: string): ColumnKind | undefined =>
  stream.lists.get(name)?.kind ?? stream.fields.get(name)?.column;

function shown(value: ColumnValue, kind: ColumnKind | undefined): ColumnValue {
  if (typeof value !== "number") return value;
  return kind === "instant" ? formatInstant(value) : kind === "day" ? formatDay(value) : value;
}

export function requireZone(zone: string): void {
  try {
    timeBuckets("day", zone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PdppError(
      "invalid_request",
      `unknown time zone ${JSON.stringify(zone)}; use an IANA name such as Europe/Lisbon`,
      {
        param: "time_zone",
      },
    );
  }
}

export function checkShape(query: AggregateQuery): void {
  const refuse = (param: string, message: string) => new PdppError("invalid_request", message, { param });
  if (query.metric !== "count" && query.field === undefined) throw refuse("field", `${query.metric} needs a field`);
  if (query.metric === "count" && query.field !== undefined)
    throw refuse("field", "the metric count takes no field; omit field");
  if (query.group_by !== undefined && query.group_by_time !== undefined) {
    throw refuse("group_by", "specify either group_by or group_by_time, not both");
  }
  if (query.order_by !== undefined && query.group_by === undefined && query.group_by_time === undefined)
    throw refuse("order_by", "order_by orders groups; add group_by or group_by_time");
  if (query.group_by_time === undefined && (query.granularity !== undefined || query.time_zone !== undefined)) {
    throw refuse("granularity", "granularity and time_zone apply only to group_by_time");
  }
}

export function checkCapabilities(row: ScopeRow, query: AggregateQuery): void {
  if (query.metric === "count") {
    if (row.stream.declaration.query?.aggregations?.count === false)
      throw notOffered(row, "metric", "count", undefined);
  } else check("field", query.field!, query.metric);
  if (query.group_by !== undefined) check("group_by", query.group_by, "group_by");
  if (query.group_by_time !== undefined) check("group_by_time", query.group_by_time, "group_by_time");

  function check(
    param: string,
    field: string,
    use: Exclude<AggregateQuery["metric"], "count"> | "group_by" | "group_by_time",
  ): void {
    requireColumn(row, field, param);
    if (!fieldCapability(row, field).aggregation[use]) throw notOffered(row, param, use, field);
  }
}

type Use = Exclude<AggregateQuery["metric"], "count"> | "group_by" | "group_by_time" | "count";

function notOffered(row: ScopeRow, param: string, use: Use, field: string | undefined): PdppError {
  const offered =
    use === "count" ? [] : visibleColumns(row).filter((name) => fieldCapability(row, name).aggregation[use]);
  const message = `${row.stream.name} does not support ${use}${field === undefined ? "" : ` of ${field}`}`;
  return new PdppError("invalid_request", message, {
    param,
    next_step:
      offered.length > 0
        ? `Use one of: ${offered.join(", ")}.`
        : `No field of ${row.stream.name} supports ${use}; use another metric.`,
  });
}
