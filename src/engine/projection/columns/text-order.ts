// Sorts a table's strings by their bytes, six bytes at a time, which is several times faster than a comparison sort.
import { orderByKey } from "./radix-sort.ts";
import { compareAt, type StringTable, sizeOf } from "./string-table.ts";

/** For fewer strings than this, a comparison sort is cheaper than the passes of a radix sort. */
const SMALL = 64;
/** 48 bits of text and 3 bits of length fit into the 53 bits of a number. */
const CHUNK = 6;

export function orderByText(table: StringTable): Uint32Array {
  const order = Uint32Array.from({ length: sizeOf(table) }, (_, row) => row);
  sortRun(table, order, 0);
  return order;
}

/** Sorts rows that agree in the first `depth` bytes. */
function sortRun(table: StringTable, run: Uint32Array, depth: number): void {
  if (run.length <= SMALL) {
    run.sort((a, b) => compareAt(table, a, table, b));
    return;
  }
  const from = depth + sharedPrefix(table, run, depth);
  const keys = new Float64Array(run.length);
  for (let i = 0; i < run.length; i++) keys[i] = chunkKey(table, run[i]!, from);
  const places = orderByKey(
    keys,
    Uint32Array.from({ length: run.length }, (_, i) => i),
  );
  const rows = run.slice();
  for (let i = 0; i < run.length; i++) run[i] = rows[places[i]!]!;
  for (let start = 0, end = 1; start < run.length; start = end++) {
    const key = keys[places[start]!]!;
    while (end < run.length && keys[places[end]!] === key) end++;
    if (end - start > 1 && key % 8 === CHUNK) sortRun(table, run.subarray(start, end), from + CHUNK);
  }
}

/**
 * The next six bytes as a number, followed by how many there are, so that the end of a string sorts before a zero byte.
 */
function chunkKey(table: StringTable, row: number, depth: number): number {
  const start = table.offsets[row]! + depth;
  const present = Math.min(CHUNK, table.offsets[row + 1]! - start);
  let key = 0;
  for (let i = 0; i < CHUNK; i++) key = key * 256 + (i < present ? table.bytes[start + i]! : 0);
  return key * 8 + present;
}

function sharedPrefix(table: StringTable, run: Uint32Array, depth: number): number {
  const { bytes, offsets } = table;
  const first = offsets[run[0]!]! + depth;
  let shared = offsets[run[0]! + 1]! - first;
  for (let i = 1; i < run.length && shared > 0; i++) {
    const start = offsets[run[i]!]! + depth;
    shared = Math.min(shared, offsets[run[i]! + 1]! - start);
    let agree = 0;
    while (agree < shared && bytes[first + agree] === bytes[start + agree]) agree++;
    shared = agree;
  }
  return shared;
}
