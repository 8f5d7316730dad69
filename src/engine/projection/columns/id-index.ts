// Finds the row with a given id in a segment: an open-addressing hash table over typed arrays, built when first needed.
import { compareAt, type StringTable, sizeOf } from "./string-table.ts";

export interface IdIndex {
  ids: StringTable;
  /**
   * A free slot is 0. A used one contains a used bit, 15 bits of the hash, and the row in 16 bits. The length is a
   * power of two.
   */
  slots: Uint32Array;
}

export function indexIds(ids: StringTable): IdIndex {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, sizeOf(ids) * 2))));
  const mask = slots.length - 1;
  for (let row = 0; row < sizeOf(ids); row++) {
    const hash = hashAt(ids, row);
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = tagOf(hash) | row;
  }
  return { ids, slots };
}

/** Returns the row with the wanted id, or -1. The hash is passed in, because one id is looked up in many segments. */
export function findRow({ ids, slots }: IdIndex, wanted: StringTable, at: number, hash: number): number {
  const mask = slots.length - 1;
  const tag = tagOf(hash) >>> 16;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot]!;
    if (entry === 0) return -1;
    // Few other ids have the same tag, so full ids are hardly ever compared.
    if (entry >>> 16 === tag && compareAt(ids, entry & 0xffff, wanted, at) === 0) return entry & 0xffff;
  }
}

function tagOf(hash: number): number {
  return ((hash & 0xffff0000) | 0x80000000) >>> 0;
}

/** FNV-1a with a final mix, because the low bits index the table. */
export function hashAt(table: StringTable, at: number): number {
  let hash = 0x811c9dc5;
  const end = table.offsets[at + 1]!;
  for (let i = table.offsets[at]!; i < end; i++) hash = Math.imul(hash ^ table.bytes[i]!, 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
