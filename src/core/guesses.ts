// Guesses about streams that declare no kind, from the names and types of their fields. No other file guesses.
import type { JsonObject } from "../contract/record.ts";
import type { StreamMetadata } from "../contract/schema-document.ts";

/** Field names that can serve as a title, best first. */
const NAMING = ["title", "subject", "name", "display_name", "full_name", "summary", "label", "filename"];

export function namingField(data: JsonObject): string | undefined {
  return NAMING.find((name) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return typeof value === "string" && value.trim() !== "";
  });
}

/** Fields that name the person or organisation in an object, best first. */
export const PERSON_MEMBERS: readonly string[] = ["name", "address", "email"];

const isIdentifier = (name: string): boolean => /(?:^|_)id$/.test(name);

/** Returns the field that best names a record: a field with a suitable name, otherwise the first text field. */
export function guessedLeadingField({ field_capabilities, primary_key }: StreamMetadata): string | undefined {
  const texts = Object.entries(field_capabilities).filter(
    ([, { type, format }]) => type === "string" && format === undefined,
  );
  const names = Object.fromEntries(texts.map(([name]) => [name, name]));
  const text = texts.find(([, can]) => can.lexical_search) ?? texts.find(([name]) => !primary_key.includes(name));
  return names.name ?? namingField(names) ?? text?.[0];
}

/** Returns short fields: no long texts, lists or ids. If there are none, returns any field. */
export function guessedColumns({ field_capabilities, primary_key, schema }: StreamMetadata): string[] {
  const short = Object.entries(field_capabilities).filter(
    ([name, { type, sort }]) =>
      ["string", "number", "integer", "boolean"].includes(type) &&
      sort &&
      !primary_key.includes(name) &&
      !isIdentifier(name),
  );
  if (short.length > 0) return short.map(([name]) => name);
  return Object.keys(field_capabilities).filter(
    (name) => !name.includes(".") || schema?.properties?.[name] !== undefined,
  );
}

/** Returns the values that best describe a record without a kind: its title, and the other values, sentences first. */
export function guessedWords(values: Readonly<Record<string, string>>): { title?: string; rest: string[] } {
  const names = Object.keys(values);
  // A description is not a name, but it says more than an id, which is often the first field.
  const title = namingField(values) ?? (Object.hasOwn(values, "description") ? "description" : names[0]);
  const rest = names.filter((name) => name !== title && !isIdentifier(name));
  // Sentences say more than single words.
  rest.sort((one, other) => Number(values[other]!.includes(" ")) - Number(values[one]!.includes(" ")));
  return { ...(title === undefined ? {} : { title }), rest };
}

/** Returns the possible names of an amount's currency field. */
export const guessedCurrencyFields = (amount: string): string[] => [`${amount}_currency`, "currency"];
