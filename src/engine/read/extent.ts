// The extent of a stream within the grant: the number of records, and their first and last times.

import type { JsonObject } from "../../contract/record.ts";
import type { Extent } from "../../contract/schema-document.ts";
import { compilePlan, type Plan, reveal } from "../../core/plan.ts";
import { rolesOf, timeFieldOf } from "../../core/roles.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { ReadContext } from "./context.ts";
import { countRecords, readPage } from "./records.ts";

type Extents = ReadonlyMap<ScopeRow, Extent>;

/**
 * Cached for the rows of a whole Scope until any record of the home changes, because a wide grant has thousands of
 * streams.
 */
const known = new WeakMap<readonly ScopeRow[], { through: number; extents: Extents }>();

export async function readExtents(context: ReadContext, rows: readonly ScopeRow[]): Promise<Extents> {
  const through = await context.view.version();
  const before = known.get(rows);
  if (before?.through === through) return before.extents;
  const extents = new Map<ScopeRow, Extent>();
  for (const row of rows) extents.set(row, await readExtent(context, row));
  known.set(rows, { through, extents });
  return extents;
}

async function readExtent(context: ReadContext, row: ScopeRow): Promise<Extent> {
  const plan = compilePlan(row);
  const record_count = await countRecords(context, plan, []);
  const { declaration, fields } = row.stream;
  const field = timeFieldOf(declaration, rolesOf(declaration.schema));
  const isShown = field !== undefined && fields.get(field)?.column !== undefined && (row.fields?.has(field) ?? true);
  if (!isShown || record_count === 0) return { record_count };
  const [first, last] = [await outermost(context, plan, field, false), await outermost(context, plan, field, true)];
  return { record_count, ...(first === undefined || last === undefined ? {} : { time_span: { field, first, last } }) };
}

/** The first or the last value. Records without a value are last in either order. */
async function outermost(
  context: ReadContext,
  plan: Plan,
  field: string,
  descending: boolean,
): Promise<string | undefined> {
  const [found] = await readPage(context, plan, [], { field, descending }, undefined, 1);
  const data = found && reveal(plan, found.stored)?.data;
  const value = data === undefined ? undefined : (JSON.parse(data) as JsonObject)[field];
  return typeof value === "string" ? value : undefined;
}
