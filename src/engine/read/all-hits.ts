// The first records of several streams in one order: merged pages, with a single position for all of them.
import { firstWhere } from "../../core/binary-search.ts";
import type { ColumnValue } from "../../core/fields.ts";
import type { Predicate } from "../../core/filter.ts";
import type { Plan, StoredRow } from "../../core/plan.ts";
import type { ScopeRow } from "../../core/scope.ts";
import { compareCodePoints } from "../projection/columns/code-point-order.ts";
import { compareValues } from "../projection/columns/column.ts";
import type { PageRow } from "../projection/columns/page.ts";
import type { StreamColumns } from "../projection/columns/stream-columns.ts";
import type { ReadContext } from "./context.ts";
import { type Order, selectionFor } from "./records.ts";

/** One stream in one connection. */
export interface HitSource {
  row: ScopeRow;
  plan: Plan;
  /** Identifies the source. Sources with equal values are sorted by this key. */
  place: string;
  where: Predicate[];
  /** If set, only records that match one of these. */
  alternatives?: readonly Predicate[];
  order: Order;
}

export interface HitPosition {
  value: ColumnValue;
  id: string;
  place: string;
}

export interface Hit extends HitPosition {
  version: number;
  source: HitSource;
}

/** Longer than any id and made of the last character, so that every id sorts before it. */
const LAST_ID = "\u{10FFFF}".repeat(8193);

export function positionFrom(position: unknown): HitPosition {
  const [value, id, place] = position as [ColumnValue, string, string];
  return { value, id, place };
}

/** How many rows are read from a source at first. Doubled each time they are used up. */
const FIRST_ROWS = 4;

/** A source with rows that were read but not taken yet. */
interface Lane {
  source: HitSource;
  columns: StreamColumns;
  rows: Hit[];
  /** If `rows` is empty, no value left in the source sorts before this one. Undefined if unknown. */
  bound: ColumnValue | undefined;
  after: { value: ColumnValue; id: string } | undefined;
  size: number;
  isRead: boolean;
}

/**
 * Takes the best hits of all sources, one at a time from the leading source. A source is not read as long as a row that
 * was already read is ahead of it.
 */
export async function firstHits(
  context: ReadContext,
  sources: readonly HitSource[],
  after: HitPosition | undefined,
  limit: number,
): Promise<Hit[]> {
  const { descending } = sources[0]!.order;
  const size = Math.min(limit, Math.max(FIRST_ROWS, Math.ceil((2 * limit) / sources.length)));
  const lanes: Lane[] = [];
  for (const source of sources) {
    const opened = context.columns(source.plan);
    const columns = opened instanceof Promise ? await opened : opened;
    const bound = source.order.field === undefined ? undefined : columns.bound(source.order.field, descending);
    const start = after && startIn(source.place, after, descending);
    lanes.push({ source, columns, rows: [], bound, after: start, size, isRead: false });
  }
  lanes.sort((one, other) => compareLanes(one, other, descending));
  const found: Hit[] = [];
  while (found.length < limit && lanes.length > 0) {
    const lane = lanes.shift()!;
    if (lane.rows.length === 0) await readOn(lane, descending);
    else takeFirst(lane, found);
    if (lane.rows.length > 0 || !lane.isRead) insert(lanes, lane, descending);
  }
  return found;
}

function takeFirst(lane: Lane, found: Hit[]): void {
  const hit = lane.rows.shift()!;
  found.push(hit);
  lane.bound = hit.value;
}

async function readOn(lane: Lane, descending: boolean): Promise<void> {
  const { source, columns, size } = lane;
  const page = await pageOf(columns, source, lane.after, size);
  const hits = page.rows.map(({ value, id, version }): Hit => ({ value, id, version, place: source.place, source }));
  lane.rows = hits.sort((one, other) => compareHits(one, other, descending)).slice(0, size);
  lane.isRead = page.isLast && hits.length <= size;
  lane.after = lane.rows.at(-1) ?? lane.after;
  lane.size = size * 2;
}

function insert(lanes: Lane[], lane: Lane, descending: boolean): void {
  const at = firstWhere(0, lanes.length, (one) => compareLanes(lane, lanes[one]!, descending) < 0);
  lanes.splice(at, 0, lane);
}

/**
 * Compares lanes by their next row. An unread source may have rows as good as its bound, so it precedes others with
 * that value.
 */
function compareLanes(one: Lane, other: Lane, descending: boolean): number {
  const first = one.rows[0];
  const second = other.rows[0];
  if (first !== undefined && second !== undefined) return compareHits(first, second, descending);
  const value = first === undefined ? one.bound : first.value;
  const otherValue = second === undefined ? other.bound : second.value;
  if (value === undefined || otherValue === undefined)
    return Number(otherValue === undefined) - Number(value === undefined);
  const byValue = compareOrdered(value, otherValue, descending);
  return byValue === 0 ? Number(first !== undefined) - Number(second !== undefined) : byValue;
}

/** Sorts by value with nulls last, then by source, then by id in the sort's direction. */
function compareHits(a: Hit, b: Hit, descending: boolean): number {
  const byValue = compareOrdered(a.value, b.value, descending);
  if (byValue !== 0) return byValue;
  const byId = compareCodePoints(a.id, b.id);
  return compareCodePoints(a.place, b.place) || (descending ? -byId : byId);
}

function compareOrdered(a: ColumnValue, b: ColumnValue, descending: boolean): number {
  if (typeof a === "number" && typeof b === "number") return descending ? b - a : a - b;
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const byValue = compareValues(a, b);
  return descending ? -byValue : byValue;
}

/** A record that matches several alternatives is one hit. Rows beyond `limit` may be unordered. */
async function pageOf(
  columns: StreamColumns,
  { plan, where, alternatives, order }: HitSource,
  after: { value: ColumnValue; id: string } | undefined,
  limit: number,
): Promise<{ rows: PageRow[]; isLast: boolean }> {
  const ask = (more: readonly Predicate[]) =>
    columns.page(selectionFor(plan, [...where, ...more]), { sort: order, after, limit });
  const found = new Map<number, PageRow>();
  let isLast = true;
  for (const more of alternatives?.map((one) => [one]) ?? [[]]) {
    const rows = await ask(more);
    for (const row of rows) found.set(row.version, row);
    if (rows.length === limit) isLast = false;
  }
  return { rows: [...found.values()], isLast };
}

/**
 * Where a source continues. Sources that sort before the cursor's source have shown all records with the cursor's
 * value, and sources that sort after it have shown none.
 */
function startIn(place: string, { value, id, place: at }: HitPosition, descending: boolean) {
  const order = compareCodePoints(place, at);
  if (order === 0) return { value, id };
  return { value, id: order < 0 === descending ? "" : LAST_ID };
}

export async function storedRows({ view }: ReadContext, hits: readonly Hit[]): Promise<Map<Hit, StoredRow>> {
  const stored = new Map<Hit, StoredRow>();
  for (const [{ plan }, own] of Map.groupBy(hits, ({ source }) => source)) {
    const rows = await view.rows(
      plan,
      own.map(({ version }) => version),
    );
    const byVersion = new Map(rows.map((row) => [row.version, row]));
    for (const hit of own) {
      const row = byVersion.get(hit.version);
      if (row !== undefined) stored.set(hit, row);
    }
  }
  return stored;
}
