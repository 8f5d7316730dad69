// Times without an offset. Their meaning depends on where the clock was.
import { monthNumber } from "../../core/month-names.ts";
import { offsetSpans } from "../../core/zone-offsets.ts";
import type { ImportAnswers, ImporterQuestion } from "../importer.ts";

/**
 * Asked only if the export does not state the time zone. The default fits most imports, because most people import in
 * the zone where the clock was.
 */
export const timeZoneQuestion = (whose: string): ImporterQuestion => ({
  id: "time_zone",
  text: `${whose} writes times without a time zone. Which time zone applies? (a name such as Europe/Dublin)`,
  default: Intl.DateTimeFormat().resolvedOptions().timeZone,
  asks_for: "time_zone",
});

/** Converts local time, given in milliseconds as if it were UTC, to the instant. */
export function localClock({
  time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone,
}: ImportAnswers): (local: number) => string {
  let spans: ReturnType<typeof offsetSpans>;
  try {
    spans = offsetSpans(time_zone);
  } catch {
    throw new Error(`time_zone: ${JSON.stringify(time_zone)} is not a time zone; use a name such as Europe/Dublin`);
  }
  return (local) => {
    const guess = local - spans(local).offset;
    return new Date(local - spans(guess).offset).toISOString();
  };
}

/**
 * Converts the named parts of a written date and time to milliseconds. The month is a number or an English name, and
 * the hour of a 12-hour clock comes with its `half`, A or P.
 */
export function writtenMillis(parts: Readonly<Record<string, string | undefined>> | undefined): number | undefined {
  if (parts === undefined) return undefined;
  const { year, month = "", day, hour = "0", minute = "0", second = "0", half } = parts;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  return localMillis(
    Number(year),
    Number(month) || monthNumber(month),
    Number(day),
    hours,
    Number(minute),
    Number(second),
  );
}

/** Converts the digits of a date and time to milliseconds, or returns undefined if there is no such day or hour. */
export function localMillis(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): number | undefined {
  const millis = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(millis);
  const same = back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  return same && hour < 24 && minute < 60 && second < 60 ? millis : undefined;
}
