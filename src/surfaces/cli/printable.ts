// Stored text on a terminal: characters that could steer it or hide something are made visible.

/** Controls, bidi marks and overrides, invisible spaces and tags. Joiners stay: they steer nothing and scripts need them. */
const STEERING =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const VISIBLE = "�";
const CELL_MAX = 60;

/** One line, bounded. */
export function printable(value: string, maximum = CELL_MAX): string {
  // A cell shows a little of what may be megabytes.
  const head = value.length > maximum * 8 ? value.slice(0, maximum * 8) : value;
  const oneLine = head.replace(/\s+/g, " ").replace(STEERING, VISIBLE).toWellFormed();
  const points = [...oneLine];
  const whole = points.length <= maximum && head.length === value.length;
  return whole ? oneLine : `${points.slice(0, maximum - 1).join("")}…`;
}

/** Text of many lines, as long as it is; line ends and tabs stay. */
export function printableText(value: string): string {
  return value
    .replace(/\r\n/g, "\n")
    .replace(STEERING, (character) => (character === "\n" || character === "\t" ? character : VISIBLE))
    .toWellFormed();
}

/** The same JSON, with such characters written as escapes. */
export function plainJson(body: string): string {
  return body.replace(STEERING, (character) =>
    character === "\n" || character === "\t" || character === "\r" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
