// Zod schemas for reads: one for each call, the same on REST, CLI and MCP.
import { z } from "zod";
import { EXPAND, EXPORT, FILTER_VALUES_MAX, FILTERS_MAX, GROUPS, NAME_MAX, WINDOW } from "./limits.ts";

const name = z.string().min(1).max(NAME_MAX);
const scalar = z.union([z.string().max(4096), z.number(), z.boolean()]);
/** The operators of a condition, apart from a single exact value. */
const operators = z.strictObject({
  gte: scalar.optional(),
  gt: scalar.optional(),
  lte: scalar.optional(),
  lt: scalar.optional(),
  /** For a list: true if one of its values equals this. */
  contains: scalar.optional(),
  /** One of these values; a list must contain one of them. */
  in: z.array(scalar).min(1).max(FILTER_VALUES_MAX, `at most ${FILTER_VALUES_MAX} values`).optional(),
  /** Any other value, or no value; a list must not contain this value. */
  ne: scalar.optional(),
  /** True requires the field to have a value; false requires it to have none. */
  exists: z.boolean().optional(),
});
export const FILTER_OPERATORS = Object.keys(operators.shape) as FilterOperator[];
const condition = operators.refine(
  (given) => Object.keys(given).length > 0,
  `specify at least one of ${FILTER_OPERATORS.join(", ")}`,
);

/** `{field: value | {gte, gt, lte, lt, contains, in, ne, exists}}`, combined with AND. */
export const filter = z
  .record(name, z.union([scalar, condition]))
  .refine((fields) => Object.keys(fields).length <= FILTERS_MAX, `at most ${FILTERS_MAX} filters`);

const connection_id = z.string().min(1).max(NAME_MAX).optional();
const cursor = z.string().min(1).max(8192);
const recordId = z.string().min(1).max(8192);
const fields = z.array(name).min(1).max(500);
const expand = z.array(name).max(EXPAND.relations);
const expand_limit = z.record(name, z.int().min(1).max(EXPAND.max));

export const streamsQuery = z.strictObject({ connection_id });

export const streamQuery = z.strictObject({ stream: name, connection_id });

export const recordsQuery = z.strictObject({
  stream: name,
  connection_id,
  filter: filter.optional(),
  /** A field name, with `-` in front for descending order. */
  sort: name.optional(),
  order: z.enum(["asc", "desc"]).optional(),
  fields: fields.optional(),
  view: name.optional(),
  limit: z.int().min(1).optional(),
  cursor: cursor.optional(),
  /** A time (RFC 3339), a day, `now`, `beginning` or a `next_changes_since`. */
  changes_since: cursor.optional(),
  count: z.enum(["none", "estimated", "exact"]).optional(),
  /** Whether long texts are shown in full. With `changes_since` the default is `full`, otherwise `preview`. */
  texts: z.enum(["preview", "full"]).optional(),
  expand: expand.optional(),
  expand_limit: expand_limit.optional(),
});

/** Changes in all streams, newest first. */
export const changesQuery = z.strictObject({
  connection_id,
  changes_since: cursor,
  limit: recordsQuery.shape.limit,
  cursor: recordsQuery.shape.cursor,
  texts: recordsQuery.shape.texts,
});

export const recordQuery = z.strictObject({
  stream: name,
  id: recordId,
  connection_id,
  fields: fields.optional(),
  expand: expand.optional(),
  expand_limit: expand_limit.optional(),
});

export const windowQuery = z.strictObject({
  stream: name,
  id: recordId,
  connection_id,
  field: name,
  /** A pointer into the field's JSON (RFC 6901). */
  pointer: z.string().max(4096).optional(),
  offset_chars: z.int().min(0).optional(),
  cursor: cursor.optional(),
  limit_chars: z.int().min(1).optional(),
  /** Reads around the first match of this text at or after offset_chars, ignoring case. */
  q: z.string().min(1).max(WINDOW.queryMax).optional(),
  before_chars: z.int().min(0).max(WINDOW.contextMax).optional(),
  after_chars: z.int().min(0).max(WINDOW.contextMax).optional(),
  /** The digest of the text that this read continues. If the text has changed, the error is `stale_handle`. */
  revision: z.string().max(200).optional(),
});

