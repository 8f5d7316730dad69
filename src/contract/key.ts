// Record keys as one string.

/** A compound key's canonical string is the minified JSON array of its parts. */
export function canonicalKey(key: string | string[]): string {
  if (typeof key === "string") return key;
  return key.length === 1 ? key[0]! : JSON.stringify(key);
}
