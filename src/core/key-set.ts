// A set of keys that takes eight bytes per key. It records which keys of a stream a run has seen, and stays small even
// with millions of keys.
import { createHash } from "node:crypto";
import { lowerBound } from "./binary-search.ts";

const FIRST = 1024;

/**
 * 64 bits are enough: among a million keys, the chance of a collision is one in thirty million, and the damage is one
 * record that is kept too long.
 */
const hashOf = (id: string): bigint => createHash("sha256").update(id).digest().readBigUInt64LE();

export interface KeySet {
  add(id: string): void;
  /** The sorted hashes, as `keysIn` expects them. */
  bytes(): Uint8Array;
}

export function keySet(): KeySet {
  let kept = new BigUint64Array(FIRST);
  let size = 0;
  return {
    add(id) {
      if (size === kept.length) {
        const larger = new BigUint64Array(kept.length * 2);
        larger.set(kept);
        kept = larger;
      }
      kept[size++] = hashOf(id);
    },
    bytes: () => new Uint8Array(kept.slice(0, size).sort().buffer),
  };
}

export function keysIn(bytes: Uint8Array): { has(id: string): boolean } {
  // Copies the bytes, so that they are aligned to eight bytes.
  const sorted = new BigUint64Array(bytes.slice().buffer);
  return {
    has(id) {
      const wanted = hashOf(id);
      return sorted[lowerBound(sorted, wanted)] === wanted;
    },
  };
}
