// Maps byte strings to small numbers: the dictionary of a segment under construction.
import { BytePool } from "./byte-pool.ts";
import { GrowingNumbers } from "./growing.ts";

/**
 * In the pool, each term is preceded by its length and number, so that both are in cache when its bytes are compared.
 */
const HEADER = 4;

export class TermTable {
  readonly pool = new BytePool(4096);
  /** Where each term begins in the pool. */
  readonly offsets = new GrowingNumbers();
  /**
   * Hash and pool offset are stored together, so there is one cache miss instead of two. Offset 0 is unused, because a
   * header precedes every term.
   */
  private slots = new Uint32Array(2048);

  get size(): number {
    return this.offsets.length;
  }

  end(term: number): number {
    const from = this.offsets.values[term]!;
    return from + this.pool.bytes[from - HEADER]!;
  }

  /** Returns the term's number. A new term gets the next one. */
  intern(bytes: Uint8Array, length: number, hash: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const wanted = hash >>> 0;
    const pool = this.pool.bytes;
    let slot = spread(hash) & mask;
    for (; ; slot = (slot + 2) & mask) {
      const from = slots[slot + 1]!;
      if (from === 0) return this.add(slot, bytes, length, hash);
      if (slots[slot] !== wanted || pool[from - 4] !== length) continue;
      let at = 0;
      while (at < length && pool[from + at] === bytes[at]) at++;
      if (at === length) return pool[from - 3]! | (pool[from - 2]! << 8) | (pool[from - 1]! << 16);
    }
  }

  private add(slot: number, bytes: Uint8Array, length: number, hash: number): number {
    const term = this.size;
    const { pool } = this;
    pool.reserve(HEADER);
    pool.bytes[pool.length++] = length;
    for (let bits = 0; bits < 24; bits += 8) pool.bytes[pool.length++] = (term >>> bits) & 255;
    this.offsets.push(pool.length);
    this.slots[slot] = hash;
    this.slots[slot + 1] = pool.length;
    pool.append(bytes, 0, length);
    if (term * 4 > this.slots.length) this.grow();
    return term;
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

/** FNV's high bits are better mixed than its low bits. Slots are even. */
function spread(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1;
}
