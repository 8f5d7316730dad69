// Walks a segment in sort order, in growing blocks, until the page has enough rows.
import { firstWhere } from "../../../core/binary-search.ts";
import { isNullKey } from "./column.ts";
import type { PageOrder } from "./page.ts";
import type { PageCollector } from "./page-collector.ts";
import { BLOCK, matchBlock, type RangeTest, type RowTest } from "./row-blocks.ts";
import type { RowMatch } from "./selection.ts";
import { compareToPosition, KeyPosition, type SortedSegment } from "./sorted-segment.ts";
import type { LiveSegment } from "./stream-fold.ts";

/** The size of the first block. A page that fills immediately must not read thousands of rows. */
const FIRST_BLOCK = 64;

/** Shared by all walks in this thread. No walk awaits, so only one runs at a time. */
const block = new Uint32Array(BLOCK);

interface Positions {
  from: number;
  to: number;
}

/**
 * `permutation` lists rows by (key, id) in ascending order, null first. Absent if the rows are already in that order.
 */
export function walkSegment(
  part: LiveSegment,
  match: RowMatch,
  sorted: SortedSegment,
  permutation: Uint16Array | undefined,
  order: PageOrder,
  found: PageCollector,
): void {
  const rowAt = (position: number) => (permutation ? permutation[position]! : position);
  const { column } = sorted;
  const nulls = firstWhere(0, part.segment.rows, (position) => !isNullKey(column, column.keys[rowAt(position)]!));
  const isOnSort = (test: RowTest): test is RangeTest => test.kind === "range" && test.field === order.field;
  const onSort = match.tests.filter(isOnSort);
  const tests = match.tests.filter((test) => !isOnSort(test));
  const values = narrow({ from: nulls, to: part.segment.rows }, onSort, rowAt);
  // Nulls are last in either direction, and match no range.
  const ranges = onSort.length > 0 ? [values] : [values, { from: 0, to: nulls }];
  for (const range of ranges) {
    const { from, to } = afterPosition(range, sorted, order, rowAt);
    const walk = (start: number, length: number) =>
      order.descending
        ? { from: Math.max(from, to - start - length), to: to - start, order: permutation, backwards: true }
        : { from: from + start, to: Math.min(to, from + start + length), order: permutation };
    for (let start = 0, size = FIRST_BLOCK; from + start < to; start += size, size = Math.min(BLOCK, size * 4)) {
      const count = matchBlock(block, walk(start, size), tests, part.dead);
      for (let i = 0; i < count; i++) if (!found.offer(sorted, block[i]!)) return;
      // Nothing matched here, but rows beyond this point may no longer be needed.
      const last = rowAt(order.descending ? Math.max(from, to - start - size) : Math.min(to, from + start + size) - 1);
      const worst = found.worstKey(sorted);
      if (worst && compareToPosition(sorted, last, worst, order.descending) >= 0) return;
    }
  }
}

/** Tests on the sort column select a range of positions. */
function narrow(range: Positions, tests: readonly RangeTest[], rowAt: (position: number) => number): Positions {
  let { from, to } = range;
  for (const { keys, low, high } of tests) {
    from = firstWhere(from, to, (position) => keys[rowAt(position)]! >= low);
    to = firstWhere(from, to, (position) => keys[rowAt(position)]! > high);
  }
  return { from, to };
}

/** The part of a range that follows the page's start position. */
function afterPosition(
  range: Positions,
  sorted: SortedSegment,
  { after, descending }: PageOrder,
  rowAt: (position: number) => number,
): Positions {
  if (!after) return range;
  const start = new KeyPosition(sorted, after);
  const isAfter = (position: number) => compareToPosition(sorted, rowAt(position), start, descending) > 0;
  if (descending) return { from: range.from, to: firstWhere(range.from, range.to, (position) => !isAfter(position)) };
  return { from: firstWhere(range.from, range.to, isAfter), to: range.to };
}
