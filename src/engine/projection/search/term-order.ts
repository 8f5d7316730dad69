// Sorts terms in byte order: by their first bytes as numbers, which sort natively, and by all bytes if those are equal.
import { compareBytes } from "./byte-pool.ts";
import type { TermTable } from "./term-table.ts";

/**
 * Every term number is smaller than this, because a segment has fewer tokens. The rest of the 53 bits hold the
 * beginning of the term.
 */
const NUMBER = 2 ** 23;

export function termsInOrder(terms: TermTable): Uint32Array {
  const pool = terms.pool.bytes;
  const offsets = terms.offsets.values;
  const keys = new Float64Array(terms.size);
  for (let term = 0; term < terms.size; term++) keys[term] = beginning(terms, term) * NUMBER + term;
  keys.sort();
  const order = Uint32Array.from(keys, (key) => key % NUMBER);
  const compare = (one: number, other: number): number =>
    compareBytes(pool, offsets[one]!, terms.end(one), pool, offsets[other]!, terms.end(other));
  for (let from = 0; from < order.length; ) {
    const shared = Math.floor(keys[from]! / NUMBER);
    let to = from + 1;
    while (to < order.length && Math.floor(keys[to]! / NUMBER) === shared) to++;
    if (to - from > 1) order.subarray(from, to).sort(compare);
    from = to;
  }
  return order;
}

/** The first 30 bits. Missing bytes count as zero, which sorts before every letter. */
function beginning(terms: TermTable, term: number): number {
  const from = terms.offsets.values[term]!;
  const length = terms.end(term) - from;
  let bits = 0;
  for (let at = 0; at < 4; at++) bits = (bits << 8) | (at < length ? terms.pool.bytes[from + at]! : 0);
  return bits >>> 2;
}
