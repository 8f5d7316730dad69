// Append-only streams keep what was stored first: other data under a key that is there is refused, and said to be.
import { isDeepStrictEqual } from "node:util";

export const KEPT_FIRST =
  "a record with this key is stored with other data, and this stream keeps what was stored first";

/** The order of members is no difference. */
export const sameData = (stored: string, given: string): boolean =>
  stored === given || isDeepStrictEqual(JSON.parse(stored), JSON.parse(given));
