// Instants: RFC 3339 timestamps and dates as milliseconds since 1970, strict, and back.

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Milliseconds (fractions kept), or undefined when the text is no RFC 3339 date-time. */
export function parseInstant(text: string): number | undefined {
  const parts = DATE_TIME.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = parts;
  const midnight = dayStart(Number(year), Number(month), Number(day));
  if (midnight === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  let milliseconds = midnight + Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000;
  if (fraction !== undefined) milliseconds += Number(fraction) * 1000;
  if (sign !== undefined) {
    if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
    const offset = Number(offsetHour) * 3_600_000 + Number(offsetMinute) * 60_000;
    milliseconds += sign === "+" ? -offset : offset;
  }
  return milliseconds;
}

/** Midnight UTC of a calendar date, or undefined. */
export function parseDay(text: string): number | undefined {
  const parts = DATE.exec(text);
  return parts ? dayStart(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined;
}

function dayStart(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would read the years 0 to 99 as 19xx.
  return date.getTime();
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function formatInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function formatDay(milliseconds: number): string {
  return formatInstant(milliseconds).slice(0, 10);
}
