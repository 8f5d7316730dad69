// Assigns numbers to items that are equal, using 16 to 32 bytes per distinct item, so that a table with millions of rows does not exhaust
// memory.

/**
 * The maximum number of distinct texts; that many take 100 MB. Further texts are not stored, so equal ones among them
 * count as one.
 */
const DIFFERENT_MAX = 6_000_000;
const FIRST_SLOTS = 64;
/** A slot holds two halves of the hash and a count. A count of 0 means that the slot is free. */
const WORDS = 3;

/**
 * Tells equal items of one entry apart: 0 for the first, 1 for the next. The numbers are the same in every export that
 * contains all of the items. It compares 64-bit hashes. With a million distinct items, two collide in one of forty
 * million tables, and are then merely treated as equal.
 */
export function ordinals(differentMax = DIFFERENT_MAX): (digest: string) => number {
  let slots = new Uint32Array(FIRST_SLOTS * WORDS);
  let different = 0;

  function place(table: Uint32Array, high: number, low: number): number {
    const mask = table.length / WORDS - 1;
    let slot = low & mask;
    for (;;) {
      const at = slot * WORDS;
      if (table[at + 2] === 0 || (table[at] === high && table[at + 1] === low)) return at;
      slot = (slot + 1) & mask;
    }
  }

  function grow(): void {
    const larger = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += WORDS) {
      if (slots[at + 2] !== 0) larger.set(slots.subarray(at, at + WORDS), place(larger, slots[at]!, slots[at + 1]!));
    }
    // Free the old table now, because the garbage collector would reclaim it only some megabytes later.
    slots.buffer.transfer(0);
    slots = larger;
  }

  return (digest) => {
    const [high, low] = hashOf(digest);
    const at = place(slots, high, low);
    const before = slots[at + 2]!;
    if (before === 0) {
      if (different >= differentMax) return 0;
      slots[at] = high;
      slots[at + 1] = low;
      different++;
    }
    slots[at + 2] = before + 1;
    if (different * 4 > (slots.length / WORDS) * 3) grow();
    return before;
  };
}

/** Two multiplicative hashes, each mixed with the other at the end, so that every character affects all bits. */
function hashOf(text: string): [high: number, low: number] {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return [one >>> 0, other >>> 0];
}
