// How a record's order value stands in a column: numbers before texts, in one text that sorts by its bytes.
import { createHash } from "node:crypto";

/** Above every value. */
export const ABOVE_ALL = "u";

/** An index takes keys of 2.7 KB, and a record's id may fill 2 KB of that. What a longer text goes on with decides nothing. */
const TEXT_BYTES = 400;

const bits = new DataView(new ArrayBuffer(8));

export function orderText(ord: string | number): string {
  if (typeof ord === "string") return `t${bounded(ord)}`;
  bits.setFloat64(0, ord === 0 ? 0 : ord);
  const raw = bits.getBigUint64(0);
  // The bits of a double sort like the number once the sign is turned, and for negative ones all of them.
  const turned = raw >> 63n === 1n ? ~raw & 0xffff_ffff_ffff_ffffn : raw | (1n << 63n);
  return `n${turned.toString(16).padStart(16, "0")}`;
}

export function orderFrom(text: string | null): string | number | null {
  if (text === null) return null;
  if (text.startsWith("t")) return text.slice(1);
  const turned = BigInt(`0x${text.slice(1)}`);
  bits.setBigUint64(0, turned >> 63n === 1n ? turned & 0x7fff_ffff_ffff_ffffn : ~turned & 0xffff_ffff_ffff_ffffn);
  return bits.getFloat64(0);
}

/** Bounding what was bounded changes nothing: a cursor leads back to where it came from. */
function bounded(text: string): string {
  if (text.length * 3 <= TEXT_BYTES || Buffer.byteLength(text) <= TEXT_BYTES) return text;
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  let kept = text.slice(0, TEXT_BYTES);
  while (Buffer.byteLength(kept) > TEXT_BYTES - digest.length - 1) kept = kept.slice(0, -1);
  return `${kept.toWellFormed()} ${digest}`;
}
