// Instants: strictly parses RFC 3339 timestamps and dates to milliseconds since 1970, and formats them.

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Returns milliseconds, including fractions, or undefined if the text is not an RFC 3339 date-time. */
export function parseInstant(text: string): number | undefined {
  if (text === lastText) return lastInstant;
  lastInstant = parseUtc(text) ?? parseAny(text);
  lastText = text;
  return lastInstant;
}

/**
 * Caches the last result, because an import parses a record's own time four times: for its schema, its order, its
 * consent and its emission.
 */
let lastText: string | undefined;
let lastInstant: number | undefined;

/**
 * Handles only the usual form, `2024-05-31T09:00:00Z` or `…00.123Z`, but is six times as fast, and imports parse
 * millions.
 */
function parseUtc(text: string): number | undefined {
  const { length } = text;
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== 0x5a || text.charCodeAt(10) !== 0x54)
    return undefined;
  if (
    text.charCodeAt(4) !== 0x2d ||
    text.charCodeAt(7) !== 0x2d ||
    text.charCodeAt(13) !== 0x3a ||
    text.charCodeAt(16) !== 0x3a
  )
    return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  let fraction = 0;
  if (length === 24) {
    if (text.charCodeAt(19) !== 0x2e) return undefined;
    fraction = digits(text, 20, 23);
  }
  if (Number.isNaN(year + month + day + hour + minute + second + fraction) || year < 100) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59)
    return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, fraction);
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function parseAny(text: string): number | undefined {
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

/** Returns midnight UTC of a calendar date, or undefined. */
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

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));
const DAYS_KEPT = 64;
const dayNumbers = new Float64Array(DAYS_KEPT).fill(Number.NaN);
const dayTexts = Array<string>(DAYS_KEPT);
let formattedInstant = Number.NaN;
let formattedText = "";

/**
 * Formats like Date at a fifth of the cost. Every record on a page has two instants. Most of them fall on a few days,
 * and records that arrived together share one.
 */
export function formatInstant(milliseconds: number): string {
  if (milliseconds === formattedInstant) return formattedText;
  formattedText = format(milliseconds);
  formattedInstant = milliseconds;
  return formattedText;
}

function format(milliseconds: number): string {
  const whole = Math.trunc(milliseconds);
  const day = Math.floor(whole / DAY_MS);
  const slot = day & (DAYS_KEPT - 1);
  if (dayNumbers[slot] !== day) {
    dayTexts[slot] = new Date(whole).toISOString().slice(0, -"00:00:00.000Z".length);
    dayNumbers[slot] = day;
  }
  const rest = whole - day * DAY_MS;
  const second = Math.floor(rest / 1000);
  const minute = Math.floor(second / 60);
  const fraction = rest % 1000;
  const hours = TWO_DIGITS[Math.floor(minute / 60)]!;
  const seconds = `${TWO_DIGITS[second % 60]!}.${Math.floor(fraction / 100)}${TWO_DIGITS[fraction % 100]!}`;
  return `${dayTexts[slot]!}${hours}:${TWO_DIGITS[minute % 60]!}:${seconds}Z`;
}

export function formatDay(milliseconds: number): string {
  return formatInstant(milliseconds).slice(0, 10);
}
