// Text passages: windows that an embedding model reads one at a time, each ending with a sentence or a word.
import { endBy } from "./excerpt.ts";

interface TextPassage {
  /** UTF-16 offsets. */
  start: number;
  end: number;
}

const PASSAGE = {
  /** About 200 words, which small models can read in full. */
  chars: 1000,
  /** How many characters short of `chars` a passage may end, so that it can end with a sentence. */
  reach: 300,
  /** How many passages of one field are embedded. The rest of a longer text can be found only by its words. */
  most: 64,
} as const;

const WORD = /[\p{L}\p{N}]/u;

/** Returns an empty list for a text without words. */
export function passagesOf(text: string): TextPassage[] {
  const passages: TextPassage[] = [];
  for (let at = 0; at < text.length && passages.length < PASSAGE.most; ) {
    const latest = at + PASSAGE.chars;
    const end = latest >= text.length ? text.length : Math.max(at + 1, endBy(text, latest - PASSAGE.reach, latest));
    const start = at + (/^\s+/.exec(text.slice(at, end))?.[0].length ?? 0);
    if (start < end && WORD.test(text.slice(start, end))) passages.push({ start, end });
    at = end;
  }
  return passages;
}
