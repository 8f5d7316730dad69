// Text of others, where it could steer a terminal, a page or a reader: such characters are made visible.

/** Controls, bidi marks and overrides, invisible spaces and tags. Joiners stay: they steer nothing and scripts need them. */
export const STEERING =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
export const VISIBLE = "�";

/** One line of at most so many characters. */
export function plainLine(value: string, maximum: number): string {
  // A little of what may be megabytes.
  const head = value.length > maximum * 8 ? value.slice(0, maximum * 8) : value;
  const oneLine = showRuns(head.replace(/\s+/g, " ").replace(STEERING, VISIBLE)).toWellFormed();
  const points = [...oneLine];
  const whole = points.length <= maximum && head.length === value.length;
  return whole ? oneLine : `${points.slice(0, maximum - 1).join("")}…`;
}

/** Joiners, selectors and fillers that scripts need one or two of; three in a row only hide something. */
const HIDDEN_RUN = /\p{Default_Ignorable_Code_Point}{3,}/gu;

const showRuns = (text: string): string => text.replace(HIDDEN_RUN, (run) => VISIBLE.repeat([...run].length));

/** Nothing to look for: most texts of most people. */
const PLAIN = /^[\t\n\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;

/** Text of many lines, character for character, so that positions in it hold; line ends and tabs stay. */
export function plainText(value: string): string {
  if (PLAIN.test(value)) return value;
  const shown = value.replace(STEERING, (character, at: number) => {
    if (character === "\n" || character === "\t") return character;
    return character === "\r" && value[at + 1] === "\n" ? character : VISIBLE;
  });
  return showRuns(shown).toWellFormed();
}
