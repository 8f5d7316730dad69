// Passages of a text: windows that an embedding model reads one at a time, each ended with a sentence or a word.
import { endBy } from "./excerpt.ts";

interface TextPassage {
  /** UTF-16 offsets. */
  start: number;
  end: number;
}

const PASSAGE = {
  /** About 200 words: what small models read whole. */
  chars: 1000,
  /** How far before that a passage may end, so that it ends with a sentence. */
  reach: 300,
  /** Passages of one field; the rest of a longer text is found by its words only. */
  most: 64,
} as const;

const WORD = /[\p{L}\p{N}]/u;

/** Nothing for a text without a word. */
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
