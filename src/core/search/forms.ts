// Finds the other forms of a query's words in a text, in the language of that text.
import { LanguageVotes, votesOf } from "./language-votes.ts";
import { LANGUAGES } from "./languages.ts";
import type { Clause } from "./query.ts";
import { sameStem, stemOf } from "./stems.ts";
import { type Token, tokenise } from "./tokenise.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The language that the index found for a text: the same votes in the same order. */
export function languageOf(text: string): number {
  const votes = new LanguageVotes();
  tokenise(text, (token) => {
    if (token.part) return true;
    const { stops, endings } = votesOf(token);
    votes.word(stops, endings);
    if (token.wide) votes.letters(text, token.start, token.end);
    return !votes.full;
  });
  return votes.best();
}

/**
 * A function from a token to the clauses that it is another form of; undefined when no clause has other forms. `known`:
 * the language of the text, if the index has it.
 */
export function formFinder(
  text: string,
  clauses: readonly Clause[],
  known?: number,
): ((token: Token) => readonly number[]) | undefined {
  if (!clauses.some((clause) => clause.inflected)) return undefined;
  const language = known ?? languageOf(text);
  const words = clauses.flatMap((clause, index) => {
    const [word] = clause.terms;
    const stem = clause.inflected && word !== undefined ? stemOf(language, word) : undefined;
    return stem === undefined ? [] : [{ index, word: word!, first: encoder.encode(stem)[0]! }];
  });
  if (words.length === 0) return undefined;
  const anywhere = LANGUAGES[language]?.prefixes === true;
  const met = new Map<string, number[]>();
  return (token) => {
    // Most tokens begin with another letter.
    if (!anywhere && !words.some(({ first }) => first === token.bytes[0])) return [];
    const term = decoder.decode(token.bytes.subarray(0, token.length));
    let found = met.get(term);
    if (found === undefined) {
      found = words.filter(({ word }) => word !== term && sameStem(language, word, term)).map(({ index }) => index);
      met.set(term, found);
    }
    return found;
  };
}
