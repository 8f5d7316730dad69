// Keys for identifiers: an address, a number, a handle or, if there is nothing else, a name. All spellings of an
// identifier have the same key.
import { identifiersOf } from "../identifiers.ts";

export type IdentifierType = "address" | "number" | "handle" | "name";

/** One mention of a person in a record, as written there. */
export interface Sighting {
  name?: string;
  addresses: string[];
  numbers: string[];
  handles: string[];
  /** True for the sender of a record that the owner sent. */
  isOwner?: true;
}

/** The same number is written with different prefixes in different countries, but its last digits are the same. */
const NUMBER_END = 9;

export const foldName = (name: string): string => name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();

/**
 * Returns, for example, `address:ada@example.com`. A handle includes its source, because the same word elsewhere may be
 * another person.
 */
export function identifierKey(type: IdentifierType, text: string, source: string): string {
  if (type === "address") return `address:${foldName(text).replace(/^mailto:/, "")}`;
  if (type === "number") return `number:${text.replace(/\D/g, "").slice(-NUMBER_END)}`;
  if (type === "handle") return `handle:${source}:${foldName(text).replace(/^@/, "")}`;
  return `name:${foldName(text)}`;
}

/** Returns the key for an identifier that a person typed, as a key or as text. */
export function keyOf(typed: string): string {
  if (/^(?:address|number|handle|name):/.test(typed)) return typed;
  const type = typeOf(typed);
  return identifierKey(type, typed, "");
}

export function typeOf(text: string): IdentifierType {
  const { addresses, numbers } = identifiersOf([text.trim().replace(/^mailto:/i, "")]);
  return addresses.length > 0 ? "address" : numbers.length > 0 ? "number" : "name";
}
