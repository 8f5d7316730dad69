// Other people's data in a result. Control characters and hidden characters are made visible, and the data can never be
// mistaken for our own words.
import type { JsonValue } from "../../contract/record.ts";
import { plainLine, plainText } from "../../core/unsafe-characters.ts";

/** Makes every text in a JSON value safe. Most values are safe already; such a value is returned itself. */
export function plainData<T>(value: T): T {
  return plain(value as JsonValue) as T;
}

function plain(value: JsonValue): JsonValue {
  if (typeof value === "string") return plainText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return plainList(value);
  const names = Object.keys(value);
  let copied: [string, JsonValue][] | undefined;
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const inner = value[name]!;
    const safe = [plainText(name), plain(inner)] as [string, JsonValue];
    if (copied === undefined) {
      if (safe[0] === name && safe[1] === inner) continue;
      copied = names.slice(0, at).map((before) => [before, value[before]!]);
    }
    copied.push(safe);
  }
  return copied === undefined ? value : Object.fromEntries(copied);
}

function plainList(list: JsonValue[]): JsonValue[] {
  let copied: JsonValue[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const safe = plain(list[at]!);
    if (safe === list[at]) continue;
    copied ??= [...list];
    copied[at] = safe;
  }
  return copied ?? list;
}

const NAME_SHOWN = 60;

/** Quotes a name that someone chose, on one line, for use in our own sentences. */
export const quoted = (name: string): string => JSON.stringify(plainLine(name, NAME_SHOWN));

/** Indents each line of record text in a document, so that no line can be mistaken for our own. */
export const setIn = (text: string): string => plainText(text).replace(/^/gm, "  ");
