// Stems: the part that the inflected forms of a word have in common. A stem depends only on the folded word and the
// language, so hidden texts cannot influence it.
import { foldText } from "./characters.ts";
import { LANGUAGES } from "./languages.ts";
import { hashBytes } from "./tokenise.ts";

/** Shorter words are rarely inflected, and longer ones are not words. */
const SHORTEST = 3;
const LONGEST = 40;
const NON_LETTER = /[^\p{L}\p{M}]/u;
const FOLDED = /^[a-z]*$/;

/** Restores accents in endings, because folding removed them and the stemmers depend on them. */
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

/** A cache with the stems of recent words by language, because words are repeated within texts. */
const known = LANGUAGES.map(() => new Map<string, string | undefined>());
const KNOWN = 20_000;

/** Returns the stem of a folded word, or undefined if the word has none. */
export function stemOf(language: number, term: string): string | undefined {
  const stems = known[language]!;
  if (stems.has(term)) return stems.get(term);
  if (stems.size >= KNOWN) stems.clear();
  const stem = findStem(language, term);
  stems.set(term, stem);
  return stem;
}

/** Returns the stem of a word without using the cache. */
export function findStem(language: number, term: string): string | undefined {
  const its = LANGUAGES[language];
  if (its === undefined || term.length < SHORTEST || term.length > LONGEST) return undefined;
  if (!FOLDED.test(term) && NON_LETTER.test(term)) return undefined;
  let word = term;
  for (const [ending, accented] of ACCENTS[language]!) word = word.replace(ending, accented);
  const stem = its.stem(word);
  return (FOLDED.test(stem) ? stem : foldText(stem)) || undefined;
}

const encoder = new TextEncoder();
/** A buffer for the bytes of a stem. A word with a stem has at most LONGEST letters. */
const spelt = new Uint8Array(LONGEST * 8);
/** Stems are stored as hashes, so the basis must be the same everywhere. */
const BASIS = 0x811c9dc5;

/** The hash that represents a stem in the index. Search treats two stems with the same hash as one. */
export function stemHash(language: number, stem: string): number {
  const basis = Math.imul(BASIS ^ language, 0x9e3779b1);
  let hash = basis;
  for (let at = 0; at < stem.length; at++) {
    const code = stem.charCodeAt(at);
    if (code > 127) return hashBytes(spelt, encoder.encodeInto(stem, spelt).written, basis) >>> 0;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

/** Returns true if two folded words are forms of the same word in a language. */
export function sameStem(language: number, one: string, other: string): boolean {
  const stem = stemOf(language, one);
  return stem !== undefined && (other === stem || stemOf(language, other) === stem);
}
