// A vector in two sizes: one bit per dimension for finding candidates in memory, and one byte per dimension for
// comparing them.

export interface QuantisedVector {
  /** The signs, 32 per word. */
  code: Uint32Array;
  bytes: Int8Array;
  /** The factor that converts a byte to its value. */
  scale: number;
}

export const codeWords = (dimensions: number): number => Math.ceil(dimensions / 32);

/** Scales to length 1, so that the dot product of two vectors is their cosine. */
export function unitVector(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  const length = Math.sqrt(sum);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/**
 * The signs of the numbers themselves, because centred numbers would depend on texts that a caller may not see.
 */
export function signsOf(vector: Float32Array): Uint32Array {
  const code = new Uint32Array(codeWords(vector.length));
  for (let at = 0; at < vector.length; at++) if (vector[at]! > 0) code[at >>> 5]! |= 1 << (at & 31);
  return code;
}

export function quantise(vector: Float32Array): QuantisedVector {
  const unit = unitVector(vector);
  let most = 0;
  for (let at = 0; at < unit.length; at++) most = Math.max(most, Math.abs(unit[at]!));
  const scale = most / 127;
  const bytes = new Int8Array(unit.length);
  if (scale > 0) for (let at = 0; at < unit.length; at++) bytes[at] = Math.round(unit[at]! / scale);
  return { code: signsOf(unit), bytes, scale };
}

/** How many words can be added before one of the four byte counters overflows. Each adds at most 8 bits per byte. */
const ADDED = 31;

/** The number of signs that differ between a code and the one that starts at `from`. */
export function distanceTo(code: Uint32Array, codes: Uint32Array, from: number): number {
  const { length } = code;
  let distance = 0;
  for (let word = 0; word < length; ) {
    const end = Math.min(length, word + ADDED);
    let counts = 0;
    for (; word < end; word++) {
      // Counts bits in pairs, then in fours, then in eights, in the whole word at once, without a lookup table.
      let bits = code[word]! ^ codes[from + word]!;
      bits = (bits - ((bits >>> 1) & 0x55555555)) | 0;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      counts = (counts + ((bits + (bits >>> 4)) & 0x0f0f0f0f)) | 0;
    }
    counts = (counts & 0x00ff00ff) + ((counts >>> 8) & 0x00ff00ff);
    distance += (counts + (counts >>> 16)) & 0xffff;
  }
  return distance;
}
