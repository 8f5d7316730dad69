// A vector in two sizes: a bit for each dimension, to find candidates in memory, and a byte for each, to compare those.

export interface QuantisedVector {
  /** The signs, 16 in a word. */
  code: Uint16Array;
  bytes: Int8Array;
  /** Factor from a byte to its value. */
  scale: number;
}

export const codeWords = (dimensions: number): number => Math.ceil(dimensions / 16);

/** Of length 1, so that products of two are cosines. */
export function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/** Signs of the numbers as they are: centred ones would depend on texts that a caller may not see. */
export function signsOf(vector: Float32Array): Uint16Array {
  const code = new Uint16Array(codeWords(vector.length));
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) code[at >>> 4]! |= 1 << (at & 15);
  return code;
}

export function quantise(vector: Float32Array): QuantisedVector {
  const unit = unitVector(vector);
  let most = 0;
  for (const value of unit) most = Math.max(most, Math.abs(value));
  const scale = most / 127;
  return {
    code: signsOf(unit),
    bytes: Int8Array.from(unit, (value) => (scale > 0 ? Math.round(value / scale) : 0)),
    scale,
  };
}

/** Bits of every 16-bit word: two look-ups are cheaper than counting the bits of 32. */
export const BITS = new Uint8Array(1 << 16);
for (let word = 1; word < BITS.length; word++) BITS[word] = BITS[word >>> 1]! + (word & 1);
