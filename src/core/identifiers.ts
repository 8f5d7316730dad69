// Identifiers of people. The form of the text tells an email address, a phone number and a name apart.
import type { Identifiers } from "../contract/me.ts";

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);
const isNumber = (text: string): boolean => /^\+?[\d ()./-]{5,}$/.test(text);

/** Normalises an identifier to the spelling in records, with addresses in lower case. */
export const identifierOf = (text: string): string =>
  isAddress(text.trim()) ? text.trim().toLowerCase() : text.trim();

export function identifiersOf(texts: Iterable<string>): Identifiers {
  const found: Identifiers = { names: [], addresses: [], numbers: [] };
  for (const text of new Set(texts)) {
    const list = isAddress(text) ? found.addresses : isNumber(text) ? found.numbers : found.names;
    list.push(text);
  }
  return found;
}

/** Returns true if an account's key identifies a person; most keys are names of services. */
export const isIdentifier = (text: string): boolean => isAddress(text) || isNumber(text);
