// Texts of Facebook and Instagram: each byte of the UTF-8 is written as its own character ("Ã©" for "é"), which is
// repaired here.
import { isUtf8 } from "node:buffer";
import type { JsonValue } from "../../contract/json.ts";

/** Text that was not written that way stays as it is. */
export function mendedText(text: string): string {
  let isDoubtful = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0xff) return text;
    isDoubtful ||= code > 0x7f;
  }
  if (!isDoubtful) return text;
  const bytes = Buffer.from(text, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : text;
}

/** Pass this to `jsonItems` instead of JSON.parse. */
export const parseMended = (json: string): JsonValue =>
  JSON.parse(json, (_key, value: JsonValue) => (typeof value === "string" ? mendedText(value) : value)) as JsonValue;
