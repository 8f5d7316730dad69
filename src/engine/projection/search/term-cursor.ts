// One term's visible postings, decoded one block at a time.
import { type Cursor, END } from "./cursor.ts";
import { INDEX } from "./limits.ts";
import { CODE_FIELD, CODE_FREQUENCY, CODE_OTHER, type PostingWriter } from "./posting-writer.ts";
import { type SegmentView, TESTED, unitVisible } from "./scope.ts";

export class TermCursor implements Cursor {
  document = -1;
  field = 0;
  frequency = 0;
  readonly cost: number;
  private view: SegmentView;
  private open: boolean;
  private allowed: Uint8Array;
  private bytes: Uint8Array;
  /** The block: documents, fields, frequencies, and the number of positions before each entry, `width` apart. */
  private readonly block: Int32Array;
  private readonly width: number;
  private size = 0;
  private index = 0;
  /** The reader: the next block's offset, the base of its first document, and how many entries are left. */
  private at: number;
  private base = 0;
  private left: number;
  private start: number;
  private skipStart = 0;
  /** The first of the view's runs that does not end before the reader's position. */
  private run = 0;
  /** Where the positions start, where those of the current block start, and where the reader is in them. */
  private positionStart: number;
  private positionAt: number;
  private positionsRead = 0;
  private blockPositions = 0;

  /** `allowed` restricts the view to one field. */
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
    this.width = Math.min(this.cost, INDEX.skip);
    this.block = new Int32Array(this.width * 4);
    this.fill();
  }

  /** The number of visible entries from here to the end. The cursor cannot be used afterwards. */
  count(): number {
    let count = 0;
    for (; this.document !== END; this.fill()) count += this.size - this.index;
    return count;
  }

  next(): void {
    const index = ++this.index;
    if (index >= this.size) {
      this.fill();
      return;
    }
    const { block, width } = this;
    this.document = block[index]!;
    this.field = block[width + index]!;
    this.frequency = block[2 * width + index]!;
  }

  /** Decodes the next block that contains something visible. */
  private fill(): void {
    const { bytes, block, width, open, allowed, view } = this;
    const { streamOf, dead, shift } = view.segment;
    let { at, base } = this;
    let size = 0;
    while (size === 0 && this.left > 0) {
      if (view.runs && this.left > INDEX.skip) {
        this.at = at;
        this.base = base;
        this.skipHidden(view.runs);
        ({ at, base } = this);
        if (this.left === 0) break;
      }
      const entries = Math.min(this.left, INDEX.skip);
      this.left -= entries;
      // Unread positions of the previous block are between the reader and this block.
      this.positionsRead -= this.blockPositions;
      let positions = 0;
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
        const code = value & 7;
        base += value >>> 3;
        let field: number;
        let frequency: number;
        if (code !== CODE_OTHER) {
          field = CODE_FIELD[code]!;
          frequency = CODE_FREQUENCY[code]!;
        } else {
          this.at = at;
          field = this.varint();
          frequency = this.varint();
          at = this.at;
        }
        const before = positions;
        positions += frequency;
        if (!open) {
          if (dead[base] !== 0) continue;
          const state = allowed[(streamOf[base]! << shift) | field]!;
          if (state === 0 || (state === TESTED && !unitVisible(view, base, field))) continue;
        }
        block[size] = base;
        block[width + size] = field;
        block[2 * width + size] = frequency;
        block[3 * width + size] = before;
        size++;
      }
      this.blockPositions = positions;
    }
    this.at = at;
    this.base = base;
    this.size = size;
    this.index = 0;
    this.document = size === 0 ? END : block[0]!;
    this.field = block[width]!;
    this.frequency = block[2 * width]!;
  }

  /** Called between blocks. Skips to where something may be visible, or to the end. */
  private skipHidden(runs: Uint32Array): void {
    while (this.run < runs.length && runs[this.run + 1]! <= this.base) this.run += 2;
    if (this.run === runs.length) this.left = 0;
    else if (runs[this.run]! > this.base) this.jump(runs[this.run]!);
  }

  seek(document: number): void {
    if (this.document >= document) return;
    if (this.block[this.size - 1]! < document) {
      if (this.left > INDEX.skip) this.jump(document);
      do this.fill();
      while (this.document !== END && this.block[this.size - 1]! < document);
    }
    while (this.document < document) this.next();
  }

  /** Jumps to the last block that starts before the document, if that block is ahead. */
  private jump(document: number): void {
    const { skips } = this.view.segment;
    const here = (this.cost - this.left) / INDEX.skip;
    let low = here;
    let high = Math.floor((this.cost - 1) / INDEX.skip);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (skips[this.skipStart + (middle - 1) * 3]! < document) low = middle;
      else high = middle - 1;
    }
    if (low === here) return;
    const skip = this.skipStart + (low - 1) * 3;
    this.base = skips[skip]!;
    this.at = this.start + skips[skip + 1]!;
    this.positionAt = this.positionStart + skips[skip + 2]!;
    this.positionsRead = this.blockPositions = 0;
    this.left = this.cost - low * INDEX.skip;
  }

  /**
   * Writes the current entry's positions to `into`, which must have room for `frequency` of them. Call this once per
   * entry.
   */
  positions(into: Int32Array): void {
    const { bytes } = this;
    let at = this.skipToPositions();
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
    this.positionsRead += this.frequency;
  }

  /** Copies the bytes of the current entry's positions to a merged segment. */
  copyPositions(writer: PostingWriter): void {
    const from = this.skipToPositions();
    let to = from;
    for (let rest = this.frequency; rest > 0; to++) if (this.bytes[to]! < 128) rest--;
    writer.placesFrom(this.bytes, from, to);
    this.positionAt = to;
    this.positionsRead += this.frequency;
  }

  private skipToPositions(): number {
    const { bytes } = this;
    const before = this.block[3 * this.width + this.index]!;
    let at = this.positionAt;
    for (let rest = before - this.positionsRead; rest > 0; at++) if (bytes[at]! < 128) rest--;
    this.positionsRead = before;
    return at;
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
