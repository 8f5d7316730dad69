// Data of others in a result: characters that manipulate or hide are made visible, and it never looks like our own
// words.
import type { JsonValue } from "../../contract/record.ts";
import { plainLine, plainText } from "../../core/unsafe-characters.ts";

/** JSON with every text in it made safe. */
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

/** A name that someone chose, inside a sentence of ours: one line, in quotes. */
export const quoted = (name: string): string => JSON.stringify(plainLine(name, NAME_SHOWN));

/** Text of a record in a document of ours: each line is indented, so that none can be mistaken for ours. */
export const setIn = (text: string): string => plainText(text).replace(/^/gm, "  ");
