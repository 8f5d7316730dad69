// Rows from an index must be in index order. A damaged page repeats rows, or returns rows from elsewhere.
import { damaged } from "../damage.ts";

/** Checks rows of CHECKED_COLUMNS, for a page by (ord, id) or by id alone. Rows without an ord come last. */
export function requireOrder(rows: readonly unknown[][], descending: boolean, byOrd: boolean): void {
  for (let at = 1; at < rows.length; at++) {
    const [one, next] = [rows[at - 1]!, rows[at]!];
    const step = (byOrd && compareOrd(one[2], next[2], descending)) || compare(one[1], next[1]);
    if (descending ? step <= 0 : step >= 0) throw damaged("an index returns rows out of order");
  }
}

/** Sorts numbers before texts. Rows without a value come last in both directions. */
export function compareOrd(one: unknown, next: unknown, descending: boolean): number {
  if (one === null || next === null) {
    if (one === next) return 0;
    return (next === null) === descending ? 1 : -1;
  }
  return typeof one === typeof next ? compare(one, next) : typeof one === "number" ? -1 : 1;
}

/** SQLite compares texts by their bytes, and JavaScript's order differs only for surrogates. */
export function compare(one: unknown, next: unknown): number {
  if (one === next) return 0;
  if (typeof one !== "string" || typeof next !== "string") return (one as number) < (next as number) ? -1 : 1;
  return SURROGATE.test(one) || SURROGATE.test(next)
    ? Buffer.compare(Buffer.from(one), Buffer.from(next))
    : one < next
      ? -1
      : 1;
}

const SURROGATE = /[\uD800-\uDFFF]/;
