// Field lengths in one byte: exact below 32 words, then in steps of a sixteenth. The index stores no finer length, so
// scores and averages do not depend on a document's segment.

/** The lengths that the 256 codes represent. */
export const CODE_LENGTH = new Float64Array(256);
for (let code = 0; code < 256; code++) {
  CODE_LENGTH[code] = code < 32 ? code : (16 + (code & 15)) * 2 ** ((code >> 4) - 1);
}

/** The code of the largest length that does not exceed `words`. */
export function lengthCode(words: number): number {
  if (words < 32) return words;
  const exponent = 31 - Math.clz32(words);
  return Math.min(255, ((exponent - 3) << 4) | ((words >> (exponent - 4)) & 15));
}
