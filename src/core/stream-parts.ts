// The fields of a stream, for consent and grant descriptions: which are always included, and which contain no words.
import type { StreamShape } from "./scope.ts";

interface FieldPart {
  name: string;
  always: boolean;
  /** True for a number, a date or a flag. */
  plain: boolean;
}

const PLAIN_TYPES: readonly (string | undefined)[] = ["number", "integer", "boolean"];
const PLAIN_FORMATS: readonly (string | undefined)[] = ["date", "date-time"];

/** Keys and required fields are included in every record. */
export const alwaysOf = ({ declaration }: StreamShape): ReadonlySet<string> =>
  new Set([...declaration.primary_key, ...(declaration.schema.required ?? [])]);

export function partsOf(shape: StreamShape, fields: Iterable<string>): FieldPart[] {
  const always = alwaysOf(shape);
  return [...fields].map((name) => {
    const { type, format } = shape.declaration.schema.properties?.[name] ?? {};
    const types = [type].flat().filter((one) => one !== "null");
    const plain = PLAIN_FORMATS.includes(format) || types.every((one) => PLAIN_TYPES.includes(one));
    return { name, always: always.has(name), plain };
  });
}
