// Stable sorts of row numbers in linear time: radix sort by numbers, counting sort by codes.
import type { Keys } from "./column.ts";

/** Sorts rows by their keys. Rows with equal keys keep the order they were given in. */
export function orderByKey(keys: Keys, rows: Uint32Array): Uint32Array {
  return keys instanceof Float64Array ? radixSort(keys, rows) : countingSort(keys, rows);
}

function countingSort(codes: Exclude<Keys, Float64Array>, rows: Uint32Array): Uint32Array {
  let most = 0;
  for (let i = 0; i < rows.length; i++) most = Math.max(most, codes[rows[i]!]!);
  const starts = new Uint32Array(most + 2);
  for (let i = 0; i < rows.length; i++) starts[codes[rows[i]!]! + 1]!++;
  for (let code = 1; code < starts.length; code++) starts[code]! += starts[code - 1]!;
  const sorted = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) sorted[starts[codes[rows[i]!]!]!++] = rows[i]!;
  return sorted;
}

const DIGIT = 11;
const DIGITS = 1 << DIGIT;

function radixSort(values: Float64Array, rows: Uint32Array): Uint32Array {
  const bits = sortableBits(values);
  const starts = new Uint32Array(DIGITS);
  let from = rows;
  let to = new Uint32Array(rows.length);
  let other = new Uint32Array(rows.length);
  for (let word = 0; word < 2; word++) {
    for (let shift = 0; shift < 32; shift += DIGIT) {
      starts.fill(0);
      for (let i = 0; i < from.length; i++) starts[(bits[2 * from[i]! + word]! >>> shift) & (DIGITS - 1)]!++;
      // A digit that all keys share does not affect the order. This is common in the high words of instants.
      if (rows.length === 0 || starts[(bits[2 * rows[0]! + word]! >>> shift) & (DIGITS - 1)] === rows.length) continue;
      for (let digit = 0, at = 0; digit < DIGITS; digit++) {
        const count = starts[digit]!;
        starts[digit] = at;
        at += count;
      }
      for (let i = 0; i < from.length; i++) {
        const row = from[i]!;
        to[starts[(bits[2 * row + word]! >>> shift) & (DIGITS - 1)]!++] = row;
      }
      from = to;
      to = other;
      other = from as Uint32Array<ArrayBuffer>;
    }
  }
  return from;
}

/** Two words (low, high) per value whose unsigned order is the order of the values, with NaN first. */
function sortableBits(values: Float64Array): Uint32Array {
  const bits = new Uint32Array(values.slice().buffer);
  for (let i = 0; i < values.length; i++) {
    const high = bits[2 * i + 1]!;
    if (Number.isNaN(values[i])) {
      bits[2 * i] = 0;
      bits[2 * i + 1] = 0;
    } else if (high >>> 31) {
      bits[2 * i] = ~bits[2 * i]!;
      bits[2 * i + 1] = ~high;
    } else {
      bits[2 * i + 1] = high ^ 0x80000000;
    }
  }
  return bits;
}
