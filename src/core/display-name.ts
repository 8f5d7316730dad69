// Removes control and hidden characters from names that strangers choose, and checks the names for look-alike letters
// (SECURITY.md row 7).

const NAME_LENGTH_MAX = 60;
/** Invisible according to Unicode: zero-width, joiners, bidi controls, fillers, variation selectors, tags. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const BLANK = /[\s\p{Cc}\p{Z}\u2800]+/gu;
/** Unassigned and private-use characters look different in every font; enclosing marks draw frames like badges. */
const UNRELIABLE = /[\p{Cn}\p{Co}\p{Cs}\p{Me}]/gu;
/** Ticks, locks, shields and stars look like the page's own badges. */
const BADGE_LIKE =
  /[\u2605\u2606\u2610-\u2612\u2705\u2713-\u2718\u274c\u274e\u{1f50f}-\u{1f513}\u{1f5f8}\u{1f5f9}\u{1f6e1}]/gu;
/** The page puts the name in quotes, so a name must not be able to close them. */
const QUOTES = /["\u00ab\u00bb\u2018-\u201f\u2033\u2036\u275b-\u275e\u300c-\u300f\u301d-\u301f\uff02]/gu;
/** Two marks on a letter are enough for every living script. A hundred would cover the lines above. */
const MARK_STACK = /(\p{M}{2})\p{M}+/gu;
const LEADING_MARKS = /(^|\s)\p{M}+/gu;

/** Returns one line of visible characters, limited in length; empty if nothing is left. */
export function cleanDisplayName(text: string, maximum = NAME_LENGTH_MAX): string {
  // Marks and spaces are removed, so this reads more than it keeps, but never a whole text of several megabytes.
  const line = text
    .slice(0, maximum * 64)
    .toWellFormed()
    .normalize("NFKC")
    .replace(BLANK, " ")
    .replace(INVISIBLE, "")
    .replace(UNRELIABLE, "")
    .replace(BADGE_LIKE, "")
    .replace(QUOTES, "'")
    .replace(MARK_STACK, "$1")
    .replace(LEADING_MARKS, "$1")
    .replace(BLANK, " ")
    .trim();
  const points = [...line];
  return points.length <= maximum
    ? line
    : `${points
        .slice(0, maximum - 1)
        .join("")
        .trimEnd()}…`;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Alphabets with letters that look like Latin ones. */
const ALIKE_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;
/** Letters of those alphabets that readers mistake for Latin ones. */
const ALIKE =
  /^[\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u04cf\u043e\u0440\u051b\u0455\u051d\u0445\u0443\u0475\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u0423\u0474\u03b1\u03bf\u03c1\u03c5\u03bd\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7]+$/u;
/** Phonetic letters. Their script is Latin, and they are used to imitate other Latin letters. */
const PHONETIC = /[\u0250-\u02af\u1d00-\u1dbf]/u;

/**
 * Returns true if a name is spelt to look like another one: it mixes alphabets within a word, or imitates Latin in
 * another alphabet.
 */
export function looksConfusable(name: string): boolean {
  const words = name.normalize("NFKC").match(WORD) ?? [];
  if (words.some((word) => PHONETIC.test(word) || (LATIN.test(word) && ALIKE_SCRIPT.test(word)))) return true;
  // A name with one clearly Cyrillic or Greek word is written in that language and imitates nothing.
  const foreign = words.filter((word) => ALIKE_SCRIPT.test(word));
  return foreign.some((word) => word.length > 2) && foreign.every((word) => ALIKE.test(word));
}

const TRUST_WORDS = /\b(?:verified|official|trusted|approved|secure|certified|postern|administrator|system)\b/i;

/** Returns true if a name makes a claim that only this server may make. */
export function claimsTrust(name: string): boolean {
  return TRUST_WORDS.test(name);
}
