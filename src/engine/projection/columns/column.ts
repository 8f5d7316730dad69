// One column of a segment: a number per row, with a sorted dictionary for strings and booleans.
import type { ColumnKind, ColumnValue } from "../../../core/fields.ts";
import { compareCodePoints, sortByCodePoints } from "./code-point-order.ts";
import { gatherStrings, type StringTable, searchTable, sizeOf, stringAt, tableOf } from "./string-table.ts";

export type Codes = Uint8Array | Uint16Array | Uint32Array;
export type Keys = Codes | Float64Array;

export interface Column {
  kind: ColumnKind;
  /**
   * With a dictionary, 0 is null and other keys are the dictionary index + 1. Without one, the key is the number
   * itself, and NaN is null.
   */
  keys: Keys;
  dictionary?: StringTable;
  /**
   * For lists, `keys` contains the values of all rows one after another. The values of row r are at starts[r] to
   * starts[r + 1].
   */
  starts?: Uint32Array;
}

const BOOLEANS = tableOf(["false", "true"]);

export function columnOf(kind: ColumnKind, values: readonly ColumnValue[]): Column {
  if (kind === "boolean") {
    return {
      kind,
      keys: Uint8Array.from(values, (value) => (value === null ? 0 : value ? 2 : 1)),
      dictionary: BOOLEANS,
    };
  }
  if (kind === "string") return stringColumn(values);
  const keys = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) keys[row] = (values[row] as number | null) ?? Number.NaN;
  return { kind, keys };
}

function stringColumn(values: readonly ColumnValue[]): Column {
  const codeOf = new Map<ColumnValue, number>();
  for (const value of values) if (value !== null) codeOf.set(value, 0);
  const distinct = sortByCodePoints([...codeOf.keys()] as string[]);
  for (let i = 0; i < distinct.length; i++) codeOf.set(distinct[i]!, i + 1);
  const keys = codesFor(distinct.length, values.length);
  for (let row = 0; row < values.length; row++) keys[row] = codeOf.get(values[row]!) ?? 0;
  return { kind: "string", keys, dictionary: tableOf(distinct) };
}

/** Returns the narrowest array that fits the codes of a dictionary. */
export function codesFor(dictionarySize: number, rows: number): Codes {
  if (dictionarySize < 256) return new Uint8Array(rows);
  return dictionarySize < 65_536 ? new Uint16Array(rows) : new Uint32Array(rows);
}

export function isNullKey(column: Column, key: number): boolean {
  return column.dictionary ? key === 0 : Number.isNaN(key);
}

/** The value that a key of this column stands for. */
export function valueOfKey(column: Column, key: number): ColumnValue {
  if (isNullKey(column, key)) return null;
  if (!column.dictionary) return key;
  return column.kind === "boolean" ? key === 2 : stringAt(column.dictionary, key - 1);
}

/**
 * A value's key, comparable with the keys of rows. A string that is not in the dictionary gets a key halfway between
 * its neighbours. NaN means that the value is null or of another type, so no row has it.
 */
export function keyOfValue(column: Column, value: ColumnValue): number {
  if (column.kind === "boolean") return typeof value === "boolean" ? (value ? 2 : 1) : Number.NaN;
  if (column.kind === "string") {
    return typeof value === "string" ? searchTable(column.dictionary!, value.toWellFormed()) + 1 : Number.NaN;
  }
  return typeof value === "number" ? value : Number.NaN;
}

/** Compares two values of the same kind, neither of them null. */
export function compareValues(a: ColumnValue, b: ColumnValue): number {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  return Number(a) < Number(b) ? -1 : Number(a) > Number(b) ? 1 : 0;
}

/** A column of lists without duplicates. */
export function listColumnOf(kind: ColumnKind, lists: readonly (readonly ColumnValue[])[]): Column {
  const starts = new Uint32Array(lists.length + 1);
  for (let row = 0; row < lists.length; row++) starts[row + 1] = starts[row]! + lists[row]!.length;
  return { ...columnOf(kind, lists.flat()), starts };
}

function gatherLists(column: Column, from: Uint32Array, order: Uint32Array): Column {
  const starts = new Uint32Array(order.length + 1);
  for (let i = 0; i < order.length; i++) starts[i + 1] = starts[i]! + from[order[i]! + 1]! - from[order[i]!]!;
  const items = new Uint32Array(starts[order.length]!);
  let at = 0;
  for (let i = 0; i < order.length; i++)
    for (let item = from[order[i]!]!; item < from[order[i]! + 1]!; item++) items[at++] = item;
  return { ...column, keys: gatherKeys(column.keys, items), starts };
}

export function gatherColumn(column: Column, order: Uint32Array): Column {
  if (column.starts) return gatherLists(column, column.starts, order);
  return { ...column, keys: gatherKeys(column.keys, order) };
}

export function gatherKeys<K extends Keys>(keys: K, order: Uint32Array): K {
  const gathered = emptyLike(keys, order.length);
  for (let i = 0; i < order.length; i++) gathered[i] = keys[order[i]!]!;
  return gathered;
}

function emptyLike<K extends Keys>(keys: K, length: number): K {
  return new (keys.constructor as new (length: number) => K)(length);
}

/** Drops dictionary entries that no row uses any more, because deleted values must not stay readable in a segment. */
export function compactColumn(column: Column): Column {
  if (column.kind !== "string") return column;
  const dictionary = column.dictionary!;
  const remap = new Uint32Array(sizeOf(dictionary) + 1);
  for (let row = 0; row < column.keys.length; row++) remap[column.keys[row]!] = 1;
  remap[0] = 0;
  let used = 0;
  for (let code = 1; code < remap.length; code++) if (remap[code] === 1) remap[code] = ++used;
  if (used === sizeOf(dictionary)) return column;
  const kept = new Uint32Array(used);
  for (let code = 1; code < remap.length; code++) if (remap[code] !== 0) kept[remap[code]! - 1] = code - 1;
  const keys = codesFor(used, column.keys.length);
  for (let row = 0; row < keys.length; row++) keys[row] = remap[column.keys[row]!]!;
  return { ...column, keys, dictionary: gatherStrings(dictionary, kept) };
}
