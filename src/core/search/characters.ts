// Character classes for search: part of a word, separator, ignored, or part of a script written without spaces.

export const SEPARATOR = 1;
const WORD = 2;
/** Occurs inside a word but is ignored: accents, vowel points, soft hyphens, joiners, tatweel. */
export const DROPPED = 3;
/** Written without spaces, so a dictionary is needed to find the words. */
export const UNSPACED = 4;
/** Each one counts as a word: emoji. */
export const SYMBOL = 5;

const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]$/u;
const UNSPACED_SCRIPT =
  /^[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}\p{M}]]$/v;
/**
 * Accents in Latin, Greek and Cyrillic, and points in Hebrew and Arabic. Vowel signs in Indic scripts are not included,
 * because readers see them as letters.
 */
const ACCENTS =
  "\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20f0\\ufe00-\\ufe2f";
const DROPPED_CHARACTER = new RegExp(`^(?:[${ACCENTS}]|[\\p{Cf}\\u034f])$`, "u");
const DROPPED_ALL = new RegExp(`[${ACCENTS}]|[^\\p{L}\\p{N}\\p{M}\\p{Emoji_Presentation}]`, "gu");
const SYMBOL_CHARACTER = /^\p{Emoji_Presentation}$/u;

/** Letters that Unicode does not decompose, and how people write them if they are not on the keyboard. */
const SPELT: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ς: "σ",
};
const SPELT_LETTER = /[ßæœøđðþłħıς]/g;

/** Folds case, accents, width and compatibility forms. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(DROPPED_ALL, "")
    .toLowerCase()
    .replace(SPELT_LETTER, (letter) => SPELT[letter]!)
    .normalize("NFC");
}

// Filled on demand, because most texts use few of the 65,536 characters and startup should not pay for the rest.
const kinds = new Uint8Array(0x10000);
const folded = new Uint16Array(0x10000);

export function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = kinds[code]!;
  if (known !== 0) return known;
  if (code >= 0xd800 && code < 0xe000) return classify(String.fromCodePoint(text.codePointAt(at)!));
  const kind = classify(String.fromCharCode(code));
  kinds[code] = kind;
  return kind;
}

function classify(character: string): number {
  if (DROPPED_CHARACTER.test(character)) return DROPPED;
  if (UNSPACED_SCRIPT.test(character)) return UNSPACED;
  if (WORD_CHARACTER.test(character)) return WORD;
  return SYMBOL_CHARACTER.test(character) ? SYMBOL : SEPARATOR;
}

/**
 * Returns the folded form as one code unit, or 0 if the letter folds to several units, or only together with its
 * neighbours.
 */
export function foldUnit(code: number): number {
  const known = folded[code]!;
  if (known !== 0) return known === 0xffff ? 0 : known;
  const text = foldText(String.fromCharCode(code));
  // Marks and conjoining jamo compose with the character before them.
  const composes = /^[\p{M}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\ud800-\udfff]$/u.test(String.fromCharCode(code));
  const unit = text.length === 1 && !composes ? text.charCodeAt(0) : 0xffff;
  folded[code] = unit;
  return unit === 0xffff ? 0 : unit;
}

/** For each ASCII byte: 0 for a separator, otherwise the folded letter or digit. */
export const ASCII_WORD = new Uint8Array(128);
for (let code = 48; code < 58; code++) ASCII_WORD[code] = code;
for (let code = 97; code < 123; code++) {
  ASCII_WORD[code] = code;
  ASCII_WORD[code - 32] = code;
}
