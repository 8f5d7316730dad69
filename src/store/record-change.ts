// Computes the effect of a change on a stored record: whether anything differs, the history, and the new position in
// the feed.
import { advanceHistory, type History, positionsOf, type RecordState, type Stamp } from "../core/history.ts";
import type { StoredRow } from "../core/plan.ts";
import type { BatchOptions, Change } from "./store.ts";

export function differs(row: StoredRow, change: Change, appendOnly: boolean): boolean {
  if (appendOnly && row.data !== null && change.data !== null) return false;
  return row.data !== change.data;
}

export interface MovedRecord {
  history: History;
  /** Earlier feed positions of the record that are no longer needed. */
  dropped: number[];
  /** True if readers that cannot see the change still need the old position. */
  leavesTrail: boolean;
}

export function moveRecord(
  row: StoredRow,
  change: Change,
  version: number,
  { limitsOf, now }: Pick<BatchOptions, "limitsOf" | "now">,
): MovedRecord {
  const stamp: Stamp = [version, change.emittedAt, now, change.origin];
  const born: Stamp = [row.version, row.emittedAt, row.ingestedAt, row.origin];
  const limits = row.data === null ? { time: null } : limitsOf(row.data);
  const before: RecordState = { data: parsed(row.data), ...limits };
  const after: RecordState = {
    data: parsed(change.data),
    time: change.time,
    ...(change.values === undefined ? {} : { values: change.values }),
  };
  const old = row.history === null ? null : (JSON.parse(row.history) as History);
  const history = advanceHistory(old, born, before, after, stamp);
  const kept = positionsOf(history);
  const positions = old === null ? new Set([row.version]) : positionsOf(old);
  return {
    history,
    dropped: [...positions].filter((position) => position !== row.version && !kept.has(position)),
    leavesTrail: row.version !== version && kept.has(row.version),
  };
}

function parsed(data: string | null): Record<string, unknown> | null {
  return data === null ? null : (JSON.parse(data) as Record<string, unknown>);
}
