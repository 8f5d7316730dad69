// Turns a predicate into a closed range of keys, or evaluates it using only the column's zone map.
import type { ColumnValue } from "../../../core/fields.ts";
import type { Predicate, ValuePredicate } from "../../../core/filter.ts";
import { type Column, compareValues, keyOfValue } from "./column.ts";
import { sizeOf } from "./string-table.ts";
import type { ZoneMap } from "./zone.ts";

/** low <= key <= high. The null key is in no range. */
export interface KeyRange {
  low: number;
  high: number;
}

/** Returns undefined if no row of the segment can match. */
export function keyRange(column: Column, { op, value }: ValuePredicate): KeyRange | undefined {
  const key = keyOfValue(column, value);
  const coded = column.dictionary !== undefined;
  const range = {
    low: coded ? 1 : Number.NEGATIVE_INFINITY,
    high: column.dictionary ? sizeOf(column.dictionary) : Number.POSITIVE_INFINITY,
  };
  if (op === "eq" && coded && !Number.isInteger(key)) return undefined;
  if (op === "eq" || op === "gte") range.low = key;
  if (op === "eq" || op === "lte") range.high = key;
  if (op === "gt") range.low = coded ? Math.floor(key) + 1 : nextNumber(key, 1);
  if (op === "lt") range.high = coded ? Math.ceil(key) - 1 : nextNumber(key, -1);
  return range.low <= range.high ? range : undefined;
}

/** The adjacent double, for turning a strict bound into a closed one. */
function nextNumber(value: number, direction: 1 | -1): number {
  if (Number.isNaN(value)) return value;
  if (value === 0) return direction * Number.MIN_VALUE;
  if (!Number.isFinite(value)) return value * direction > 0 ? Number.NaN : direction * -Number.MAX_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0]! += value * direction > 0 ? 1n : -1n;
  return new Float64Array(bits.buffer)[0]!;
}

/**
 * Returns "all" if every row matches, so the test can be skipped, "none" if no row does, and "some" if the rows must be
 * tested.
 */
export function zoneVerdict(zone: ZoneMap | undefined, predicate: Predicate): "all" | "none" | "some" {
  if (zone === undefined) return "some";
  if (predicate.op === "exists") return zone.nulls > 0 ? "some" : predicate.value ? "all" : "none";
  const { min, max, nulls } = zone;
  if (min === undefined || max === undefined) return "some";
  if (predicate.op === "in") return predicate.values.some((value) => within(min, max, value)) ? "some" : "none";
  if (predicate.op === "ne") {
    if (!within(min, max, predicate.value)) return "all";
    return nulls === 0 && compareValues(min, max) === 0 ? "none" : "some";
  }
  if (typeof min !== typeof predicate.value) return "none";
  const fromMin = compareValues(min, predicate.value);
  const fromMax = compareValues(max, predicate.value);
  const [all, none] = {
    eq: [fromMin === 0 && fromMax === 0, fromMin > 0 || fromMax < 0],
    gte: [fromMin >= 0, fromMax < 0],
    gt: [fromMin > 0, fromMax <= 0],
    lte: [fromMax <= 0, fromMin > 0],
    lt: [fromMax < 0, fromMin >= 0],
  }[predicate.op];
  if (none) return "none";
  return all && nulls === 0 ? "all" : "some";
}

const within = (min: ColumnValue, max: ColumnValue, value: ColumnValue): boolean =>
  typeof min === typeof value && compareValues(min, value) <= 0 && compareValues(max, value) >= 0;
