// A segment's rows before they are sealed: ids, versions and columns in parallel. Sorts and merges them.
import { type Column, codesFor, compactColumn, gatherColumn, gatherKeys, type Keys } from "./column.ts";
import { isDead } from "./dead-rows.ts";
import { orderRows } from "./row-order.ts";
import { type ColumnsShape, sortSpec } from "./shape.ts";
import { compareAt, concatStrings, gatherStrings, type StringTable, sizeOf } from "./string-table.ts";

export interface Rows {
  ids: StringTable;
  versions: Float64Array;
  /** In the order of the shape's columns. */
  columns: Column[];
}

export function sortRows(rows: Rows, shape: ColumnsShape): Rows {
  const sort = sortSpec(shape);
  const column = sort && rows.columns[shape.columns.indexOf(sort)];
  const order = orderRows(column?.keys, rows.ids);
  return order ? gatherRows(rows, order) : rows;
}

function gatherRows(rows: Rows, order: Uint32Array): Rows {
  return {
    ids: gatherStrings(rows.ids, order),
    versions: gatherKeys(rows.versions, order),
    columns: rows.columns.map((column) => gatherColumn(column, order)),
  };
}

export function liveRows(rows: Rows, dead: Uint8Array | undefined): Rows {
  if (!dead) return rows;
  const order = new Uint32Array(rows.versions.length);
  let live = 0;
  for (let row = 0; row < order.length; row++) if (!isDead(dead, row)) order[live++] = row;
  const kept = gatherRows(rows, order.subarray(0, live));
  return { ...kept, columns: kept.columns.map(compactColumn) };
}

export function concatRows(parts: readonly Rows[]): Rows {
  return {
    ids: concatStrings(parts.map((part) => part.ids)),
    versions: concatKeys(parts.map((part) => part.versions)) as Float64Array,
    columns: parts[0]!.columns.map((_, i) => concatColumns(parts.map((part) => part.columns[i]!))),
  };
}

function concatKeys(parts: readonly Float64Array[]): Keys {
  const keys = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    keys.set(part, at);
    at += part.length;
  }
  return keys;
}

function concatColumns(columns: readonly Column[]): Column {
  const { kind } = columns[0]!;
  const starts = columns[0]!.starts && { starts: concatStarts(columns.map((column) => column.starts!)) };
  if (!columns[0]!.dictionary)
    return { kind, keys: concatKeys(columns.map((column) => column.keys as Float64Array)), ...starts };
  const { dictionary, remaps } = mergeDictionaries(columns.map((column) => column.dictionary!));
  const keys = codesFor(
    sizeOf(dictionary),
    columns.reduce((sum, column) => sum + column.keys.length, 0),
  );
  let at = 0;
  columns.forEach((column, part) => {
    const remap = remaps[part]!;
    for (let row = 0; row < column.keys.length; row++) keys[at++] = remap[column.keys[row]!]!;
  });
  return { kind, keys, dictionary, ...starts };
}

function concatStarts(parts: readonly Uint32Array[]): Uint32Array {
  const starts = new Uint32Array(parts.reduce((sum, part) => sum + part.length - 1, 1));
  let [at, base] = [1, 0];
  for (const part of parts) {
    for (let row = 1; row < part.length; row++) starts[at++] = base + part[row]!;
    base += part.at(-1)!;
  }
  return starts;
}

/** Merges sorted dictionaries into one. For each dictionary, returns a table that maps its codes to the new ones. */
function mergeDictionaries(dictionaries: readonly StringTable[]): { dictionary: StringTable; remaps: Uint32Array[] } {
  const all = concatStrings(dictionaries);
  const order = orderRows(undefined, all) ?? Uint32Array.from({ length: sizeOf(all) }, (_, i) => i);
  const codes = new Uint32Array(order.length);
  const distinct = new Uint32Array(order.length);
  let count = 0;
  for (let i = 0; i < order.length; i++) {
    if (i === 0 || compareAt(all, order[i - 1]!, all, order[i]!) !== 0) distinct[count++] = order[i]!;
    codes[order[i]!] = count;
  }
  let base = 0;
  const remaps = dictionaries.map((dictionary) => {
    const remap = new Uint32Array(sizeOf(dictionary) + 1);
    remap.set(codes.subarray(base, base + sizeOf(dictionary)), 1);
    base += sizeOf(dictionary);
    return remap;
  });
  return { dictionary: gatherStrings(all, distinct.subarray(0, count)), remaps };
}
