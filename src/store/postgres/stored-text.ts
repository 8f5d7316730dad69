// Values as PostgreSQL takes them, and texts as they come back.

export type Value = string | number | boolean | Uint8Array | null | readonly (string | number | null)[];

/** PostgreSQL's texts hold no NUL. It and the sign that stands for it are written as two, in the same order as before. */
const UNSTORABLE = /[\0\u0001]/;

export function storable(value: Value): unknown {
  if (typeof value === "string") return UNSTORABLE.test(value) ? escaped(value) : value;
  if (!Array.isArray(value)) return value;
  // Written here: the driver looks into each for what must be quoted.
  if (typeof value[0] === "number") return `{${value.map((each) => each ?? "NULL").join()}}`;
  return value.map((each: string | number | null) => storable(each));
}

const escaped = (text: string): string =>
  text.replace(/[\0\u0001]/g, (sign) => (sign === "\0" ? "\u0001\u0001" : "\u0001\u0002"));

export const plainText = (text: string): string =>
  text.includes("\u0001")
    ? text.replace(/\u0001[\u0001\u0002]/g, (pair) => (pair[1] === "\u0001" ? "\0" : "\u0001"))
    : text;
