// Compiles a predicate into a test for the rows of one segment.
import type { Predicate, ValuePredicate } from "../../../core/filter.ts";
import { type Column, keyOfValue } from "./column.ts";
import { keyRange } from "./key-range.ts";
import type { RowTest } from "./row-blocks.ts";
import { sizeOf } from "./string-table.ts";

/** Returns undefined if no row of the segment can match. */
export function rowTest(column: Column, predicate: Predicate): RowTest | undefined {
  if (column.starts) return listTest(column, column.starts, predicate);
  if (predicate.op === "in") return oneOf(column, predicate.field, predicate.values);
  if (predicate.op === "ne") return noneOf(column, predicate.field, predicate.value);
  if (predicate.op === "exists") return presence(column, predicate.field, predicate.value);
  return inRange(column, predicate);
}

function listTest(column: Column, starts: Uint32Array, predicate: Predicate): RowTest | undefined {
  const { field } = predicate;
  const test = { kind: "list" as const, field, keys: column.keys, starts };
  if (predicate.op === "exists") return { ...test, wanted: predicate.value };
  const values = predicate.op === "in" ? predicate.values : [predicate.value];
  const found = values.map((value) => keyOfValue(column, value)).filter((key) => !Number.isNaN(key));
  const wanted = predicate.op !== "ne";
  if (!column.dictionary) return { ...test, accepts: new Set(found), wanted };
  const accepts = new Uint8Array(sizeOf(column.dictionary) + 1);
  for (const code of found.filter(Number.isInteger)) accepts[code] = 1;
  return { ...test, accepts, wanted };
}

function inRange(column: Column, predicate: ValuePredicate): RowTest | undefined {
  const range = keyRange(column, predicate);
  return range && { kind: "range", field: predicate.field, keys: column.keys, ...range };
}

function oneOf(column: Column, field: string, values: readonly ValuePredicate["value"][]): RowTest | undefined {
  const found = values.map((value) => keyOfValue(column, value)).filter((key) => !Number.isNaN(key));
  if (!column.dictionary) {
    return found.length === 0
      ? undefined
      : { kind: "numbers", field, keys: column.keys, numbers: new Set(found), wanted: true };
  }
  const codes = found.filter(Number.isInteger);
  if (codes.length === 0) return undefined;
  const mask = new Uint8Array(sizeOf(column.dictionary) + 1);
  for (const code of codes) mask[code] = 1;
  return { kind: "mask", field, keys: column.keys, mask };
}

/** Matches all other rows, including those without a value, because a missing value is not equal. */
function noneOf(column: Column, field: string, value: ValuePredicate["value"]): RowTest {
  const key = keyOfValue(column, value);
  if (!column.dictionary) {
    const numbers = new Set(Number.isNaN(key) ? [] : [key]);
    return { kind: "numbers", field, keys: column.keys, numbers, wanted: false };
  }
  const mask = new Uint8Array(sizeOf(column.dictionary) + 1).fill(1);
  if (Number.isInteger(key)) mask[key] = 0;
  return { kind: "mask", field, keys: column.keys, mask };
}

function presence(column: Column, field: string, wanted: boolean): RowTest {
  if (!column.dictionary)
    return { kind: "numbers", field, keys: column.keys, numbers: new Set([Number.NaN]), wanted: !wanted };
  const mask = new Uint8Array(sizeOf(column.dictionary) + 1).fill(wanted ? 1 : 0);
  mask[0] = wanted ? 0 : 1;
  return { kind: "mask", field, keys: column.keys, mask };
}
