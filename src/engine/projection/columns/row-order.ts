// The order of rows in a segment: by key, then id, both ascending.
import type { Keys } from "./column.ts";
import { orderByKey } from "./radix-sort.ts";
import { compareAt, type StringTable, sizeOf } from "./string-table.ts";
import { orderByText } from "./text-order.ts";

/** Returns rows by ascending key (null first), then by id. Undefined if they are already in that order. */
export function orderRows(keys: Keys | undefined, ids: StringTable): Uint32Array | undefined {
  if (isOrdered(keys, ids)) return undefined;
  const byId = orderByText(ids);
  return keys ? orderByKey(keys, byId) : byId;
}

function isOrdered(keys: Keys | undefined, ids: StringTable): boolean {
  for (let row = 1; row < sizeOf(ids); row++) {
    const order = keys ? compareKeys(keys[row - 1]!, keys[row]!) : 0;
    if (order > 0 || (order === 0 && compareAt(ids, row - 1, ids, row) > 0)) return false;
  }
  return true;
}

/** NaN, which is null for numbers, sorts first, like code 0. */
function compareKeys(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}
