// Expands relations: puts related records of the same connection inside each record, up to the relation's limit.
import { PdppError } from "../../contract/errors.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import type { JsonObject } from "../../contract/record.ts";
import { type Expansion, expansionsOf } from "../../core/capabilities.ts";
import { compilePlan, type Plan, reveal, revealData, type StoredRow } from "../../core/plan.ts";
import type { ScopeRow } from "../../core/scope.ts";
import { type ReadContext, recordJson } from "./context.ts";
import { selectionFor } from "./records.ts";

interface ExpandQuery {
  expand?: string[];
  expand_limit?: Record<string, number>;
  texts?: RecordsQuery["texts"];
}

type Expander = (stored: StoredRow) => Promise<{ json: string; records: number }>;

/** Returns a function from a record to its expanded relations, or undefined if none were requested. */
export async function expanderFor(
  context: ReadContext,
  row: ScopeRow,
  query: ExpandQuery,
): Promise<Expander | undefined> {
  if (query.expand === undefined && query.expand_limit === undefined) return undefined;
  const wanted = query.expand ?? [];
  const offered = expansionsOf(context.caller.scope, row);
  for (const name of [...wanted, ...Object.keys(query.expand_limit ?? {})]) {
    if (offered.some((expansion) => expansion.name === name)) continue;
    const names = offered.map((expansion) => expansion.name).join(", ") || "none";
    throw new PdppError(
      "invalid_expand",
      `${row.stream.name} cannot expand ${JSON.stringify(name)}; it can expand: ${names}`,
      {
        param: "expand",
        next_step: `Call GET /v1/schema?stream=${row.stream.name} (expand_capabilities) to see which relations can be expanded.`,
      },
    );
  }
  if (wanted.length === 0) return undefined;
  const relations = [...new Set(wanted)].map((name) => {
    const expansion = offered.find((candidate) => candidate.name === name)!;
    const limit = Math.min(query.expand_limit?.[name] ?? expansion.default_limit, expansion.max_limit);
    return { expansion, limit, plan: compilePlan(expansion.target) };
  });
  const whole = compilePlan(row);
  return async (stored) => {
    const parts: string[] = [];
    let records = 0;
    for (const { expansion, limit, plan } of relations) {
      const related = await relatedRows(context, whole, stored, expansion, plan, limit + 1);
      const items = related.slice(0, limit).map((found) => recordJson(expansion.target, found, { texts: query.texts }));
      records += items.length;
      parts.push(
        `${JSON.stringify(expansion.name)}:{"object":"list","data":[${items.join(",")}],"has_more":${related.length > limit}}`,
      );
    }
    return { json: `{${parts.join(",")}}`, records };
  };
}

async function relatedRows(
  context: ReadContext,
  whole: Plan,
  stored: StoredRow,
  expansion: Expansion,
  plan: Plan,
  limit: number,
) {
  const { view } = context;
  let rows: (StoredRow | undefined)[];
  if (expansion.cardinality === "has_one") {
    const key = (revealData(whole, stored) as JsonObject)[expansion.foreignKey];
    rows = key === undefined || key === null ? [] : [await view.point(plan, String(key))];
  } else {
    const columns = await context.columns(plan);
    const value =
      expansion.target.stream.fields.get(expansion.foreignKey)!.column === "number" ? Number(stored.id) : stored.id;
    const selection = selectionFor(plan, [{ field: expansion.foreignKey, op: "eq", value }]);
    const hits = await columns.page(selection, { sort: { field: plan.orderField, descending: true }, limit });
    rows = await view.rows(
      plan,
      hits.map((hit) => hit.version),
    );
  }
  return rows.flatMap((found) => (found && reveal(plan, found)) ?? []);
}
