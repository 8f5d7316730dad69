// Decodes a term's visible entries, one block at a time, for passes over all of them.
import { INDEX } from "./limits.ts";
import { CODE_FIELD, CODE_FREQUENCY, CODE_OTHER } from "./posting-writer.ts";
import { behindVarint, entriesAt, varintAt } from "./postings.ts";
import { type SegmentView, TESTED, unitVisible } from "./scope.ts";

/** All readers share one block, because only one pass runs at a time. */
const documents = new Int32Array(INDEX.skip);
const fields = new Int32Array(INDEX.skip);
const frequencies = new Int32Array(INDEX.skip);

export class EntryReader {
  readonly documents = documents;
  readonly fields = fields;
  readonly frequencies = frequencies;
  private view: SegmentView;
  private allowed: Uint8Array;
  private open: boolean;
  private at: number;
  private left: number;
  /** The current entry, for `nextKnown`. */
  document = 0;
  field = 0;
  frequency = 0;
  /** The last document that was only counted. */
  private counted = -1;

  /** `allowed` restricts the view to one field. */
  constructor(view: SegmentView, term: number, allowed?: Uint8Array) {
    this.view = view;
    this.allowed = allowed ?? view.allowed;
    this.open = view.open && allowed === undefined;
    const { at, left } = entriesAt(view.segment, term);
    this.at = at;
    this.left = left;
  }

  /** Fills the next non-empty block and returns its number of entries, or 0 at the end. */
  fill(): number {
    const { view, allowed, open } = this;
    const { postings: bytes, streamOf, dead, shift } = view.segment;
    let { at, document } = this;
    let size = 0;
    while (size === 0 && this.left > 0) {
      const entries = Math.min(this.left, INDEX.skip);
      this.left -= entries;
      for (let entry = 0; entry < entries; entry++) {
        let value = bytes[at++]!;
        if (value > 127) {
          let more = bytes[at++]!;
          value = (value & 127) | ((more & 127) << 7);
          for (let bits = 14; more > 127; bits += 7) {
            more = bytes[at++]!;
            value |= (more & 127) << bits;
          }
        }
        document += value >>> 3;
        const code = value & 7;
        let field = CODE_FIELD[code]!;
        let frequency = CODE_FREQUENCY[code]!;
        if (code === CODE_OTHER) {
          field = varintAt(bytes, at);
          at = behindVarint(bytes, at);
          frequency = varintAt(bytes, at);
          at = behindVarint(bytes, at);
        }
        if (!open) {
          if (dead[document] !== 0) continue;
          const state = allowed[(streamOf[document]! << shift) | field]!;
          if (state === 0 || (state === TESTED && !unitVisible(view, document, field))) continue;
        }
        documents[size] = document;
        fields[size] = field;
        frequencies[size++] = frequency;
      }
    }
    this.at = at;
    this.document = document;
    return size;
  }

  /**
   * Advances to the next entry of a document that has a state. Returns false at the end. Documents without a state are
   * counted by stream and, unless this is the last pass (`isLast`), get the state `mark`. They are most of a frequent
   * word's entries, so they are not written to a block first.
   */
  nextKnown(states: Uint32Array, mark: number, counts: Uint32Array, isLast: boolean): boolean {
    const { view, allowed, open } = this;
    const { postings: bytes, streamOf, dead, shift } = view.segment;
    let { at, document, left, counted } = this;
    // Neighbours are mostly in the same stream. Adding to its count each time would wait for the previous addition.
    let stream = 0;
    let count = 0;
    while (left > 0) {
      left--;
      let value = bytes[at++]!;
      if (value > 127) {
        let more = bytes[at++]!;
        value = (value & 127) | ((more & 127) << 7);
        for (let bits = 14; more > 127; bits += 7) {
          more = bytes[at++]!;
          value |= (more & 127) << bits;
        }
      }
      document += value >>> 3;
      const code = value & 7;
      let field = CODE_FIELD[code]!;
      let frequency = CODE_FREQUENCY[code]!;
      if (code === CODE_OTHER) {
        field = varintAt(bytes, at);
        at = behindVarint(bytes, at);
        frequency = varintAt(bytes, at);
        at = behindVarint(bytes, at);
      }
      const known = states[document]!;
      if (known === mark) continue;
      if (!open) {
        if (dead[document] !== 0) continue;
        const state = allowed[(streamOf[document]! << shift) | field]!;
        if (state === 0 || (state === TESTED && !unitVisible(view, document, field))) continue;
      }
      if (known === 0) {
        // Already counted in another field.
        if (document === counted) continue;
        counted = document;
        if (!isLast) states[document] = mark;
        const its = streamOf[document]!;
        if (its !== stream) {
          counts[stream]! += count;
          count = 0;
          stream = its;
        }
        count++;
        continue;
      }
      counts[stream]! += count;
      this.field = field;
      this.frequency = frequency;
      this.at = at;
      this.document = document;
      this.left = left;
      this.counted = counted;
      return true;
    }
    counts[stream]! += count;
    this.left = 0;
    return false;
  }
}
