// The text of a field as search sees it.
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { memberOf } from "../fields.ts";

/** `name` is a field, or a member of the objects in a list: `attendees.name`. */
export function recordText(data: JsonObject, name: string): string | undefined {
  if (Object.hasOwn(data, name)) return fieldText(data[name]);
  const dot = name.indexOf(".");
  const list = dot > 0 && Object.hasOwn(data, name.slice(0, dot)) ? data[name.slice(0, dot)] : undefined;
  if (!Array.isArray(list)) return undefined;
  return fieldText(list.flatMap((item) => memberOf(item, name.slice(dot + 1)) ?? []));
}

/** A string as it is; the strings of an array one a line; anything else has no text. */
function fieldText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const lines = value.filter((item) => typeof item === "string");
  return lines.length === 0 ? undefined : lines.join("\n");
}
