// Limits text that can have any length, such as tool output or text pasted into a chat.
import type { JsonObject } from "../../contract/json.ts";

/** A record is limited to 4 MiB. A text of this many characters fits, whatever its script. */
const TEXT_CHARACTERS_MAX = 500_000;

/** Returns the text under `name`, and a flag if it was cut. Returns an empty object if the text is empty. */
export function keptText(name: string, text: string | undefined): JsonObject {
  if (text === undefined || text === "") return {};
  if (text.length <= TEXT_CHARACTERS_MAX) return { [name]: text.toWellFormed() };
  return { [name]: text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed(), is_cut: true };
}

/** Joins paragraphs, without empty ones. */
export const paragraphs = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");
