// Facts about a JSON text before anything recursive reads it: its nesting depth, and whether it has long numbers.

export interface JsonGlance {
  /** Of brackets outside strings; of a text that is no JSON it is an upper guess. */
  depth: number;
  /** It may contain a number that a double does not keep: one of 16 digits, or with an exponent of three. Digits in strings do not count. */
  hasLongNumber: boolean;
}

/** The fewest digits of an integer beyond 2^53, and of an exponent beyond 308. */
const [LONG_INTEGER, LONG_EXPONENT] = [16, 3];

export function jsonGlance(text: string): JsonGlance {
  let depth = 0;
  let deepest = 0;
  let hasLongNumber = false;
  /** Digits that came one after another up to here. */
  let digits = 0;
  let inExponent = false;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code >= 0x30 && code <= 0x39) {
      digits++;
      if (digits >= (inExponent ? LONG_EXPONENT : LONG_INTEGER)) hasLongNumber = true;
    } else {
      // `1e+400` is one number; of `true` the e stands behind no digit. A negative exponent makes nothing too large.
      inExponent = ((code | 0x20) === 0x65 && digits > 0) || (code === 0x2b && inExponent);
      digits = 0;
      if (code === 0x22) inString = true;
      else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
      else if (code === 0x5d || code === 0x7d) depth--;
    }
  }
  return { depth: deepest, hasLongNumber };
}

export const jsonDepth = (text: string): number => jsonGlance(text).depth;
