// Stems: what the inflected forms of a word have in common. A stem depends on the folded word and the language alone, so
// that hidden texts cannot add to it.
import { foldText } from "./characters.ts";
import { LANGUAGES } from "./languages.ts";
import { hashBytes } from "./tokenise.ts";

/** Shorter words have hardly an inflection, longer ones are no words. */
const SHORTEST = 3;
const LONGEST = 40;
const NO_WORD = /[^\p{L}\p{M}]/u;
const FOLDED = /^[a-z]*$/;

/** Folding took accents from endings that the stemmers go by. */
const ENDINGS: Record<string, [RegExp, string][]> = {
  french: [
    [/ee$/, "ée"],
    [/ees$/, "ées"],
  ],
  spanish: [[/cion$/, "ción"]],
  portuguese: [
    [/cao$/, "ção"],
    [/coes$/, "ções"],
    [/ao$/, "ão"],
    [/oes$/, "ões"],
  ],
  russian: [[/([аеиоуыэюя])и(?=$|ся$)/, "$1й"]],
};

const ACCENTS = LANGUAGES.map((language) => (language && ENDINGS[language.name]) ?? []);

/** By language, the stems of words that were met lately: texts repeat them. */
const known = LANGUAGES.map(() => new Map<string, string | undefined>());
const KNOWN = 20_000;

/** The stem of a folded word, or undefined if it is the word itself. */
export function stemOf(language: number, term: string): string | undefined {
  const stems = known[language]!;
  if (stems.has(term)) return stems.get(term);
  if (stems.size >= KNOWN) stems.clear();
  const stem = findStem(language, term);
  stems.set(term, stem);
  return stem;
}

/** The stem of a word that was not met lately. */
export function findStem(language: number, term: string): string | undefined {
  const its = LANGUAGES[language];
  if (its === undefined || term.length < SHORTEST || term.length > LONGEST) return undefined;
  if (!FOLDED.test(term) && NO_WORD.test(term)) return undefined;
  let word = term;
  for (const [ending, accented] of ACCENTS[language]!) word = word.replace(ending, accented);
  const stem = its.stem(word);
  return (FOLDED.test(stem) ? stem : foldText(stem)) || undefined;
}

const encoder = new TextEncoder();
/** A stem as bytes: its word has at most so many letters. */
const spelt = new Uint8Array(LONGEST * 8);
/** Stems are persisted as hashes, so they begin the same everywhere. */
const BASIS = 0x811c9dc5;

/** Stands for a stem in the index: two stems that share it are one to search. */
export function stemHash(language: number, stem: string): number {
  const { written } = encoder.encodeInto(stem, spelt);
  return hashBytes(spelt, written, Math.imul(BASIS ^ language, 0x9e3779b1)) >>> 0;
}

/** Whether two folded words are forms of one in a language. */
export function sameStem(language: number, one: string, other: string): boolean {
  const stem = stemOf(language, one);
  return stem !== undefined && (other === stem || stemOf(language, other) === stem);
}
