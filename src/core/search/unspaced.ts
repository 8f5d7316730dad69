// Words of scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese), by ICU's dictionaries.

// The dictionaries do not depend on the locale; naming one keeps the machine's out of the index.
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** A run without punctuation longer than this is no sentence; cutting it keeps the segmenter's memory small. */
const STRETCH = 2000;

/** Han and Kana words this long are also found by their pairs, because dictionaries join what a reader looks for apart. */
const PAIRED = { from: 3, to: 12 };

/** Calls `word` with each word's place; `part` marks pairs of the word before. Stops when it returns false. */
export function eachWord(run: string, word: (start: number, end: number, part: boolean) => boolean): boolean {
  for (let base = 0; base < run.length; base += STRETCH) {
    for (const { segment, index } of segmenter.segment(run.slice(base, base + STRETCH))) {
      const start = base + index;
      if (!word(start, start + segment.length, false)) return false;
      if (!eachPair(segment, (from, to) => word(start + from, start + to, true))) return false;
    }
  }
  return true;
}

function eachPair(word: string, pair: (start: number, end: number) => boolean): boolean {
  const first = word.charCodeAt(0);
  if (first < 0x3000 || first >= 0xa000 || word.length < PAIRED.from || word.length > PAIRED.to) return true;
  for (let at = 0; at + 2 <= word.length; at++) if (!pair(at, at + 2)) return false;
  return true;
}
