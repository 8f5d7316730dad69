// Parses times in the format of JSON exports: RFC 3339, always with an offset.
import { formatInstant, parseInstant } from "../../core/instant.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the time in UTC to the millisecond, or undefined if it is not a time. */
export function isoInstant(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const plain = plainInstant(text);
  if (plain !== undefined) return plain;
  if (!INSTANT.test(text)) return undefined;
  const time = new Date(text);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time.toISOString() : undefined;
}

/** A fast path for `2024-05-31T09:00:00Z` and `…00.123Z`, the usual forms. Same result at a third of the cost. */
function plainInstant(text: string): string | undefined {
  const isPlain = (text.length === 20 || text.length === 24) && text[10] === "T" && text.endsWith("Z");
  // We accept a leap second, but Date does not.
  if (!isPlain || text.startsWith("60", 17)) return undefined;
  const milliseconds = parseInstant(text);
  return milliseconds === undefined ? undefined : formatInstant(milliseconds);
}
