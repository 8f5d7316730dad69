// Cursors over a clause's visible (document, field, frequency) entries in one segment, in order.

/** A cursor's document after its last entry. */
export const END = 0x7fffffff;

export interface Cursor {
  document: number;
  field: number;
  frequency: number;
  /** The maximum number of entries. The cheapest cursor leads. */
  readonly cost: number;
  next(): void;
  /** Moves to the first entry at or after the document. */
  seek(document: number): void;
}

/** Precomputed entries, for prefixes and phrases. */
export class ListCursor implements Cursor {
  document = END;
  field = 0;
  frequency = 0;
  readonly cost: number;
  private at = -1;
  private units: Uint32Array;
  private frequencies: Uint32Array;
  private shift: number;

  constructor(list: EntryList, shift: number) {
    this.units = list.units;
    this.frequencies = list.frequencies;
    this.cost = list.units.length;
    this.shift = shift;
    this.next();
  }

  next(): void {
    if (++this.at >= this.units.length) {
      this.document = END;
      return;
    }
    const unit = this.units[this.at]!;
    this.document = unit >>> this.shift;
    this.field = unit & ((1 << this.shift) - 1);
    this.frequency = this.frequencies[this.at]!;
  }

  seek(document: number): void {
    if (this.document >= document) return;
    const wanted = document << this.shift;
    let low = this.at + 1;
    let high = this.units.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.units[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    this.at = low - 1;
    this.next();
  }
}

/** Units are `document << shift | field` in ascending order. */
export interface EntryList {
  units: Uint32Array;
  frequencies: Uint32Array;
}
