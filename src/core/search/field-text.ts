// The text of a field, as used in search.
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { itemsIn, type ListColumn, memberOf } from "../fields.ts";

/** A field, or a field inside an object or inside the objects in a list: `attendees.name`. */
export interface SearchedField {
  name: string;
  list?: { field: string; member: string };
}

/**
 * Depends only on the declaration, because a record can have a top-level field with the same name as a field inside a
 * list.
 */
export function searchedField(lists: ReadonlyMap<string, ListColumn>, name: string): SearchedField {
  const { field, member } = lists.get(name) ?? {};
  return field === undefined || member === undefined ? { name } : { name, list: { field, member } };
}

export function recordText(data: JsonObject, { name, list }: SearchedField): string | undefined {
  const field = list?.field ?? name;
  const value = Object.hasOwn(data, field) ? data[field] : undefined;
  if (list === undefined) return fieldText(value);
  return fieldText(itemsIn(value, list.member).flatMap((item) => memberOf(item, list.member) ?? []));
}

/** Returns a string unchanged, and the strings in an array as one per line. Anything else has no text. */
function fieldText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const lines = value.filter((item) => typeof item === "string");
  return lines.length === 0 ? undefined : lines.join("\n");
}