export const metric = z.enum(["count", "sum", "min", "max", "avg", "count_distinct"]);
export const granularity = z.enum(["minute", "hour", "day", "week", "month", "quarter", "year"]);

/** The order of groups, with `-` in front for descending order. */
export const groupOrder = z.enum(["value", "-value", "key", "-key", "count", "-count"]);

export const aggregateQuery = z.strictObject({
  stream: name,
  connection_id,
  metric,
  field: name.optional(),
  group_by: name.optional(),
  group_by_time: name.optional(),
  granularity: granularity.optional(),
  time_zone: z.string().max(100).optional(),
  filter: filter.optional(),
  order_by: groupOrder.optional(),
  limit: z.int().min(1).max(GROUPS.max).optional(),
});

export const searchQuery = z.strictObject({
  /**
   * Words, "phrases", prefixes*, -not, field:word, from:NAME, in:SOURCE, kind:KIND, after:DATE, before:DATE. Any text
   * is accepted.
   */
  q: z.string().max(100_000),
  connection_id,
  streams: z.array(name).max(200).optional(),
  /** Requires exactly one stream in one connection. */
  filter: filter.optional(),
  mode: z.enum(["lexical", "semantic", "hybrid"]).optional(),
  order: z.enum(["relevance", "newest"]).optional(),
  limit: z.int().min(1).optional(),
  cursor: cursor.optional(),
  /** If true, also counts by connection, stream and month. */
  facets: z.boolean().optional(),
  /**
   * With `each`, every hit has a cursor that continues after it, for callers that may show fewer hits than they
   * receive.
   */
  cursors: z.enum(["page", "each"]).optional(),
});

export const schemaQuery = z.strictObject({
  stream: name.optional(),
  connection_id,
  view: z.enum(["compact", "full"]).optional(),
  detail: z.enum(["compact", "full"]).optional(),
});

export const exportFormat = z.enum(["jsonl", "csv", "parquet"]);

/** An export as one file: either the query of `records` without paging, or a handle that contains such a query. */
export const exportQuery = z.strictObject({
  handle: z.string().min(1).max(EXPORT.handleMax).optional(),
  stream: name.optional(),
  connection_id,
  filter: filter.optional(),
  sort: name.optional(),
  order: z.enum(["asc", "desc"]).optional(),
  fields: fields.optional(),
  view: name.optional(),
});

export const exportFileQuery = exportQuery.extend({ format: exportFormat.optional() });

export const blobQuery = z.strictObject({ blob_id: z.string().min(1).max(200), connection_id });

export type Filter = z.infer<typeof filter>;
export type FilterCondition = z.infer<typeof operators>;
export type FilterOperator = keyof FilterCondition;
export type StreamsQuery = z.infer<typeof streamsQuery>;
export type StreamQuery = z.infer<typeof streamQuery>;
export type RecordsQuery = z.infer<typeof recordsQuery>;
export type RecordQuery = z.infer<typeof recordQuery>;
export type WindowQuery = z.infer<typeof windowQuery>;
export type AggregateQuery = z.infer<typeof aggregateQuery>;
export type SearchQuery = z.infer<typeof searchQuery>;
export type SchemaQuery = z.infer<typeof schemaQuery>;
export type ExportFormat = z.infer<typeof exportFormat>;
export type ExportQuery = z.infer<typeof exportQuery>;
export type ExportFileQuery = z.infer<typeof exportFileQuery>;
export type BlobQuery = z.infer<typeof blobQuery>;
export type Metric = z.infer<typeof metric>;
export type GroupOrder = z.infer<typeof groupOrder>;
export type Granularity = z.infer<typeof granularity>;
