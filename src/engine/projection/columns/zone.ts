// Facts about a column that are available without loading it: bounds, nulls, decimals. They only save work; results
// never depend on them.
import type { ColumnValue } from "../../../core/fields.ts";
import { type Column, valueOfKey } from "./column.ts";
import { sizeOf } from "./string-table.ts";

export interface ZoneMap {
  /**
   * The smallest and largest values, if they are short and finite. The rows that had them may have been deleted since.
   */
  min?: ColumnValue;
  max?: ColumnValue;
  nulls: number;
  /** True if every number has at most six decimals (see sum-metric.ts). */
  decimal?: boolean;
}

/** Longer strings are not worth keeping in memory as bounds. */
const LONGEST = 64;
export const DECIMAL_SCALE = 1e6;

export function zoneOf(column: Column): ZoneMap {
  const zone = column.dictionary ? codedZone(column) : numberZone(column.keys);
  return column.starts ? { ...zone, nulls: emptyLists(column.starts) } : zone;
}

/** An empty list counts as a null. */
function emptyLists(starts: Uint32Array): number {
  let empty = 0;
  for (let row = 1; row < starts.length; row++) if (starts[row] === starts[row - 1]) empty++;
  return empty;
}

function codedZone(column: Column): ZoneMap {
  const { keys } = column;
  const last = sizeOf(column.dictionary!);
  let nulls = 0;
  for (let row = 0; row < keys.length; row++) if (keys[row] === 0) nulls++;
  return last === 0
    ? { nulls }
    : { nulls, ...bound("min", valueOfKey(column, 1)), ...bound("max", valueOfKey(column, last)) };
}

function bound(name: "min" | "max", value: ColumnValue): Partial<ZoneMap> {
  return typeof value === "string" && value.length > LONGEST ? {} : { [name]: value };
}

function numberZone(values: Column["keys"]): ZoneMap {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let nulls = 0;
  let decimal = true;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) {
      nulls++;
      continue;
    }
    if (value < min) min = value;
    if (value > max) max = value;
    if (decimal && !isDecimal(value)) decimal = false;
  }
  const finite = Number.isFinite(min) && Number.isFinite(max);
  return finite ? { min, max, nulls, decimal } : { nulls, decimal };
}

/**
 * True if the number is the nearest one to a decimal with at most six places, and small enough to be added as an
 * integer.
 */
export function isDecimal(value: number): boolean {
  const scaled = Math.round(value * DECIMAL_SCALE);
  return Math.abs(scaled) <= Number.MAX_SAFE_INTEGER && scaled / DECIMAL_SCALE === value;
}
