// Aggregations: one number, or one per group.
import { z } from "zod";
import { count } from "./list.ts";
import { granularity, groupOrder, metric } from "./read.ts";
import { readIdentity } from "./source.ts";

const value = z.union([z.string(), z.number(), z.null()]);

export const aggregationGroup = z.strictObject({
  key: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  /** Present if the sums over all connections are in several currencies. */
  currency: z.string().nullable().optional(),
  count,
  value: value.optional(),
});

export const aggregation = z.strictObject({
  object: z.literal("aggregation"),
  stream: z.string(),
  metric,
  field: z.string().optional(),
  group_by: z.string().optional(),
  group_by_time: z.string().optional(),
  granularity: granularity.optional(),
  time_zone: z.string().optional(),
  filtered_record_count: count,
  /** The currency, if all sums over all connections have the same one. */
  currency: z.string().optional(),
  /** The value over all records. A grouped aggregation has `groups` instead. */
  value: value.optional(),
  groups: z.array(aggregationGroup).optional(),
  order_by: groupOrder.optional(),
  limit: count.optional(),
  /** The number of records in groups beyond the limit, and the metric over them. */
  other_count: count.optional(),
  other_value: value.optional(),
  approximate: z.literal(false),
  ...readIdentity.shape,
});

export type AggregationGroup = z.infer<typeof aggregationGroup>;
export type Aggregation = z.infer<typeof aggregation>;
