// The capabilities of fields and relations.
import { z } from "zod";
import { rangeOperator } from "./declaration.ts";
import { count } from "./list.ts";

export const fieldCapability = z.strictObject({
  type: z.string(),
  /** For a list, the type or format of its values. */
  items: z.string().optional(),
  format: z.string().optional(),
  nullable: z.boolean().optional(),
  granted: z.literal(true),
  exact_filter: z.boolean(),
  range_filter: z.array(rangeOperator),
  /** Further operators that a filter on this field supports. */
  set_filter: z.array(z.enum(["contains", "in", "ne", "exists"])),
  sort: z.boolean(),
  lexical_search: z.boolean(),
  semantic_search: z.boolean(),
  aggregation: z.strictObject({
    count_distinct: z.boolean(),
    group_by: z.boolean(),
    group_by_time: z.boolean(),
    sum: z.boolean(),
    min: z.boolean(),
    max: z.boolean(),
    avg: z.boolean(),
  }),
});

export const expandCapability = z.strictObject({
  name: z.string(),
  stream: z.string(),
  cardinality: z.enum(["has_one", "has_many"]),
  default_limit: count,
  max_limit: count,
});

export type FieldCapability = z.infer<typeof fieldCapability>;
export type ExpandCapability = z.infer<typeof expandCapability>;
