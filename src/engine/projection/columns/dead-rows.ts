// The bitmap of a segment's rows that were replaced or deleted since it was sealed.
import { decodeBlock, encodeBlock } from "./block.ts";

export function isDead(dead: Uint8Array, row: number): boolean {
  return ((dead[row >> 3]! >> (row & 7)) & 1) === 1;
}

export function countDead(dead: Uint8Array): number {
  let count = 0;
  for (let byte of dead) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}

export function encodeDead(dead: Uint8Array | undefined): Uint8Array {
  return dead ? encodeBlock({ keys: dead }).bytes : new Uint8Array(0);
}

/** Returns "damaged" if the stored bytes are not a bitmap of that many rows. */
export function decodeDead(stored: Uint8Array, rows: number): Uint8Array | undefined | "damaged" {
  if (stored.length === 0) return undefined;
  const keys = decodeBlock(stored)?.keys;
  return keys instanceof Uint8Array && keys.length === bitmapLength(rows) ? keys.slice() : "damaged";
}

export function bitmapLength(rows: number): number {
  return (rows + 7) >> 3;
}
