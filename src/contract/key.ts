// Record keys as single strings.

/** The canonical string of a compound key is the minified JSON array of its parts. */
export function canonicalKey(key: string | string[]): string {
  if (typeof key === "string") return key;
  return key.length === 1 ? key[0]! : JSON.stringify(key);
}
