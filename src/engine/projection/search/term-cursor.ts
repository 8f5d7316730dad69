// The postings of one term, as far as the Scope shows them.
import { type Cursor, END } from "./cursor.ts";
import { INDEX } from "./limits.ts";
import { CODE_FIELD, CODE_FREQUENCY, CODE_OTHER, type PostingWriter } from "./posting-writer.ts";
import { type SegmentView, TESTED, unitVisible } from "./scope.ts";

export class TermCursor implements Cursor {
  document = 0;
  field = 0;
  frequency = 0;
  readonly cost: number;
  private view: SegmentView;
  private open: boolean;
  private allowed: Uint8Array;
  private bytes: Uint8Array;
  private at: number;
  private left: number;
  private start: number;
  /** Positions: where the reader stands, and how many lie between it and the current entry. */
  private positionStart: number;
  private positionAt: number;
  private pending = 0;
  private skipStart = 0;

  /** `allowed` narrows the view to one field. */
  constructor(view: SegmentView, term: number, allowed?: Uint8Array) {
    const { postings, postingOffsets } = view.segment;
    this.view = view;
    this.open = view.open && allowed === undefined;
    this.allowed = allowed ?? view.allowed;
    this.bytes = postings;
    this.at = postingOffsets[term]!;
    this.left = this.cost = this.varint();
    const length = this.varint();
    if (this.cost > INDEX.skip) this.skipStart = this.varint();
    this.start = this.at;
    this.positionStart = this.positionAt = this.at + length;
    this.next();
  }

  /** Visible entries from here to the end; the cursor is spent. */
  count(): number {
    if (this.open) return this.document === END ? 0 : this.left + 1;
    let count = 0;
    for (; this.document !== END; this.next()) count++;
    return count;
  }

  next(): void {
    const { bytes, open, allowed, view } = this;
    const { streamOf, dead, shift } = view.segment;
    let { at, left, document, pending, frequency } = this;
    let field = 0;
    for (;;) {
      pending += frequency;
      if (left === 0) {
        document = END;
        break;
      }
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
      const code = value & 7;
      document += value >>> 3;
      if (code !== CODE_OTHER) {
        field = CODE_FIELD[code]!;
        frequency = CODE_FREQUENCY[code]!;
      } else {
        this.at = at;
        field = this.varint();
        frequency = this.varint();
        at = this.at;
      }
      if (open) break;
      if (dead[document] !== 0) continue;
      const state = allowed[(streamOf[document]! << shift) | field]!;
      if (state !== 0 && (state !== TESTED || unitVisible(view, document, field))) break;
    }
    this.at = at;
    this.left = left;
    this.document = document;
    this.pending = pending;
    this.field = field;
    this.frequency = frequency;
  }

  seek(document: number): void {
    if (this.document >= document) return;
    if (this.left > INDEX.skip) this.jump(document);
    while (this.document < document) this.next();
  }

  /** To the last block that begins before the document, if it lies ahead. */
  private jump(document: number): void {
    const { skips } = this.view.segment;
    const here = Math.floor((this.cost - this.left - 1) / INDEX.skip);
    let low = here;
    let high = Math.floor((this.cost - 1) / INDEX.skip);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (skips[this.skipStart + (middle - 1) * 3]! < document) low = middle;
      else high = middle - 1;
    }
    if (low <= here) return;
    const skip = this.skipStart + (low - 1) * 3;
    this.document = skips[skip]!;
    this.at = this.start + skips[skip + 1]!;
    this.positionAt = this.positionStart + skips[skip + 2]!;
    this.pending = this.frequency = 0;
    this.left = this.cost - low * INDEX.skip;
    this.next();
  }

  /** Positions of the current entry, into `into`; returns how many. */
  positions(into: number[]): number {
    const { bytes } = this;
    let at = this.positionAt;
    for (let rest = this.pending; rest > 0; at++) if (bytes[at]! < 128) rest--;
    let position = 0;
    for (let index = 0; index < this.frequency; index++) {
      let value = bytes[at++]!;
      if (value > 127) {
        let more = bytes[at++]!;
        value = (value & 127) | ((more & 127) << 7);
        for (let bits = 14; more > 127; bits += 7) {
          more = bytes[at++]!;
          value |= (more & 127) << bits;
        }
      }
      position += value;
      into[index] = position;
    }
    this.positionAt = at;
    // `next` adds this entry's frequency; its positions are already behind.
    this.pending = -this.frequency;
    return this.frequency;
  }

  /** Hands the bytes of the current entry's positions to a merge. */
  copyPositions(writer: PostingWriter): void {
    const { bytes } = this;
    let from = this.positionAt;
    for (let rest = this.pending; rest > 0; from++) if (bytes[from]! < 128) rest--;
    let to = from;
    for (let rest = this.frequency; rest > 0; to++) if (bytes[to]! < 128) rest--;
    writer.placesFrom(bytes, from, to);
    this.positionAt = to;
    this.pending = -this.frequency;
  }

  private varint(): number {
    let value = 0;
    for (let bits = 0; ; bits += 7) {
      const byte = this.bytes[this.at++]!;
      value |= (byte & 127) << bits;
      if (byte < 128) return value;
    }
  }
}
