// Many strings as one run of UTF-8 bytes with offsets, such as a segment's ids or a column's dictionary.
import { firstWhere } from "../../../core/binary-search.ts";

export interface StringTable {
  bytes: Buffer;
  /** Has one more element than there are strings. */
  offsets: Uint32Array;
}

export function tableOf(strings: readonly string[]): StringTable {
  const offsets = new Uint32Array(strings.length + 1);
  const joined = strings.join("");
  const bytes = Buffer.from(joined, "utf8");
  const ascii = bytes.length === joined.length;
  for (let i = 0, end = 0; i < strings.length; i++) {
    end += ascii ? strings[i]!.length : Buffer.byteLength(strings[i]!, "utf8");
    offsets[i + 1] = end;
  }
  return { bytes, offsets };
}

export function sizeOf(table: StringTable): number {
  return table.offsets.length - 1;
}

export function stringAt(table: StringTable, index: number): string {
  return table.bytes.toString("utf8", table.offsets[index]!, table.offsets[index + 1]!);
}

/** Compares two strings by their bytes. */
export function compareAt(a: StringTable, i: number, b: StringTable, j: number): number {
  const x = a.bytes;
  const y = b.bytes;
  let p = a.offsets[i]!;
  let q = b.offsets[j]!;
  const pEnd = a.offsets[i + 1]!;
  const qEnd = b.offsets[j + 1]!;
  while (p < pEnd && q < qEnd) {
    const difference = x[p++]! - y[q++]!;
    if (difference !== 0) return difference;
  }
  return pEnd - p - (qEnd - q);
}

/** The index of a string in a sorted table. If it is missing, its insertion point minus a half. */
export function searchTable(table: StringTable, text: string): number {
  const wanted = tableOf([text]);
  const size = sizeOf(table);
  const at = firstWhere(0, size, (index) => compareAt(table, index, wanted, 0) >= 0);
  return at < size && compareAt(table, at, wanted, 0) === 0 ? at : at - 0.5;
}

/** A table's strings in another order, or a subset of them. */
export function gatherStrings(table: StringTable, order: Uint32Array): StringTable {
  const offsets = new Uint32Array(order.length + 1);
  let total = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i]!;
    total += table.offsets[row + 1]! - table.offsets[row]!;
    offsets[i + 1] = total;
  }
  const bytes = Buffer.allocUnsafeSlow(total);
  const source = table.bytes;
  for (let i = 0, to = 0; i < order.length; i++) {
    const row = order[i]!;
    const end = table.offsets[row + 1]!;
    for (let from = table.offsets[row]!; from < end; from++) bytes[to++] = source[from]!;
  }
  return { bytes, offsets };
}

export function concatStrings(tables: readonly StringTable[]): StringTable {
  const count = tables.reduce((sum, table) => sum + sizeOf(table), 0);
  const offsets = new Uint32Array(count + 1);
  let at = 1;
  let base = 0;
  for (const table of tables) {
    for (let i = 1; i < table.offsets.length; i++) offsets[at++] = base + table.offsets[i]!;
    base += table.offsets[table.offsets.length - 1]!;
  }
  return { bytes: Buffer.concat(tables.map((table) => table.bytes)), offsets };
}
