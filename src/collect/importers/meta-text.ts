// Repairs text from Facebook and Instagram, whose exports write each UTF-8 byte as a separate character ("Ã©" for "é").
import { isUtf8 } from "node:buffer";
import type { JsonValue } from "../../contract/json.ts";

/** Text that was not garbled stays unchanged. */
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

/** To be passed to `jsonItems` instead of JSON.parse. */
export const parseMended = (json: string): JsonValue =>
  JSON.parse(json, (_key, value: JsonValue) => (typeof value === "string" ? mendedText(value) : value)) as JsonValue;
