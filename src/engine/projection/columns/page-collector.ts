// Collects the best rows found so far for a page, and uses the worst of them to rule out others.

import { firstWhere } from "../../../core/binary-search.ts";
import { compareCodePoints } from "./code-point-order.ts";
import { compareValues } from "./column.ts";
import type { PageOrder, PagePosition, PageRow } from "./page.ts";
import type { ColumnSegment } from "./segment.ts";
import { compareToPosition, KeyPosition, pageRowAt, type SortedSegment } from "./sorted-segment.ts";
import type { LiveSegment } from "./stream-fold.ts";
import type { ZoneMap } from "./zone.ts";

export class PageCollector {
  readonly rows: PageRow[] = [];
  readonly #order: PageOrder;
  /** The lowest-ranked row kept so far, in a form that can be compared with the current segment's keys. */
  #worst: { row: PageRow; segment: SortedSegment; position: KeyPosition } | undefined;

  constructor(order: PageOrder) {
    this.#order = order;
  }

  /** Sorts segments by their best key. Those with unknown bounds are first, because they can never be skipped. */
  bestFirst(parts: readonly LiveSegment[]): readonly LiveSegment[] {
    const { field, descending } = this.#order;
    if (field === undefined) return parts;
    const best = (part: LiveSegment) => {
      const zone = part.segment.zones.get(field);
      return descending ? zone?.max : zone?.min;
    };
    return parts.toSorted((a, b) => {
      const [x, y] = [best(a), best(b)];
      if (x === undefined || y === undefined) return Number(y === undefined) - Number(x === undefined);
      return compareValues(x, y) * (descending ? -1 : 1);
    });
  }

  /** Returns true if no row of the segment can be on the page. */
  excludes(segment: ColumnSegment): boolean {
    const { field, descending, after } = this.#order;
    const zone: ZoneMap | undefined = field === undefined ? undefined : segment.zones.get(field);
    if (zone?.min === undefined || zone.max === undefined) return false;
    const [first, last] = descending ? [zone.max, zone.min] : [zone.min, zone.max];
    const sign = descending ? -1 : 1;
    const worst = this.#full ? this.rows.at(-1)! : undefined;
    if (worst && worst.value !== null && compareValues(first, worst.value) * sign > 0) return true;
    if (!after || zone.nulls > 0) return false;
    return after.value === null || compareValues(last, after.value) * sign < 0;
  }

  get #full(): boolean {
    return this.rows.length >= this.#order.limit;
  }

  /** The position after which rows of this segment are no longer useful. Undefined if any row may still be. */
  worstKey(segment: SortedSegment): KeyPosition | undefined {
    if (!this.#full) return undefined;
    const row = this.rows.at(-1)!;
    if (this.#worst?.row !== row || this.#worst.segment !== segment) {
      this.#worst = { row, segment, position: new KeyPosition(segment, row) };
    }
    return this.#worst.position;
  }

  /** Adds a row if it belongs on the page. Returns false if neither it nor any later row of the segment does. */
  offer(segment: SortedSegment, row: number): boolean {
    const worst = this.worstKey(segment);
    if (worst && compareToPosition(segment, row, worst, this.#order.descending) >= 0) return false;
    const found = pageRowAt(segment, row);
    const { descending } = this.#order;
    const at = firstWhere(0, this.rows.length, (one) => comparePositions(this.rows[one]!, found, descending) >= 0);
    this.rows.splice(at, 0, found);
    if (this.rows.length > this.#order.limit) this.rows.pop();
    return true;
  }
}

function comparePositions(a: PagePosition, b: PagePosition, descending: boolean): number {
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1;
  }
  const order = (a.value === null ? 0 : compareValues(a.value, b.value)) || compareCodePoints(a.id, b.id);
  return descending ? -order : order;
}
