// Reads fields of unvalidated JSON. A value of the wrong type counts as missing.
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { formatInstant } from "../../core/instant.ts";

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Inherited properties are functions, a type that is never requested here. */
const own = (object: JsonObject, name: string): JsonValue | undefined => object[name];

/** Returns the text, or undefined if it is empty. */
export function textIn(object: JsonObject, name: string): string | undefined {
  const value = own(object, name);
  return typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;
}

/** Returns text, even if an export wrote a number. */
export function idIn(object: JsonObject, name: string): string | undefined {
  const value = own(object, name);
  return typeof value === "number" ? String(value) : textIn(object, name);
}

/** Returns a whole number of at least zero, even if an export wrote it as text. */
export function countIn(object: JsonObject, name: string): number | undefined {
  const value = own(object, name);
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export const flagIn = (object: JsonObject, name: string): boolean => own(object, name) === true;

export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = own(object, name);
  return isObject(value) ? value : {};
}

export function textsIn(object: JsonObject, name: string): string[] {
  const value = own(object, name);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").map((one) => one.toWellFormed()) : [];
}

export function objectsIn(object: JsonObject, name: string): JsonObject[] {
  const value = own(object, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * Passes fields on as data. Undefined fields are omitted when the JSON is written, at a quarter of the cost of removing
 * them here. Meant for millions of records.
 */
export const asData = (fields: Record<string, JsonValue | undefined>): JsonObject => fields as JsonObject;

/** Removes undefined fields. The names are ours and never come from a file. */
export function present(fields: Record<string, JsonValue | undefined>): JsonObject {
  const kept: JsonObject = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Converts seconds since 1970, as a number or text, to an instant. Only years 1970 to 9999 are accepted. */
export function instantOf(seconds: string | number | undefined): string | undefined {
  const milliseconds = Math.floor(Number(seconds) * 1000);
  if (seconds === undefined || !(milliseconds >= 0 && milliseconds < 253_402_300_800_000)) return undefined;
  return formatInstant(milliseconds);
}
