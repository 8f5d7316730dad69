// Aggregates over a selection: one number, or one per group, in an order that depends only on the values.

import type { Granularity, GroupOrder, Metric } from "../../../contract/read.ts";
import type { ColumnValue } from "../../../core/fields.ts";
import { type Column, compareValues, type Keys, valueOfKey } from "./column.ts";
import { CUT_GROUP, type Groups, groupsByTime, groupsByValue, oneGroup, splitGroups } from "./groups.ts";
import { grown, type MetricFold, metricFold, type RowBlock } from "./metrics.ts";
import { allRows, BLOCK, matchBlock } from "./row-blocks.ts";
import { matchIn, planSelection, type RowMatch, type Selection } from "./selection.ts";
import type { FoldView, LiveSegment } from "./stream-fold.ts";
import { sizeOf } from "./string-table.ts";

export interface AggregateRequest {
  metric: Metric;
  /** The metric's field. Absent for count. */
  field?: string;
  groupBy?: string;
  /** Used instead of groupBy. A day column is bucketed in UTC, because days have no time zone. */
  groupByTime?: { field: string; granularity: Granularity; timeZone: string };
  /** Ties are ordered by count with the largest first, then by key, with nulls last. */
  orderBy: GroupOrder;
  /** The maximum number of groups to return. */
  limit: number;
}

export interface AggregateGroup {
  /** Milliseconds for instants and days. For time buckets, a key from core/time-buckets.ts. */
  key: ColumnValue;
  count: number;
  value: ColumnValue;
}

export interface Aggregate {
  /** The number of selected rows, whether they have a value or not. */
  count: number;
  value?: ColumnValue;
  groups?: AggregateGroup[];
  /** The number of rows in groups beyond the limit. */
  otherCount: number;
  /** The metric over those rows. Absent if every group is returned. */
  otherValue?: ColumnValue;
}

export async function aggregate(view: FoldView, selection: Selection, request: AggregateRequest): Promise<Aggregate> {
  const { groupBy, groupByTime } = request;
  const groups = groupByTime
    ? groupsByTime(groupByTime.granularity, zoneOf(view, groupByTime))
    : groupBy !== undefined
      ? groupsByValue()
      : oneGroup();
  const fold = metricFold(request.metric);
  let { counts, rows: count } = await scan(view, selection, request, groups, fold);
  if (fold?.again?.()) ({ counts, rows: count } = await scan(view, selection, request, groups, fold));
  const all = groups.keys.map((key, group): AggregateGroup => {
    const inGroup = counts[group] ?? 0;
    return { key, count: inGroup, value: fold ? fold.value(group) : inGroup };
  });
  if (!groupByTime && groupBy === undefined) return { count, value: all[0]!.value, otherCount: 0 };
  const order = [...all.keys()].sort(groupComparison(all, request.orderBy));
  const shown = order.slice(0, request.limit).map((group) => all[group]!);
  const cut = order.slice(request.limit);
  if (cut.length === 0) return { count, groups: shown, otherCount: 0 };
  const isList = view.shape.columns.some(({ field, list }) => field === groupBy && list);
  if (!fold && !isList) {
    const otherCount = count - shown.reduce((sum, group) => sum + group.count, 0);
    return { count, groups: shown, otherCount, otherValue: otherCount };
  }
  return { count, groups: shown, ...(await overCut(view, selection, request, groups, cut)) };
}

/**
 * Scans again, because the average, distinct count or exact sum of several groups cannot be computed from the values of
 * each group. The same is true of the record count if a record can be in several groups.
 */
async function overCut(
  view: FoldView,
  selection: Selection,
  request: AggregateRequest,
  groups: Groups,
  cut: readonly number[],
): Promise<{ otherCount: number; otherValue: ColumnValue }> {
  const split = splitGroups(groups, cut);
  const fold = metricFold(request.metric);
  const { counts } = await scan(view, selection, request, split, fold);
  if (fold?.again?.()) await scan(view, selection, request, split, fold);
  const otherCount = counts[CUT_GROUP]!;
  return { otherCount, otherValue: fold ? fold.value(CUT_GROUP) : otherCount };
}

function zoneOf(view: FoldView, { field, timeZone }: NonNullable<AggregateRequest["groupByTime"]>): string {
  return view.shape.columns.find((spec) => spec.field === field)?.kind === "day" ? "UTC" : timeZone;
}

/** Adds every selected row to its groups. */
async function scan(
  view: FoldView,
  selection: Selection,
  { field, groupBy, groupByTime }: AggregateRequest,
  groups: Groups,
  fold: MetricFold | undefined,
): Promise<RowCounts> {
  const plan = planSelection(selection);
  const counts: RowCounts = { groups, counts: new Float64Array(0), rows: 0 };
  const groupField = groupByTime?.field ?? groupBy;
  for (const part of view.parts) {
    const match = await matchIn(part, plan);
    if (!match) continue;
    const { segment } = part;
    const column = groupField === undefined ? undefined : await segment.column(groupField).get();
    if (column?.dictionary && !fold && !groups.split) {
      countByCode(part, match, column, counts);
      continue;
    }
    const assign = groups.inSegment(column);
    const metric = fold?.inSegment(await segment.column(field!).get(), segment.zones.get(field!));
    scanSegment(part, match, assign, metric, counts);
    metric?.end?.();
  }
  return counts;
}

