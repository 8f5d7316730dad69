// The text of a field as search sees it.
import type { JsonValue } from "../../contract/record.ts";

/** A string as it is; the strings of an array one a line; anything else has no text. */
export function fieldText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const lines = value.filter((item) => typeof item === "string");
  return lines.length === 0 ? undefined : lines.join("\n");
}
