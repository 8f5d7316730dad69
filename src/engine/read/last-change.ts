// The time of the last change to the records that a reader can see. Found without reading the records that the grant
// hides.
import { type Plan, type StoredRow, visibilityUnder } from "../../core/plan.ts";
import { isLimited, type ScopeRow } from "../../core/scope.ts";
import type { ReadContext } from "./context.ts";
import { selectionFor } from "./records.ts";

/** The newest change that a reader can see, and the feed version up to which this is known. */
interface LastSight {
  through: number;
  version: number;
  at: number | null;
}

/** Cached for as long as the Scope exists, so the next call checks only newer changes. */
const known = new WeakMap<ScopeRow, LastSight>();

/** The number of rows in the first step. Usually the newest row is enough. The number doubles with each step. */
const FIRST_STEP = 2;
const STEP_MAX = 256;

/**
 * The work depends only on what the grant shows and on how many records changed since the last call. A grant for a few
 * records or days among 20,000 must not take longer than among 20 (G-01).
 */
export async function lastChange(context: ReadContext, plan: Plan): Promise<number | null> {
  const { row } = plan;
  if (row.fields === null) return (await context.view.total(plan)).changedAt;
  const before = known.get(row) ?? { through: 0, version: 0, at: null };
  const head = await context.view.version();
  if (before.through >= head) return before.at;
  const last = { ...before };
  const limited = isLimited(row);
  if (limited) await findUnchanged(context, plan, last);
  await findChanged(context, plan, last, limited);
  last.through = head;
  known.set(row, last);
  return last.at;
}

/**
 * Finds the newest visible record that never changed. The columns show which records are visible, so no hidden record
 * is read.
 */
async function findUnchanged(context: ReadContext, plan: Plan, last: LastSight): Promise<void> {
  const columns = await context.columns(plan);
  const selection = selectionFor(plan, []);
  let before = Number.MAX_SAFE_INTEGER;
  for (let limit = FIRST_STEP; ; limit = Math.min(2 * limit, STEP_MAX)) {
    const versions = await columns.newest(selection, { after: last.through, before, limit });
    for (const stored of await context.view.rows(plan, versions)) {
      see(plan, stored, last);
      if (stored.history === null) return;
      before = stored.version;
    }
    if (versions.length < limit) return;
  }
}

/**
 * Checks changed records, including deleted ones. A change to a hidden field is not visible, but an earlier change may
 * be.
 */
async function findChanged(context: ReadContext, plan: Plan, last: LastSight, changed: boolean): Promise<void> {
  let before = Number.MAX_SAFE_INTEGER;
  for (let limit = FIRST_STEP; ; limit = Math.min(2 * limit, STEP_MAX)) {
    // A visible change is never newer than the record's last change, so entries older than the newest one found need
    // not be read.
    const after = Math.max(last.through, last.version);
    const rows = await context.view.newest(plan, { after, before, limit, changed });
    for (const stored of rows) {
      if (stored.version <= last.version) return;
      see(plan, stored, last);
      before = stored.version;
    }
    if (rows.length < limit) return;
  }
}

function see(plan: Plan, stored: StoredRow, last: LastSight): void {
  const sight = visibilityUnder(plan, stored);
  if (sight.state === "never" || sight.stamp[0] <= last.version) return;
  last.version = sight.stamp[0];
  last.at = sight.stamp[2];
}
