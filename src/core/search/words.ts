// Texts as lists of words, for the query parser and tests.
import { tokenise } from "./tokenise.ts";

export interface Word {
  term: string;
  position: number;
  start: number;
  end: number;
}

const decoder = new TextDecoder();

/** Returns the words of a text, without the parts of identifiers. */
export function wordsOf(text: string, max = Number.POSITIVE_INFINITY): Word[] {
  return allTokens(text, (part) => !part, max);
}

/** Returns everything that the index contains for a text, including parts of identifiers. */
export function tokensOf(text: string): Word[] {
  return allTokens(text, () => true, Number.POSITIVE_INFINITY);
}

function allTokens(text: string, wanted: (part: boolean) => boolean, max: number): Word[] {
  const words: Word[] = [];
  tokenise(text, ({ bytes, length, position, part, start, end }) => {
    if (wanted(part)) words.push({ term: decoder.decode(bytes.subarray(0, length)), position, start, end });
    return words.length < max;
  });
  return words;
}
