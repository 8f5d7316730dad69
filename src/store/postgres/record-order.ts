// Encodes a record's order value as a string that sorts by its bytes, with numbers before strings.
import { createHash } from "node:crypto";

/** Greater than every value. */
export const GREATEST_ORDER = "u";

/**
 * An index allows keys of 2.7 KB, of which a record's id can take 2 KB. The rest of a longer string does not affect the
 * order.
 */
const TEXT_BYTES = 400;

const bits = new DataView(new ArrayBuffer(8));
const SIGN = 0x8000_0000;

export function orderText(ord: string | number): string {
  if (typeof ord === "string") return `t${bounded(ord)}`;
  bits.setFloat64(0, ord === 0 ? 0 : ord);
  const [high, low] = [bits.getUint32(0), bits.getUint32(4)];
  // The bits of a double sort like the number if the sign bit is flipped or, for negative numbers, all bits are.
  return high >= SIGN ? `n${hex(~high)}${hex(~low)}` : `n${hex(high | SIGN)}${hex(low)}`;
}

export function orderFrom(text: string | null): string | number | null {
  if (text === null) return null;
  if (text.startsWith("t")) return text.slice(1);
  const high = Number.parseInt(text.slice(1, 9), 16);
  const low = Number.parseInt(text.slice(9), 16);
  bits.setUint32(0, high >= SIGN ? high & ~SIGN : ~high);
  bits.setUint32(4, high >= SIGN ? low : ~low);
  return bits.getFloat64(0);
}

const hex = (bits32: number): string => (bits32 >>> 0).toString(16).padStart(8, "0");

/** Idempotent, so that a cursor leads back to its position. */
function bounded(text: string): string {
  if (text.length * 3 <= TEXT_BYTES || Buffer.byteLength(text) <= TEXT_BYTES) return text;
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  let kept = text.slice(0, TEXT_BYTES);
  while (Buffer.byteLength(kept) > TEXT_BYTES - digest.length - 1) kept = kept.slice(0, -1);
  return `${kept.toWellFormed()} ${digest}`;
}
