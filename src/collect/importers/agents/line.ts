// What one line of a log gives, and the words that both agents' readers share.
import type { JsonObject } from "../../../contract/json.ts";
import type { FoundRecord } from "../../importer.ts";

export interface LineFound {
  records?: Pick<FoundRecord, "stream" | "key" | "data" | "emittedAt">[];
  /** Left out on purpose. */
  skip?: string;
  /** Not what its kind of line is. */
  error?: string;
}

/** A record may have 4 MiB; a text of this length fits in any script. Longer ones are files that a tool printed. */
const TEXT_CHARACTERS_MAX = 500_000;

/** A text under its name, and whether it was cut. */
export function keptText(name: string, text: string | undefined): JsonObject {
  if (text === undefined || text === "") return {};
  if (text.length <= TEXT_CHARACTERS_MAX) return { [name]: text.toWellFormed() };
  return { [name]: text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed(), is_cut: true };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

export function instantIn(text: string | undefined): string | undefined {
  if (text === undefined || !INSTANT.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
