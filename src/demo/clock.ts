// The demo's calendar: it ends on 30 June 2026 and uses Dublin time.
import { MONTHS } from "../core/month-names.ts";

export const FIRST_DAY = "2023-01-01";
/** The demo's "today", so that the data is the same no matter when it is generated. */
export const TODAY = "2026-06-30";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const minutes = (count: number) => count * MINUTE;
export const hours = (count: number) => count * HOUR;

/** Converts "2025-05-15 06:45" on a Dublin clock to milliseconds UTC. */
export function dublin(text: string): number {
  const wall = Date.parse(`${text.slice(0, 10)}T${text.slice(11) || "12:00"}:00Z`);
  if (Number.isNaN(wall)) throw new Error(`not a time: ${text}`);
  return wall - (isSummer(wall - HOUR) ? HOUR : 0);
}

export function iso(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Formats a time with Dublin's offset, as calendars do. */
export function isoDublin(milliseconds: number): string {
  const summer = isSummer(milliseconds);
  const wall = new Date(milliseconds + (summer ? HOUR : 0)).toISOString().slice(0, 19);
  return `${wall}+0${summer ? 1 : 0}:00`;
}

export function isoDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

export interface Day {
  date: string;
  /** 0 is Monday. */
  weekday: number;
  dayOfMonth: number;
  month: number;
  year: number;
  /** Days since FIRST_DAY. */
  index: number;
}

export function* days(first: string = FIRST_DAY, last: string = TODAY): Generator<Day> {
  const origin = Date.parse(FIRST_DAY);
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY) {
    const date = new Date(time);
    yield {
      date: isoDay(time),
      weekday: (date.getUTCDay() + 6) % 7,
      dayOfMonth: date.getUTCDate(),
      month: date.getUTCMonth() + 1,
      year: date.getUTCFullYear(),
      index: Math.round((time - origin) / DAY),
    };
  }
}

/** True on days on which Nora and Mateus are neither at home nor at work: Berlin 2023, Lisbon 2025. */
export function isAway(date: string): boolean {
  return (date >= "2023-10-20" && date <= "2023-10-23") || (date >= "2025-05-15" && date <= "2025-05-20");
}

const WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

export const monthName = (month: number) => MONTHS[month - 1]!;
export const weekdayName = (weekday: number) => WEEKDAYS[weekday]!;

/** Returns a date such as "15 May 2025". */
export function longDate(date: string): string {
  return `${Number(date.slice(8, 10))} ${monthName(Number(date.slice(5, 7)))} ${date.slice(0, 4)}`;
}

export function addDays(date: string, count: number): string {
  return isoDay(Date.parse(date) + count * DAY);
}

function isSummer(milliseconds: number): boolean {
  const year = new Date(milliseconds).getUTCFullYear();
  return milliseconds >= lastSunday(year, 2) && milliseconds < lastSunday(year, 9);
}

/** Europe changes its clocks at 01:00 UTC on the last Sunday in March and in October. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31));
  return Date.UTC(year, month, 31 - last.getUTCDay(), 1);
}
