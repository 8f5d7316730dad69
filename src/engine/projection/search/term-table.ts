// Byte strings to small numbers: the dictionary of a segment under construction.
import { BytePool } from "./byte-pool.ts";
import { GrowingNumbers } from "./growing.ts";

export class TermTable {
  readonly pool = new BytePool(4096);
  /** Where each term begins; one more entry for the end of the last. */
  readonly offsets = new GrowingNumbers();
  /** Hash and term + 1 side by side: one miss of the cache instead of two. */
  private slots = new Uint32Array(2048);

  constructor() {
    this.offsets.push(0);
  }

  get size(): number {
    return this.offsets.length - 1;
  }

  /** The term's number; new terms get the next one. */
  intern(bytes: Uint8Array, length: number, hash: number): number {
    const slot = this.find(bytes, length, hash);
    const known = this.slots[slot + 1]!;
    if (known > 0) return known - 1;
    const term = this.size;
    this.pool.append(bytes, 0, length);
    this.offsets.push(this.pool.length);
    this.slots[slot] = hash;
    this.slots[slot + 1] = term + 1;
    if (term * 4 > this.slots.length) this.grow();
    return term;
  }

  private find(bytes: Uint8Array, length: number, hash: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const wanted = hash >>> 0;
    const offsets = this.offsets.values;
    const pool = this.pool.bytes;
    for (let slot = spread(hash) & mask; ; slot = (slot + 2) & mask) {
      const known = slots[slot + 1]!;
      if (known === 0) return slot;
      if (slots[slot] !== wanted) continue;
      const from = offsets[known - 1]!;
      if (offsets[known]! - from !== length) continue;
      let at = 0;
      while (at < length && pool[from + at] === bytes[at]) at++;
      if (at === length) return slot;
    }
  }

  private grow(): void {
    const old = this.slots;
    const slots = new Uint32Array(old.length * 4);
    const mask = slots.length - 1;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      let slot = spread(old[at]!) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[at]!;
      slots[slot + 1] = old[at + 1]!;
    }
    this.slots = slots;
  }
}

/** FNV's high bits are better mixed than its low ones; slots are even. */
function spread(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1;
}
