// Texts of unlimited length: output of tools, text pasted into a chat.
import type { JsonObject } from "../../contract/json.ts";

/** A record may have 4 MiB; a text of this length fits in any script. */
const TEXT_CHARACTERS_MAX = 500_000;

/** The text under its name, and whether it was cut; empty for an empty text. */
export function keptText(name: string, text: string | undefined): JsonObject {
  if (text === undefined || text === "") return {};
  if (text.length <= TEXT_CHARACTERS_MAX) return { [name]: text.toWellFormed() };
  return { [name]: text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed(), is_cut: true };
}

/** Paragraphs, without empty ones. */
export const paragraphs = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");
