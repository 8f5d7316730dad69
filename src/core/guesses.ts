// Guesses about streams that declare no kind: the field that names a record, by its name.
import type { JsonObject } from "../contract/record.ts";

/** Field names that people would read a record out by, best first. */
const NAMING = ["title", "subject", "name", "display_name", "full_name", "summary", "label", "filename"];

export function namingField(data: JsonObject): string | undefined {
  return NAMING.find((name) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return typeof value === "string" && value.trim() !== "";
  });
}