interface RowCounts {
  groups: Groups;
  /** The number of rows in each group. */
  counts: Float64Array<ArrayBuffer>;
  /** The total number of rows. With lists, a row can be in several groups. */
  rows: number;
}

function scanSegment(
  { segment, dead }: LiveSegment,
  { tests, rows }: RowMatch,
  assign: ReturnType<Groups["inSegment"]>,
  metric: ReturnType<MetricFold["inSegment"]> | undefined,
  totals: RowCounts,
): void {
  const narrowed = new Uint32Array(BLOCK);
  const groups = new Uint32Array(BLOCK);
  const block: RowBlock = { rows: narrowed, groups, count: 0 };
  const length = rows?.length ?? segment.rows;
  const whole = rows || tests.length > 0 || dead ? undefined : allRows(segment.rows);
  for (let from = 0; from < length; from += BLOCK) {
    const to = Math.min(length, from + BLOCK);
    block.rows = whole ? whole.subarray(from, to) : narrowed;
    block.groups = groups;
    block.count = whole ? to - from : matchBlock(narrowed, { from, to, order: rows }, tests, dead);
    if (block.count === 0) continue;
    totals.rows += block.count;
    const uniform = assign(block);
    const groupCount = totals.groups.keys.length;
    totals.counts = grown(totals.counts, groupCount, 0);
    if (uniform) totals.counts[block.groups[0]!]! += block.count;
    else countGroups(totals.counts, block.groups, block.count);
    metric?.add(block, groupCount);
  }
}

/**
 * Counting does not need a group for each row. Rows are counted per code first, and then the few codes are mapped to
 * their groups.
 */
function countByCode(
  { segment, dead }: LiveSegment,
  { tests, rows }: RowMatch,
  column: Column,
  totals: RowCounts,
): void {
  const perCode = new Uint32Array(sizeOf(column.dictionary!) + 1);
  if (column.starts) totals.rows += countItems(perCode, column, column.starts, { segment, dead }, { tests, rows });
  else if (!rows && tests.length === 0 && !dead) countCodes(perCode, column.keys, segment.rows);
  else {
    const block = new Uint32Array(BLOCK);
    const length = rows?.length ?? segment.rows;
    for (let from = 0; from < length; from += BLOCK) {
      const walk = { from, to: Math.min(length, from + BLOCK), order: rows };
      countCodesOf(perCode, column.keys, block, matchBlock(block, walk, tests, dead));
    }
  }
  for (const [code, count] of perCode.entries()) {
    if (count === 0) continue;
    if (!column.starts) totals.rows += count;
    const group = totals.groups.groupOf(valueOfKey(column, code));
    totals.counts = grown(totals.counts, group + 1, 0);
    totals.counts[group]! += count;
  }
}

/**
 * Counts rows per code if each row has a list of codes. Code 0 counts the rows with an empty list. Returns the number
 * of rows.
 */
function countItems(
  perCode: Uint32Array,
  { keys }: Column,
  starts: Uint32Array,
  { segment, dead }: Pick<LiveSegment, "segment" | "dead">,
  { tests, rows }: RowMatch,
): number {
  const block = new Uint32Array(BLOCK);
  const length = rows?.length ?? segment.rows;
  let found = 0;
  for (let from = 0; from < length; from += BLOCK) {
    const walk = { from, to: Math.min(length, from + BLOCK), order: rows };
    const count = matchBlock(block, walk, tests, dead);
    found += count;
    for (let i = 0; i < count; i++) {
      const end = starts[block[i]! + 1]!;
      let item = starts[block[i]!]!;
      if (item === end) perCode[0]!++;
      for (; item < end; item++) perCode[keys[item]!]!++;
    }
  }
  return found;
}

function countCodes(perCode: Uint32Array, codes: Keys, count: number): void {
  for (let row = 0; row < count; row++) perCode[codes[row]!]!++;
}

function countCodesOf(perCode: Uint32Array, codes: Keys, rows: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) perCode[codes[rows[i]!]!]!++;
}

function countGroups(counts: Float64Array, groups: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) counts[groups[i]!]!++;
}

export function groupComparison(all: readonly AggregateGroup[], orderBy: GroupOrder): (a: number, b: number) => number {
  const by = orderBy.replace("-", "") as "value" | "key" | "count";
  const descending = orderBy.startsWith("-");
  return (one, other) => {
    const [a, b] = [all[one]!, all[other]!];
    return nullsLast(a[by], b[by], descending) || b.count - a.count || nullsLast(a.key, b.key, false);
  };
}

function nullsLast(a: ColumnValue, b: ColumnValue, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return descending ? compareValues(b, a) : compareValues(a, b);
}
