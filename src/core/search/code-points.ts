// Converts UTF-16 indexes to code point offsets, which field windows use.

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/** Returns a function that converts ascending UTF-16 indexes to code point offsets. */
export function codePointCounter(text: string): (index: number) => number {
  if (!PAIR.test(text)) return (index) => index;
  let at = 0;
  let count = 0;
  return (index) => {
    for (; at < index; count++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
    return count;
  };
}
