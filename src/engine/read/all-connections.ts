// Reads one stream over every connection that has it: pages in one order with one cursor, counts, groups and sums.
import { PdppError } from "../../contract/errors.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import { predicatesOf } from "../../core/filter.ts";
import { compilePlan, reveal } from "../../core/plan.ts";
import { allRows, type ScopeRow } from "../../core/scope.ts";
import type { MethodContext } from "../calls/define.ts";
import { firstHits, type HitSource, positionFrom, storedRows } from "./all-hits.ts";
import { type Answer, allIdentity, listJson, recordJson, recordsUrl, TakenByStream } from "./context.ts";
import { expanderFor } from "./expand.ts";
import { boundQuery, countRecords, orderOf, pageLimit } from "./records.ts";

export async function readAllRecords(context: MethodContext, query: RecordsQuery): Promise<Answer> {
  if (query.changes_since !== undefined) {
    throw new PdppError("invalid_request", "changes_since is a position in one connection", {
      param: "changes_since",
      next_step: "Choose one connection with connection_id, or omit changes_since.",
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
  const reads = new TakenByStream();
  for (const hit of shown) {
    const record = stored.get(hit);
    const revealed = record && reveal(hit.source.plan, record);
    if (record === undefined || revealed === undefined) continue;
    const { row } = hit.source;
    const expand = query.expand === undefined ? undefined : await expanderFor(context, row, { ...query, texts });
    const expanded = expand && (await expand(record));
    items.push(recordJson(row, revealed, { expanded: expanded?.json, texts }));
    reads.add(row, revealed.id, 1 + (expanded?.records ?? 0));
  }
  const hasMore = hits.length > limit;
  const last = shown.at(-1);
  const counts = query.count === undefined || query.count === "none" ? undefined : await countAll(context, sources);
  const body = listJson({
    ...recordsUrl(query),
    items,
    hasMore,
    identity: allIdentity(rows),
    ...(hasMore && last ? { nextCursor: sealCursor(context.key, binding, [last.value, last.id, last.place]) } : {}),
    meta: {
      ...(counts === undefined ? {} : { count: { kind: "exact", value: counts } }),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  });
  const taken = reads.list();
  return { body, records: taken.reduce((sum, { records }) => sum + records, 0), reads: taken };
}

function sourceOf(row: ScopeRow, query: RecordsQuery): HitSource {
  const plan = compilePlan(row, query);
  return {
    row,
    plan,
    place: row.stream.connectionId,
    where: predicatesOf(row, query.filter),
    order: orderOf(plan, query),
  };
}

/** An error for one connection may not apply to the others, so the message mentions the connection. */
export function inConnection<T>(row: ScopeRow, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    const { connectionId } = row.stream;
    throw new PdppError(error.code, `${error.message}, in connection ${connectionId}`, error.details);
  }
}

/** Instants, days and numbers can be compared with one another, but text only with text. */
function requireOneOrder(sources: readonly HitSource[]): void {
  const kinds = new Set(
    sources.map(({ row, order }) => {
      const kind = order.field === undefined ? "id" : row.stream.fields.get(order.field)?.column;
      return kind === "instant" || kind === "day" ? "time" : kind;
    }),
  );
  if (kinds.size <= 1) return;
  throw new PdppError("invalid_sort", "the connections sort by fields of different types", {
    param: "sort",
    next_step: "Sort by a field that has the same type in all of them, or choose one connection with connection_id.",
  });
}

async function countAll(context: MethodContext, sources: readonly HitSource[]): Promise<number> {
  let total = 0;
  for (const { plan, where } of sources) total += await countRecords(context, plan, where);
  return total;
}
