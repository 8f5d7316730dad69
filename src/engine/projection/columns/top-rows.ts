// Finds the best rows of a segment that has no stored order for the sort column, in one scan with a heap.
import { isNullKey } from "./column.ts";
import type { PageOrder } from "./page.ts";
import { BLOCK, matchBlock } from "./row-blocks.ts";
import type { RowMatch } from "./selection.ts";
import { compareToPosition, KeyPosition, type SortedSegment } from "./sorted-segment.ts";
import type { LiveSegment } from "./stream-fold.ts";
import { compareAt } from "./string-table.ts";

/** Returns at most `limit` rows that follow the page's start and are better than `worst`, best first. */
export function topRows(
  part: LiveSegment,
  match: RowMatch,
  sorted: SortedSegment,
  order: PageOrder,
  worst: KeyPosition | undefined,
): number[] {
  const { descending, limit } = order;
  const { keys } = sorted.column;
  const after = order.after && new KeyPosition(sorted, order.after);
  const compare = rowComparison(sorted, descending);
  const heap: number[] = [];
  const block = new Uint32Array(BLOCK);
  const length = match.rows?.length ?? part.segment.rows;
  // A row with a key beyond the bound cannot be on the page. This one comparison rejects most rows.
  let bound = worst && !worst.isNull ? worst.key : Number.NaN;
  for (let from = 0; from < length; from += BLOCK) {
    const walk = { from, to: Math.min(length, from + BLOCK), order: match.rows };
    const count = matchBlock(block, walk, match.tests, part.dead);
    for (let i = 0; i < count; i++) {
      const row = block[i]!;
      if (descending ? keys[row]! < bound : keys[row]! > bound) continue;
      if (after && compareToPosition(sorted, row, after, descending) <= 0) continue;
      if (worst && compareToPosition(sorted, row, worst, descending) >= 0) continue;
      if (heap.length < limit) siftUp(heap, row, compare);
      else if (compare(row, heap[0]!) < 0) siftDown(heap, row, compare);
      else continue;
      const last = keys[heap[0]!]!;
      if (heap.length === limit && !isNullKey(sorted.column, last)) bound = last;
    }
  }
  return heap.sort(compare);
}

function rowComparison({ column, ids }: SortedSegment, descending: boolean): (a: number, b: number) => number {
  const { keys } = column;
  return (a, b) => {
    const nullA = isNullKey(column, keys[a]!);
    const nullB = isNullKey(column, keys[b]!);
    if (nullA !== nullB) return nullA ? 1 : -1;
    const order = (nullA ? 0 : keys[a]! - keys[b]!) || compareAt(ids, a, ids, b);
    return descending ? -order : order;
  };
}

function siftUp(heap: number[], row: number, compare: (a: number, b: number) => number): void {
  let at = heap.push(row) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compare(heap[parent]!, row) >= 0) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = row;
}

/** Replaces the root, which is the worst row. */
function siftDown(heap: number[], row: number, compare: (a: number, b: number) => number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++;
    if (compare(heap[child]!, row) <= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = row;
}
