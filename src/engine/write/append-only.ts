// Append-only streams keep the first version: different data under an existing key is refused and reported.
import { isDeepStrictEqual } from "node:util";

export const KEPT_FIRST =
  "a record with this key already exists with different data, and records in this stream cannot be changed";

/** The order of fields does not matter. */
export const sameData = (stored: string, given: string): boolean =>
  stored === given || isDeepStrictEqual(JSON.parse(stored), JSON.parse(given));
