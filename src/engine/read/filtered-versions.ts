// The versions of the records that pass a grant's filter. Search needs them because the inverted index has no columns
// to compare.
import { compilePlan } from "../../core/plan.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { KnownVersions } from "../projection/search/types.ts";
import type { ReadContext } from "./context.ts";
import { selectionFor } from "./records.ts";

/**
 * Cached for as long as the Scope exists. A version never changes, so only versions added since the last call are
 * checked.
 */
const known = new WeakMap<ScopeRow, { through: number; versions: Set<number> }>();

/** Each row that has a filter, with the versions that pass it. */
export async function filteredVersions(
  context: ReadContext,
  rows: readonly ScopeRow[],
): Promise<ReadonlyMap<ScopeRow, KnownVersions>> {
  const found = new Map<ScopeRow, KnownVersions>();
  for (const row of rows.filter(({ filter }) => filter !== undefined)) found.set(row, await caughtUp(context, row));
  return found;
}

async function caughtUp(context: ReadContext, row: ScopeRow): Promise<KnownVersions> {
  const head = await context.view.version();
  const before = known.get(row) ?? { through: 0, versions: new Set<number>() };
  known.set(row, before);
  if (before.through >= head) return before;
  const plan = compilePlan(row);
  const span = { after: before.through, before: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };
  const columns = await context.columns(plan);
  for (const version of await columns.newest(selectionFor(plan, []), span)) before.versions.add(version);
  before.through = head;
  return before;
}
