// Remembers keys in 8 to 16 bytes each, so that a table with millions of rows does not exhaust memory.

/** Beyond this number of keys, repeated keys are no longer detected. */
const KEYS_MAX = 8_000_000;

/** Returns true for a new key. It compares 53-bit hashes: among a million keys, two collide once in 20,000 tables. */
export function seenKeys(): (key: string) => boolean {
  let slots = new Float64Array(1024);
  let count = 0;
  const place = (table: Float64Array, hash: number): number => {
    let slot = hash % table.length;
    while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) % table.length;
    return slot;
  };
  return (key) => {
    const hash = hashOf(key);
    const slot = place(slots, hash);
    if (slots[slot] === hash) return false;
    if (count >= KEYS_MAX) return true;
    slots[slot] = hash;
    count++;
    if (count * 2 > slots.length) {
      const larger = new Float64Array(slots.length * 2);
      for (const one of slots) if (one !== 0) larger[place(larger, one)] = one;
      slots = larger;
    }
    return true;
  };
}

/** Combines two 32-bit FNV-1a hashes into one number that is never 0. */
function hashOf(text: string): number {
  let one = 0x811c9dc5;
  let other = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ (unit + index), 0x85ebca6b);
    other ^= other >>> 13;
  }
  return (one >>> 0) * 0x200000 + ((other >>> 0) & 0x1fffff) + 1;
}
