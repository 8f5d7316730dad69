// Words in scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese), from ICU's dictionaries.

// The dictionaries do not depend on the locale; naming one keeps the machine's locale out of the index.
const newSegmenter = (): Intl.Segmenter => new Intl.Segmenter("en", { granularity: "word" });
/** Created with the first such word: 10 ms that most threads never need. */
let segmenter: Intl.Segmenter | undefined;

/** A run without punctuation longer than this is not a sentence; cutting it keeps the segmenter's memory small. */
const STRETCH = 2000;

/** Calls `word` with each word's place; stops when it returns false. */
export function eachWord(run: string, word: (start: number, end: number) => boolean): boolean {
  segmenter ??= newSegmenter();
  for (let base = 0; base < run.length; base += STRETCH) {
    for (const { segment, index } of segmenter.segment(run.slice(base, base + STRETCH))) {
      if (!word(base + index, base + index + segment.length)) return false;
    }
  }
  return true;
}
