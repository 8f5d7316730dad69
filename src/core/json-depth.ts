// Facts about a JSON text before any recursive parser reads it: its nesting depth, and whether it has long numbers.

export interface JsonScan {
  /** The nesting of brackets outside strings; for a text that is not JSON, an upper bound. */
  depth: number;
  /**
   * It may contain a number that a double cannot represent: with 16 digits, or a three-digit exponent. Digits in
   * strings do not count.
   */
  hasLongNumber: boolean;
}

/** The fewest digits of an integer beyond 2^53, and of an exponent beyond 308. */
const [LONG_INTEGER, LONG_EXPONENT] = [16, 3];

export function scanJson(text: string): JsonScan {
  let depth = 0;
  let deepest = 0;
  let hasLongNumber = false;
  /** The number of consecutive digits up to here. */
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
      // `1e+400` is one number; the e of `true` follows no digit. A negative exponent cannot make a number too large.
      inExponent = ((code | 0x20) === 0x65 && digits > 0) || (code === 0x2b && inExponent);
      digits = 0;
      if (code === 0x22) inString = true;
      else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
      else if (code === 0x5d || code === 0x7d) depth--;
    }
  }
  return { depth: deepest, hasLongNumber };
}

export const jsonDepth = (text: string): number => scanJson(text).depth;
