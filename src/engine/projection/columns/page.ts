// Keyset pagination of rows ordered by any column. Segments with the best keys are read first, and the rest are skipped
// early.
import type { ColumnValue } from "../../../core/fields.ts";
import { PageCollector } from "./page-collector.ts";
import { matchIn, planSelection, type Selection, type SelectionPlan } from "./selection.ts";
import { sortSpec } from "./shape.ts";
import { loadSorted } from "./sorted-segment.ts";
import type { FoldView, LiveSegment } from "./stream-fold.ts";
import { topRows } from "./top-rows.ts";
import { walkSegment } from "./walk-segment.ts";

export interface PageRequest {
  /** Absent for the stream's default sort. Without a field, rows are sorted by id alone. */
  sort?: { field?: string; descending: boolean };
  /** The page starts after this position. */
  after?: PagePosition;
  limit: number;
}

export interface PagePosition {
  value: ColumnValue;
  id: string;
}

export interface PageRow extends PagePosition {
  version: number;
}

/** A request with its defaults filled in. */
export interface PageOrder {
  field: string | undefined;
  descending: boolean;
  after: PagePosition | undefined;
  limit: number;
}

/**
 * How many orders are built per page. Building takes milliseconds per segment, so the first few pages sorted by a field
 * share the work.
 */
const ORDERS_PER_PAGE = 2;
/** As a fraction of a full segment: smaller segments are just as fast without an order. */
const WORTH_ORDERING = 1 / 16;

/** Sorts by (value, id), both in the requested direction, with nulls last in either direction. */
export async function page(view: FoldView, selection: Selection, request: PageRequest): Promise<PageRow[]> {
  const defaultField = sortSpec(view.shape)?.field;
  const field = request.sort ? request.sort.field : defaultField;
  const descending = request.sort?.descending ?? false;
  const after = request.after && { ...request.after, id: request.after.id.toWellFormed() };
  const order: PageOrder = { field, descending, after, limit: request.limit };
  const plan = planSelection(selection);
  const found = new PageCollector(order);
  const worthOrdering = view.segmentRows * WORTH_ORDERING;
  let allowance = ORDERS_PER_PAGE;
  for (const part of found.bestFirst(view.parts)) {
    if (request.limit < 1 || found.excludes(part.segment)) continue;
    const ordered =
      field === defaultField ? "by default" : orderFor(part, field, plan, allowance > 0 ? worthOrdering : Infinity);
    if (ordered === "build") allowance--;
    await collect(part, plan, order, ordered, found);
  }
  return found.rows;
}

type Ordering = "by default" | "cached" | "build" | "none";

function orderFor(
  { segment }: LiveSegment,
  field: string | undefined,
  plan: SelectionPlan,
  rowsToBuild: number,
): Ordering {
  if (plan.ids || field === undefined) return "none";
  if (segment.order(field).peek()) return "cached";
  return segment.rows >= rowsToBuild ? "build" : "none";
}

async function collect(
  part: LiveSegment,
  plan: SelectionPlan,
  order: PageOrder,
  ordered: Ordering,
  found: PageCollector,
) {
  const match = await matchIn(part, plan);
  if (!match) return;
  const sorted = await loadSorted(part.segment, order.field);
  if (match.rows || ordered === "none") {
    for (const row of topRows(part, match, sorted, order, found.worstKey(sorted))) found.offer(sorted, row);
    return;
  }
  const permutation = ordered === "by default" ? undefined : await part.segment.order(order.field!).get();
  walkSegment(part, match, sorted, permutation, order, found);
}
