// Stored text on a terminal. Characters that could control the terminal or hide something are made visible.
import { plainLine, UNSAFE_CHARACTERS, VISIBLE } from "../../core/unsafe-characters.ts";

const CELL_MAX = 60;

/** Returns one line of limited length. */
export const printable = (value: string, maximum = CELL_MAX): string => plainLine(value, maximum);

/** Returns text of any length. Newlines and tabs are kept. */
export function printableText(value: string): string {
  return value
    .replace(/\r\n/g, "\n")
    .replace(UNSAFE_CHARACTERS, (character) => (character === "\n" || character === "\t" ? character : VISIBLE))
    .toWellFormed();
}

/** Returns the same JSON with unsafe characters escaped. */
export function plainJson(body: string): string {
  return body.replace(UNSAFE_CHARACTERS, (character) =>
    character === "\n" || character === "\t" || character === "\r" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
