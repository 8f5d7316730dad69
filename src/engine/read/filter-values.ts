// The most common values of a field that a grant can be limited by, such as the chats, folders or categories on a
// consent page.
import type { FilterValuesQuery, FilterValuesRead } from "../../contract/consent.ts";
import type { Predicate } from "../../core/filter.ts";
import { compilePlan } from "../../core/plan.ts";
import { filterFieldsOf } from "../../core/record-filter.ts";
import { theRow } from "../../core/scope.ts";
import type { ReadContext } from "./context.ts";
import { selectionFor } from "./records.ts";

export async function readFilterValues(context: ReadContext, query: FilterValuesQuery): Promise<FilterValuesRead> {
  const { connection_id, stream, limit } = query;
  const row = theRow(context.caller.scope, stream, connection_id);
  const plan = compilePlan(row);
  const columns = await context.columns(plan);
  for (const { name: field, role } of filterFieldsOf(row.stream)) {
    const where: Predicate[] = [{ field, op: "exists", value: true }];
    const request = { metric: "count", groupBy: field, orderBy: "-count", limit } as const;
    const { groups = [], otherCount = 0 } = await columns.aggregate(selectionFor(plan, where), request);
    // An empty value cannot be shown on a page, and no filter accepts it.
    const values = groups.flatMap(({ key, count }) =>
      typeof key === "string" && key !== "" ? [{ value: key, count }] : [],
    );
    if (values.length > 0) return { field, role, values, other_records: otherCount };
  }
  return { values: [], other_records: 0 };
}
