// String order everywhere in the columns: by code point, which is also the byte order of UTF-8.

const SURROGATE = /[\ud800-\udfff]/;

/** JavaScript's `<` compares UTF-16 units, which puts supplementary characters before U+E000 to U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return weight(x) - weight(y);
  }
  return a.length - b.length;
}

/** Moves surrogates above the rest of the basic plane, so that units compare as their code points do. */
function weight(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Sorts in place. The built-in sort is several times faster and gives the same order if there are no surrogates. */
export function sortByCodePoints(strings: string[]): string[] {
  return strings.some((text) => SURROGATE.test(text)) ? strings.sort(compareCodePoints) : strings.sort();
}
