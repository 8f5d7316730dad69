// When a day begins in a time zone.
import { parseDay } from "./instant.ts";
import { offsetSpans } from "./zone-offsets.ts";

const DAY_MS = 86_400_000;

/** The instant at which the day begins in a zone: the first one whose clock shows that day. */
export function startOfDay(day: string, zone: string): number {
  const local = parseDay(day)!;
  const offsetAt = offsetSpans(zone);
  const around = [offsetAt(local - DAY_MS).offset, offsetAt(local + DAY_MS).offset];
  const early = local - Math.max(...around);
  // Where clocks skip midnight, the day begins later than the larger offset says.
  return early + offsetAt(early).offset >= local ? early : local - Math.min(...around);
}
