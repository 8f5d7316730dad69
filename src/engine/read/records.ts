// Listing records: filter, range, sort, projection, keyset pages, counts, expansion.
import type { Warning } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import { PAGE } from "../../contract/limits.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import type { ColumnValue } from "../../core/fields.ts";
import { grantPredicates, type Predicate, predicatesOf } from "../../core/filter.ts";
import { compilePlan, type Plan, requireField, reveal, type StoredRow } from "../../core/plan.ts";
import { isLimited, theRow } from "../../core/scope.ts";
import type { MethodContext } from "../calls/define.ts";
import { readChanges } from "./changes.ts";
import { type Answer, listJson, type ReadContext, recordJson, recordsUrl } from "./context.ts";
import { expanderFor } from "./expand.ts";
import { readFreshness } from "./freshness.ts";

export interface Order {
  /** Absent if records are sorted by id alone. */
  field?: string;
  descending: boolean;
}

export interface Position {
  value: ColumnValue;
  id: string;
}

export async function readRecords(context: MethodContext, query: RecordsQuery): Promise<Answer> {
  const row = theRow(context.caller.scope, query.stream, query.connection_id, { offersAll: true });
  const { limit, warnings } = pageLimit(query.limit);
  if (query.changes_since !== undefined) return readChanges(context, row, query, limit, warnings);
  const plan = compilePlan(row, query);
  const where = predicatesOf(row, query.filter);
  const order = orderOf(plan, query);
  const { texts = "preview" } = query;
  const expand = await expanderFor(context, row, { ...query, texts });
  const binding = { space: "page", within: row, query: boundQuery(query) } as const;
  const after = query.cursor === undefined ? undefined : positionFrom(openCursor(context.key, binding, query.cursor));

  // Requested at the same time as the page. If both fail, the page's failure is reported.
  const freshness = readFreshness(context, row.stream.connectionId);
  freshness.catch(() => undefined);
  let early: string | undefined;
  const seal = ({ value, id }: Position): string => sealCursor(context.key, binding, [value, id]);
  // Sealed early, because sealing takes 45 µs, about as long as a database needs to find the rows.
  const reading = readPage(context, plan, where, order, after, limit + 1, (found) => {
    if (found.length > limit) early = seal(found[limit - 1]!);
  });
  const address = recordsUrl(query);
  const page = await reading;
  const shown = page.slice(0, limit);
  const items: string[] = [];
  const ids: string[] = [];
  let records = 0;
  for (const { stored } of shown) {
    const revealed = reveal(plan, stored);
    if (revealed === undefined) continue;
    const expanded = expand && (await expand(stored));
    items.push(recordJson(row, revealed, { expanded: expanded?.json, texts }));
    ids.push(revealed.id);
    records += 1 + (expanded?.records ?? 0);
  }
  const hasMore = page.length > limit;
  const last = shown.at(-1);
  const count = await countFor(context, plan, where, query.count);
  const body = listJson({
    ...address,
    items,
    hasMore,
    row,
    ...(hasMore && last ? { nextCursor: early ?? seal({ value: last.value, id: last.stored.id }) } : {}),
    meta: {
      ...(count === undefined ? {} : { count }),
      freshness: await freshness,
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  });
  return { body, row, records, ids };
}

/** True if the store's own index has this order. Otherwise the columns are used. */
export const byIndex = (plan: Plan, where: readonly Predicate[], order: Order): boolean =>
  plan.byOrder && where.length === 0 && order.field === plan.orderField;

/** `meanwhile` can work on the columns' result while the store looks up the rows. */
export async function readPage(
  context: ReadContext,
  plan: Plan,
  where: readonly Predicate[],
  order: Order,
  after: Position | undefined,
  limit: number,
  meanwhile?: (found: readonly Position[]) => void,
): Promise<{ stored: StoredRow; value: ColumnValue }[]> {
  if (byIndex(plan, where, order)) {
    const position = after && { ord: after.value as string | number | null, id: after.id };
    const rows = await context.view.page(plan, { descending: order.descending, after: position, limit });
    return rows.map((stored) => ({ stored, value: plan.orderField === undefined ? null : stored.ord }));
  }
  const columns = await context.columns(plan);
  const hits = await columns.page(selectionFor(plan, where), {
    sort: order,
    after,
    limit,
  });
  const asked = context.view.rows(
    plan,
    hits.map((hit) => hit.version),
  );
  meanwhile?.(hits);
  const rows = await asked;
  return rows.map((stored, index) => ({ stored, value: hits[index]!.value }));
}

/** The plan's conditions and the caller's, as one selection. */
export function selectionFor(plan: Plan, where: readonly Predicate[]) {
  const { row } = plan;
  return {
    where: [...grantPredicates(row), ...where],
    ...(row.resources === undefined ? {} : { ids: row.resources }),
  };
}

async function countFor(
  context: ReadContext,
  plan: Plan,
  where: readonly Predicate[],
  mode: RecordsQuery["count"],
): Promise<{ kind: "exact"; value: number } | undefined> {
  if (mode === undefined || mode === "none") return undefined;
  // An exact count is so cheap that an estimate would save nothing.
  return { kind: "exact", value: await countRecords(context, plan, where) };
}

export async function countRecords(context: ReadContext, plan: Plan, where: readonly Predicate[]): Promise<number> {
  if (where.length === 0 && !isLimited(plan.row)) return (await context.view.total(plan)).live;
  return (await context.columns(plan)).count(selectionFor(plan, where));
}

export function orderOf(plan: Plan, { sort, order }: Pick<RecordsQuery, "sort" | "order">): Order {
  if (sort === undefined) return { field: plan.orderField, descending: order !== "asc" };
  const field = sort.replace(/^-/, "");
  const descending = sort.startsWith("-");
  requireField(plan.row, field, "sort");
  if (plan.row.stream.fields.get(field)?.column === undefined) {
    throw new PdppError("invalid_sort", `${plan.row.stream.name} cannot be sorted by ${field}`, { param: "sort" });
  }
  if (descending && order === "asc") {
    throw new PdppError("invalid_sort", "sort=-field is descending, but order=asc is ascending", { param: "order" });
  }
  return { field, descending: descending || order === "desc" };
}

export function pageLimit(asked: number | undefined): { limit: number; warnings: Warning[] } {
  if (asked === undefined || asked <= PAGE.max) return { limit: asked ?? PAGE.default, warnings: [] };
  const message = `limit ${asked} was lowered to ${PAGE.max}; follow next_cursor for more`;
  return { limit: PAGE.max, warnings: [{ code: "limit_clamped", message, param: "limit" }] };
}

/**
 * The parts of a query that decide which record is next. Page size, text length and the spelling of the connection do
 * not.
 */
export function boundQuery({
  cursor: _cursor,
  limit: _limit,
  connection_id: _id,
  count: _count,
  texts: _texts,
  ...query
}: RecordsQuery) {
  return query;
}

function positionFrom(position: unknown): Position {
  const [value, id] = position as [ColumnValue, string];
  return { value, id };
}
