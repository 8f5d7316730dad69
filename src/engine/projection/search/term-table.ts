// Byte strings to small numbers: the dictionary of a segment under construction.
import { BytePool } from "./byte-pool.ts";
import { GrowingNumbers } from "./growing.ts";

export class TermTable {
  readonly pool = new BytePool(4096);
  /** Where each term begins; one more entry for the end of the last. */
  readonly offsets = new GrowingNumbers();
  private hashes = new GrowingNumbers();
  private slots = new Int32Array(1024).fill(-1);

  constructor() {
    this.offsets.push(0);
  }

  get size(): number {
    return this.hashes.length;
  }

  /** The term's number; new terms get the next one. */
  intern(bytes: Uint8Array, length: number, hash: number): number {
    const slot = this.find(bytes, length, hash);
    const known = this.slots[slot]!;
    if (known >= 0) return known;
    const term = this.hashes.length;
    this.hashes.push(hash);
    this.pool.append(bytes, 0, length);
    this.offsets.push(this.pool.length);
    this.slots[slot] = term;
    if (term * 2 > this.slots.length) this.grow();
    return term;
  }

  private find(bytes: Uint8Array, length: number, hash: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const wanted = hash >>> 0;
    const hashes = this.hashes.values;
    const offsets = this.offsets.values;
    const pool = this.pool.bytes;
    for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      const term = slots[slot]!;
      if (term < 0) return slot;
      if (hashes[term] !== wanted) continue;
      const from = offsets[term]!;
      if (offsets[term + 1]! - from !== length) continue;
      let at = 0;
      while (at < length && pool[from + at] === bytes[at]) at++;
      if (at === length) return slot;
    }
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    for (let term = 0; term < this.hashes.length; term++) {
      let slot = spread(this.hashes.values[term]!) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = term;
    }
    this.slots = slots;
  }
}

/** FNV's high bits are better mixed than its low ones. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}
