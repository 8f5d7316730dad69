// Scans JSON text for its nesting depth and for long numbers, before any recursive parser reads it.

export interface JsonScan {
  /** The nesting depth of brackets outside strings. For text that is not JSON, it is an upper bound. */
  depth: number;
  /**
   * True if the text may contain a number that a double cannot represent, because it has 16 digits or a three-digit
   * exponent. Digits in strings do not count.
   */
  hasLongNumber: boolean;
}

/** The smallest number of digits in an integer beyond 2^53, and in an exponent beyond 308. */
const [LONG_INTEGER, LONG_EXPONENT] = [16, 3];

export function scanJson(text: string): JsonScan {
  let depth = 0;
  let deepest = 0;
  let hasLongNumber = false;
  /** The number of consecutive digits up to this point. */
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
      // `1e+400` is one number, but the e in `true` follows no digit. A negative exponent cannot make a number too
      // large.
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
