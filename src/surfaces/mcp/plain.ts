// Other people's data in a result. Control characters and hidden characters are made visible, and the data can never be
// mistaken for our own words.
import type { JsonValue } from "../../contract/record.ts";
import { plainLine, plainText } from "../../core/unsafe-characters.ts";

/** Makes every text in a JSON value safe. */
export function plainData<T>(value: T): T {
  return plain(value as JsonValue) as T;
}

function plain(value: JsonValue): JsonValue {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [plainText(name), plain(inner)]));
}

const NAME_SHOWN = 60;

/** Quotes a name that someone chose, on one line, for use in our own sentences. */
export const quoted = (name: string): string => JSON.stringify(plainLine(name, NAME_SHOWN));

/** Indents each line of record text in a document, so that no line can be mistaken for our own. */
export const setIn = (text: string): string => plainText(text).replace(/^/gm, "  ");
