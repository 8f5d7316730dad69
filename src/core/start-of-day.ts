// Computes when a day begins in a time zone.
import { parseDay } from "./instant.ts";
import { offsetSpans } from "./zone-offsets.ts";

const DAY_MS = 86_400_000;

/** Returns the first instant at which a clock in the zone shows that day. */
export function startOfDay(day: string, zone: string): number {
  const local = parseDay(day)!;
  const offsetAt = offsetSpans(zone);
  const around = [offsetAt(local - DAY_MS).offset, offsetAt(local + DAY_MS).offset];
  const early = local - Math.max(...around);
  // If clocks skip midnight, the day begins later than the larger offset suggests.
  return early + offsetAt(early).offset >= local ? early : local - Math.min(...around);
}
