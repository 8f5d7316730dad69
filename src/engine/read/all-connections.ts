// Reads of one stream over every connection that has it: pages in one order with one cursor, counts, groups and sums.
import { PdppError } from "../../contract/errors.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import type { ColumnValue } from "../../core/fields.ts";
import { type Predicate, predicatesOf } from "../../core/filter.ts";
import { compilePlan, type Plan, reveal, type StoredRow } from "../../core/plan.ts";
import { allRows, type ScopeRow } from "../../core/scope.ts";
import type { MethodContext } from "../calls/define.ts";
import { compareCodePoints } from "../projection/columns/code-point-order.ts";
import { compareValues } from "../projection/columns/column.ts";
import type { StreamColumns } from "../projection/columns/stream-columns.ts";
import { type Answer, allIdentity, listJson, recordJson, recordsUrl } from "./context.ts";
import { expanderFor } from "./expand.ts";
import { boundQuery, countRecords, type Order, orderOf, pageLimit, selectionFor } from "./records.ts";

interface Source {
  row: ScopeRow;
  plan: Plan;
  where: Predicate[];
  order: Order;
}

interface AllPosition {
  value: ColumnValue;
  id: string;
  connectionId: string;
}

interface Hit extends AllPosition {
  version: number;
  source: Source;
}

/** Longer than any id, and made of the last character there is: every id comes before it. */
const LAST_ID = "\u{10FFFF}".repeat(8193);

export async function readAllRecords(context: MethodContext, query: RecordsQuery): Promise<Answer> {
  if (query.changes_since !== undefined) {
    throw new PdppError("invalid_request", "changes_since is a position in one connection", {
      param: "changes_since",
      next_step: "Name one connection with connection_id, or leave changes_since out.",
    });
  }
  const rows = allRows(context.caller.scope, query.stream);
  const { limit, warnings } = pageLimit(query.limit);
  const { texts = "preview" } = query;
  const sources = rows.map((row) => inConnection(row, () => sourceOf(row, query)));
  requireOneOrder(sources);
  const binding = {
    space: "page",
    within: context.caller.scope.bearer,
    query: { ...boundQuery(query), connections: "all" },
  } as const;
  const after = query.cursor === undefined ? undefined : positionFrom(openCursor(context.key, binding, query.cursor));
  const hits = await firstHits(context, sources, after, limit + 1);
  const shown = hits.slice(0, limit);
  const stored = await storedRows(context, shown);
  const items: string[] = [];
  const reads = new Map<ScopeRow, number>();
  for (const hit of shown) {
    const record = stored.get(hit);
    const revealed = record && reveal(hit.source.plan, record);
    if (record === undefined || revealed === undefined) continue;
    const { row } = hit.source;
    const expand = query.expand === undefined ? undefined : await expanderFor(context, row, { ...query, texts });
    const expanded = expand && (await expand(record));
    items.push(recordJson(row, revealed, { expanded: expanded?.json, texts }));
    reads.set(row, (reads.get(row) ?? 0) + 1 + (expanded?.records ?? 0));
  }
  const hasMore = hits.length > limit;
  const last = shown.at(-1);
  const counts = query.count === undefined || query.count === "none" ? undefined : await countAll(context, sources);
  const body = listJson({
    ...recordsUrl(query),
    items,
    hasMore,
    identity: allIdentity(rows),
    ...(hasMore && last
      ? { nextCursor: sealCursor(context.key, binding, [last.value, last.id, last.connectionId]) }
      : {}),
    meta: {
      ...(counts === undefined ? {} : { count: { kind: "exact", value: counts } }),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  });
  const total = [...reads.values()].reduce((sum, records) => sum + records, 0);
  return { body, records: total, reads: [...reads].map(([row, records]) => ({ row, records })) };
}

function sourceOf(row: ScopeRow, query: RecordsQuery): Source {
  const plan = compilePlan(row, query);
  return { row, plan, where: predicatesOf(row, query.filter), order: orderOf(plan, query) };
}

/** What is wrong for one connection may be right for the others: the message says which one it is. */
export function inConnection<T>(row: ScopeRow, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    const { connectionId } = row.stream;
    throw new PdppError(error.code, `${error.message}, in connection ${connectionId}`, error.details);
  }
}

/** Instants, days and numbers compare with one another; a text compares with texts only. */
function requireOneOrder(sources: readonly Source[]): void {
  const kinds = new Set(
    sources.map(({ row, order }) => {
      const kind = order.field === undefined ? "id" : row.stream.fields.get(order.field)?.column;
      return kind === "instant" || kind === "day" ? "time" : kind;
    }),
  );
  if (kinds.size <= 1) return;
  throw new PdppError("invalid_sort", "the connections have different orders", {
    param: "sort",
    next_step: "Name with sort a field that has the same type in all of them, or one connection with connection_id.",
  });
}

function positionFrom(position: unknown): AllPosition {
  const [value, id, connectionId] = position as [ColumnValue, string, string];
  return { value, id, connectionId };
}

/** The best hits of all sources. Those that cannot have one any more, by the bounds of their columns, are not read. */
async function firstHits(
  context: MethodContext,
  sources: readonly Source[],
  after: AllPosition | undefined,
  limit: number,
): Promise<Hit[]> {
  const { field, descending } = sources[0]!.order;
  const opened: { source: Source; columns: StreamColumns; bound: ColumnValue | undefined }[] = [];
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
    const { connectionId } = source.row.stream;
    const page = await columns.page(selectionFor(source.plan, source.where), {
      sort: source.order,
      after: after && startIn(connectionId, after, descending),
      limit,
    });
    const hits = page.map(({ value, id, version }): Hit => ({ value, id, version, connectionId, source }));
    found = [...found, ...hits].sort((one, other) => compareHits(one, other, descending)).slice(0, limit);
  }
  return found;
}

/** Value first, nulls last; of equal values one connection after the other, each in the order of its ids. */
function compareHits(a: Hit, b: Hit, descending: boolean): number {
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1;
  } else {
    const byValue = compareValues(a.value, b.value);
    if (byValue !== 0) return descending ? -byValue : byValue;
  }
  const byId = compareCodePoints(a.id, b.id);
  return compareCodePoints(a.connectionId, b.connectionId) || (descending ? -byId : byId);
}

/** Where a connection goes on: those before the cursor's have shown all records with its value, those behind none. */
function startIn(connectionId: string, { value, id, connectionId: at }: AllPosition, descending: boolean) {
  const order = compareCodePoints(connectionId, at);
  if (order === 0) return { value, id };
  return { value, id: order < 0 === descending ? "" : LAST_ID };
}

async function storedRows({ view }: MethodContext, hits: readonly Hit[]): Promise<Map<Hit, StoredRow>> {
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

async function countAll(context: MethodContext, sources: readonly Source[]): Promise<number> {
  let total = 0;
  for (const { plan, where } of sources) total += await countRecords(context, plan, where);
  return total;
}
