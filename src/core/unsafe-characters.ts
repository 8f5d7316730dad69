// Makes visible any characters in other people's text that could manipulate a terminal, a page or a reader.

/**
 * Controls, bidi marks and overrides, invisible spaces and tags. Joiners are not included, because they are harmless
 * and scripts need them.
 */
export const UNSAFE_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
export const VISIBLE = "�";

/** Returns one line with at most this many characters. */
export function plainLine(value: string, maximum: number): string {
  // The text may be megabytes long; this much of it is enough.
  const head = value.length > maximum * 8 ? value.slice(0, maximum * 8) : value;
  const oneLine = showRuns(head.replace(/\s+/g, " ").replace(UNSAFE_CHARACTERS, VISIBLE)).toWellFormed();
  const points = [...oneLine];
  const whole = points.length <= maximum && head.length === value.length;
  return whole ? oneLine : `${points.slice(0, maximum - 1).join("")}…`;
}

/** Joiners, selectors and fillers. Scripts need one or two of them; three in a row only hide something. */
const HIDDEN_RUN = /\p{Default_Ignorable_Code_Point}{3,}/gu;

const showRuns = (text: string): string => text.replace(HIDDEN_RUN, (run) => VISIBLE.repeat([...run].length));

/** Matches texts in which there is nothing to replace. Most texts match. */
const PLAIN = /^[\t\n\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;

/**
 * Replaces unsafe characters in multi-line text one by one, so that positions in it stay valid. Line breaks and tabs
 * are kept.
 */
export function plainText(value: string): string {
  if (PLAIN.test(value)) return value;
  const shown = value.replace(UNSAFE_CHARACTERS, (character, at: number) => {
    if (character === "\n" || character === "\t") return character;
    return character === "\r" && value[at + 1] === "\n" ? character : VISIBLE;
  });
  return showRuns(shown).toWellFormed();
}
