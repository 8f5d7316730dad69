// Keys of identifiers: an address, a number, a handle or, if there is nothing else, a name. Different spellings have
// one key.
import { identifiersOf } from "../identifiers.ts";

export type IdentifierType = "address" | "number" | "handle" | "name";

/** One mention of a person in a record, as written there. */
export interface Sighting {
  name?: string;
  addresses: string[];
  numbers: string[];
  handles: string[];
}

/** Countries write the same number with different prefixes; its last digits are the same. */
const NUMBER_END = 9;

export const foldName = (name: string): string => name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();

/** `address:ada@example.com`. Handles belong to one source: the same word elsewhere may be another person. */
export function identifierKey(type: IdentifierType, text: string, source: string): string {
  if (type === "address") return `address:${foldName(text).replace(/^mailto:/, "")}`;
  if (type === "number") return `number:${text.replace(/\D/g, "").slice(-NUMBER_END)}`;
  if (type === "handle") return `handle:${source}:${foldName(text).replace(/^@/, "")}`;
  return `name:${foldName(text)}`;
}

/** An identifier that a person typed: a key, or its text. */
export function keyOf(typed: string): string {
  if (/^(?:address|number|handle|name):/.test(typed)) return typed;
  const type = typeOf(typed);
  return identifierKey(type, typed, "");
}

export function typeOf(text: string): IdentifierType {
  const { addresses, numbers } = identifiersOf([text.trim().replace(/^mailto:/i, "")]);
  return addresses.length > 0 ? "address" : numbers.length > 0 ? "number" : "name";
}
