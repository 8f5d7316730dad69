// Writes term dictionaries and postings in term order, for sealing and merging.
//
// Each term is written as the number of its entries, the size of its postings in bytes, and for long lists the offset of
// its skips, followed by its postings and then its positions. An entry is (document delta << 3 | code). The code stands
// for one of the usual pairs of field and frequency; code 7 is followed by the pair itself. Positions are deltas, and an
// entry has as many of them as its frequency.
import { BytePool } from "./byte-pool.ts";
import { GrowingNumbers } from "./growing.ts";
import { INDEX } from "./limits.ts";

/** The last value is for code 7, which is followed by its pair. */
export const CODE_FIELD = Uint8Array.of(0, 0, 0, 1, 1, 1, 2, 0);
export const CODE_FREQUENCY = Uint8Array.of(1, 2, 3, 1, 2, 3, 1, 0);
export const CODE_OTHER = 7;

/** Codes, indexed by `field * 4 + frequency`. */
const PAIR_CODE = new Uint8Array(12).fill(CODE_OTHER);
for (let code = 0; code < CODE_OTHER; code++) PAIR_CODE[CODE_FIELD[code]! * 4 + CODE_FREQUENCY[code]!] = code;

export class PostingWriter {
  private termOffsets = new GrowingNumbers(1024);
  private termPool = new BytePool(8192);
  private postingOffsets = new GrowingNumbers(1024);
  private out = new BytePool(1 << 16);
  private skips = new GrowingNumbers();
  private entries = new BytePool();
  private positions = new BytePool();
  private count = 0;
  private document = 0;
  private position = 0;
  private skipStart = 0;

  constructor() {
    this.termOffsets.push(0);
  }

  /** The number of terms written. */
  get terms(): number {
    return this.termOffsets.length - 1;
  }

  /** True if the current term has an entry. */
  get pending(): boolean {
    return this.count > 0;
  }

  /** Adds an entry. Its positions follow, through `addPosition`. Entries are ordered by document, then by field. */
  entry(document: number, field: number, frequency: number): void {
    if (this.count > 0 && this.count % INDEX.skip === 0) {
      this.skips.push(this.document);
      this.skips.push(this.entries.length);
      this.skips.push(this.positions.length);
    }
    const code = field < 3 && frequency < 4 ? PAIR_CODE[field * 4 + frequency]! : CODE_OTHER;
    this.entries.varint(((document - this.document) << 3) | code);
    if (code === CODE_OTHER) {
      this.entries.varint(field);
      this.entries.varint(frequency);
    }
    this.document = document;
    this.position = 0;
    this.count++;
  }

  addPosition(position: number): void {
    this.positions.varint(position - this.position);
    this.position = position;
  }

  /** Copies positions as another segment wrote them. */
  placesFrom(bytes: Uint8Array, from: number, to: number): void {
    this.positions.append(bytes, from, to);
  }

  /** Ends a term. A term without entries is not written. */
  endTerm(bytes: Uint8Array, from: number, to: number): void {
    if (this.count > 0) {
      this.termPool.append(bytes, from, to);
      this.termOffsets.push(this.termPool.length);
      this.postingOffsets.push(this.out.length);
      this.out.varint(this.count);
      this.out.varint(this.entries.length);
      if (this.count > INDEX.skip) this.out.varint(this.skipStart);
      this.out.append(this.entries.bytes, 0, this.entries.length);
      this.out.append(this.positions.bytes, 0, this.positions.length);
    }
    this.entries.length = this.positions.length = 0;
    this.count = this.document = 0;
    this.skipStart = this.skips.length;
  }

  finish() {
    return {
      termOffsets: this.termOffsets.trimmed(),
      termPool: this.termPool.trimmed(),
      postingOffsets: this.postingOffsets.trimmed(),
      postings: this.out.trimmed(),
      skips: this.skips.trimmed(),
    };
  }
}
