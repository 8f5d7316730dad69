// Finds other forms of a query's words in a text, in the language of that text.
import { LanguageVotes, votesOf } from "./language-votes.ts";
import { LANGUAGES } from "./languages.ts";
import type { Clause } from "./query.ts";
import { sameStem, stemOf } from "./stems.ts";
import { type Token, tokenise } from "./tokenise.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Detects the same language that the index detected for a text, with the same votes in the same order. */
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

export interface FormFinder {
  /** For each byte, 1 if a form can begin with it. */
  firsts: Uint8Array;
  /** Returns the clauses for which the token is another form of their word. */
  clausesAt: (token: Token) => readonly number[];
}

/** Cached by language, because every field of every hit is searched for forms of the same words. */
const finders = new WeakMap<readonly Clause[], Map<number, FormFinder | undefined>>();

/** Returns undefined if no clause has other forms. `known` is the language of the text, if the index contains it. */
export function formFinder(text: string, clauses: readonly Clause[], known?: number): FormFinder | undefined {
  if (!clauses.some((clause) => clause.inflected)) return undefined;
  const language = known ?? languageOf(text);
  const byLanguage = finders.get(clauses) ?? new Map<number, FormFinder | undefined>();
  finders.set(clauses, byLanguage);
  if (!byLanguage.has(language)) byLanguage.set(language, finderIn(language, clauses));
  return byLanguage.get(language);
}

function finderIn(language: number, clauses: readonly Clause[]): FormFinder | undefined {
  const words = clauses.flatMap((clause, index) => {
    const [word] = clause.terms;
    const stem = clause.inflected && word !== undefined ? stemOf(language, word) : undefined;
    return stem === undefined ? [] : [{ index, word: word!, first: encoder.encode(stem)[0]! }];
  });
  if (words.length === 0) return undefined;
  // Most tokens begin with a different letter, so they can be skipped.
  const firsts = new Uint8Array(256).fill(LANGUAGES[language]?.prefixes === true ? 1 : 0);
  for (const { first } of words) firsts[first] = 1;
  const met = new Map<number, { bytes: Uint8Array; clauses: number[] }>();
  const clausesAt = (token: Token) => {
    if (firsts[token.bytes[0]!] === 0) return NONE;
    const known = met.get(token.hash);
    if (known !== undefined && isTerm(token, known.bytes)) return known.clauses;
    const bytes = token.bytes.slice(0, token.length);
    const term = decoder.decode(bytes);
    const clauses = words
      .filter(({ word }) => word !== term && sameStem(language, word, term))
      .map(({ index }) => index);
    met.set(token.hash, { bytes, clauses });
    return clauses;
  };
  return { firsts, clausesAt };
}

const NONE: readonly number[] = [];

function isTerm(token: Token, bytes: Uint8Array): boolean {
  if (token.length !== bytes.length) return false;
  for (let at = 0; at < bytes.length; at++) if (token.bytes[at] !== bytes[at]) return false;
  return true;
}
