// Reads of a stream's columns: pages, counts and aggregates over a selection of its live rows.
import type { ColumnValue } from "../../../core/fields.ts";
import { type Aggregate, type AggregateRequest, aggregate } from "./aggregate.ts";
import { type Cell, type CellsRequest, cells } from "./cells.ts";
import { compareValues } from "./column.ts";
import { type PageRequest, type PageRow, page } from "./page.ts";
import type { UnreadableSegment as Unreadable } from "./segment.ts";
import { UnreadableSegment } from "./segment.ts";
import { count, type NewestRequest, newest, type Selection, versions } from "./selection.ts";
import type { FoldView } from "./stream-fold.ts";

/** More consecutive renewals than this mean that the store loses recent writes. */
const ATTEMPTS = 4;

export class StreamColumns {
  readonly #renew: (unreadable: Unreadable) => Promise<FoldView>;
  #view: FoldView;

  constructor(view: FoldView, renew: (unreadable: Unreadable) => Promise<FoldView>) {
    this.#view = view;
    this.#renew = renew;
  }

  page(selection: Selection, request: PageRequest): Promise<PageRow[]> {
    return this.#ask((view) => page(view, selection, request));
  }

  /** A lower bound in the field's sort order. Undefined if it cannot be determined without reading. */
  bound(field: string, descending: boolean): ColumnValue | undefined {
    const { bounds, parts } = this.#view;
    const name = descending ? `-${field}` : field;
    const known = bounds.get(name);
    if (known !== undefined) return known;
    const best = bestOf(parts, field, descending);
    bounds.set(name, best);
    return best;
  }

  count(selection: Selection): Promise<number> {
    return this.#ask((view) => count(view, selection));
  }

  /** The versions of the selected rows, for looking up rows that are stored elsewhere. */
  versions(selection: Selection): Promise<Set<number>> {
    return this.#ask((view) => versions(view, selection));
  }

  /** The newest versions of the selected rows, descending. */
  newest(selection: Selection, request: NewestRequest): Promise<number[]> {
    return this.#ask((view) => newest(view, selection, request));
  }

  aggregate(selection: Selection, request: AggregateRequest): Promise<Aggregate> {
    return this.#ask((view) => aggregate(view, selection, request));
  }

  /** Counts positions per grid cell. */
  cells(selection: Selection, request: CellsRequest): Promise<Cell[]> {
    return this.#ask((view) => cells(view, selection, request));
  }

  /** If a segment was merged away or is damaged, the read is repeated on a new view, so the result is never wrong. */
  async #ask<T>(question: (view: FoldView) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await question(this.#view);
      } catch (error) {
        if (!(error instanceof UnreadableSegment) || attempt === ATTEMPTS) throw error;
        this.#view = await this.#renew(error);
      }
    }
  }
}

function bestOf(parts: FoldView["parts"], field: string, descending: boolean): ColumnValue | undefined {
  let best: ColumnValue | undefined;
  for (const { segment } of parts) {
    const zone = segment.zones.get(field);
    const own = descending ? zone?.max : zone?.min;
    if (own === undefined || own === null) return undefined;
    if (best === undefined || compareValues(own, best) * (descending ? -1 : 1) < 0) best = own;
  }
  return best;
}
