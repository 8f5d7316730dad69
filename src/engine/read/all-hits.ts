// The first records of several streams in one order: pages that are merged, with one position for all of them.
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

/** One stream of a connection. */
export interface HitSource {
  row: ScopeRow;
  plan: Plan;
  /** Told apart from all others by it; of equal values one place comes after the other. */
  place: string;
  where: Predicate[];
  /** Records that meet one of these, where only those are wanted. */
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

/** Longer than any id, and made of the last character there is: every id comes before it. */
const LAST_ID = "\u{10FFFF}".repeat(8193);

export function positionFrom(position: unknown): HitPosition {
  const [value, id, place] = position as [ColumnValue, string, string];
  return { value, id, place };
}

/** The best hits of all sources. Those that cannot have one any more, by the bounds of their columns, are not read. */
export async function firstHits(
  context: ReadContext,
  sources: readonly HitSource[],
  after: HitPosition | undefined,
  limit: number,
): Promise<Hit[]> {
  const { field, descending } = sources[0]!.order;
  const opened: { source: HitSource; columns: StreamColumns; bound: ColumnValue | undefined }[] = [];
  for (const source of sources) {
    const columns = await context.columns(source.plan);
    const bound = source.order.field === undefined ? undefined : columns.bound(source.order.field, descending);
    opened.push({ source, columns, bound });
  }
  opened.sort((one, other) => {
    if (one.bound === undefined || other.bound === undefined)
      return Number(other.bound === undefined) - Number(one.bound === undefined);
    return compareValues(one.bound, other.bound) * (descending ? -1 : 1);
  });
  let found: Hit[] = [];
  for (const { source, columns, bound } of opened) {
    const worst = found.length < limit ? undefined : found.at(-1)!.value;
    const isBeyond =
      worst !== undefined &&
      worst !== null &&
      bound !== undefined &&
      compareValues(bound, worst) * (descending ? -1 : 1) > 0;
    if (field !== undefined && isBeyond) continue;
    const { place } = source;
    const page = await pageOf(columns, source, after && startIn(place, after, descending), limit);
    const hits = page.map(({ value, id, version }): Hit => ({ value, id, version, place, source }));
    found = [...found, ...hits].sort((one, other) => compareHits(one, other, descending)).slice(0, limit);
  }
  return found;
}

/** Value first, nulls last; of equal values one place after the other, each in the order of its ids. */
function compareHits(a: Hit, b: Hit, descending: boolean): number {
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1;
  } else {
    const byValue = compareValues(a.value, b.value);
    if (byValue !== 0) return descending ? -byValue : byValue;
  }
  const byId = compareCodePoints(a.id, b.id);
  return compareCodePoints(a.place, b.place) || (descending ? -byId : byId);
}

/** A record that meets several alternatives is one hit. */
async function pageOf(
  columns: StreamColumns,
  { plan, where, alternatives, order }: HitSource,
  after: { value: ColumnValue; id: string } | undefined,
  limit: number,
): Promise<PageRow[]> {
  const ask = (more: readonly Predicate[]) =>
    columns.page(selectionFor(plan, [...where, ...more]), { sort: order, after, limit });
  if (alternatives === undefined) return ask([]);
  const found = new Map<number, PageRow>();
  for (const one of alternatives) for (const row of await ask([one])) found.set(row.version, row);
  return [...found.values()];
}

/** Where a place goes on: those before the cursor's have shown all records with its value, those behind none. */
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
