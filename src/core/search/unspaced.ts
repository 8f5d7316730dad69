// Finds words in scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese), using ICU's
// dictionaries.

// The dictionaries do not depend on the locale, but a fixed one keeps the machine's locale out of the index.
const newSegmenter = (): Intl.Segmenter => new Intl.Segmenter("en", { granularity: "word" });
/** Created with the first such word, because it takes 10 ms and most threads never need it. */
let segmenter: Intl.Segmenter | undefined;

/**
 * A run without punctuation that is longer than this is not a sentence. Cutting it keeps the segmenter's memory use
 * low.
 */
const STRETCH = 2000;

/** Calls `word` with the offsets of each word; stops if it returns false. */
export function eachWord(run: string, word: (start: number, end: number) => boolean): boolean {
  segmenter ??= newSegmenter();
  for (let base = 0; base < run.length; base += STRETCH) {
    for (const { segment, index } of segmenter.segment(run.slice(base, base + STRETCH))) {
      if (!word(base + index, base + index + segment.length)) return false;
    }
  }
  return true;
}
