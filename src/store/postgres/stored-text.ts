// Encodes values for PostgreSQL, and decodes them.
import pg from "pg";

export type PostgresValue = string | number | boolean | Uint8Array | null | readonly (string | number | null)[];

/**
 * PostgreSQL strings cannot contain NUL. NUL and its escape character are written as two characters each, which
 * preserves the order.
 */
const UNSTORABLE = /[\0\u0001]/;

export function storable(value: PostgresValue): unknown {
  if (typeof value === "string") return UNSTORABLE.test(value) ? escaped(value) : value;
  if (!Array.isArray(value)) return value;
  // Encode the array here, because the driver would check each value for quoting.
  if (value.length > 0 && value.every((each) => typeof each !== "string"))
    return `{${value.map((each) => each ?? "NULL").join()}}`;
  return value.map((each: string | number | null) => storable(each));
}

const escaped = (text: string): string =>
  text.replace(/[\0\u0001]/g, (sign) => (sign === "\0" ? "\u0001\u0001" : "\u0001\u0002"));

const plainText = (text: string): string =>
  text.includes("\u0001")
    ? text.replace(/\u0001[\u0001\u0002]/g, (pair) => (pair[1] === "\u0001" ? "\0" : "\u0001"))
    : text;

export type TextParser = (text: string) => unknown;

const { INT8, TEXT } = pg.types.builtins;

export function parserOf(type: number): TextParser {
  if (type === TEXT) return plainText;
  // Counters are far below 2^53, so they are returned as numbers.
  return type === INT8 ? Number : pg.types.getTypeParser(type, "text");
}
