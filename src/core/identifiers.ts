// Identifiers of people, told apart by their form: a mail address, a phone number, otherwise a name.
import type { Identifiers } from "../contract/me.ts";

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);
const isNumber = (text: string): boolean => /^\+?[\d ()./-]{5,}$/.test(text);

/** In the spelling of records: addresses in lower case. */
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

/** Whether an account's key names its owner; most are names of services. */
export const isIdentifier = (text: string): boolean => isAddress(text) || isNumber(text);
