// Times in calendars (a day, a local time, or an instant), and how each is written in a record.
import type { ContentLine } from "../content-line.ts";
import { type CalendarZone, UTC } from "./zones.ts";

export interface When {
  /** The date and time that the clock shows, in milliseconds as if it were UTC. */
  wall: number;
  /** Undefined for a whole day, or for a floating time (RFC 5545). */
  zone?: CalendarZone;
  isDay: boolean;
  /** The duration, for a period. */
  length?: number;
}

const VALUE = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/;

/** Returns undefined if there is no such time. */
export function parseWhen(value: string, zone: CalendarZone | undefined): When | undefined {
  const found = VALUE.exec(
    value
      .trim()
      .replace(/(\d{4})-(\d{2})-(\d{2})/, "$1$2$3")
      .replace(/(\d{2}):(\d{2}):(\d{2})/, "$1$2$3"),
  );
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, utc] = found;
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Math.min(59, Number(second ?? 0)),
  );
  const date = new Date(wall);
  const exists =
    Number(year) >= 1 &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    Number(minute ?? 0) < 60;
  if (!exists || Number(year) < 100) return undefined;
  const own = hour === undefined ? undefined : utc === undefined ? zone : UTC;
  return { wall, isDay: hour === undefined, ...(own === undefined ? {} : { zone: own }) };
}

export const whensOf = (line: ContentLine, zoneOf: (id: string) => CalendarZone | undefined): When[] => {
  const zone = zoneOf((line.parameters.get("TZID") ?? []).join(","));
  return line.value.split(",").flatMap((value) => {
    const [begin = "", end] = value.split("/");
    const when = parseWhen(begin, zone);
    if (when === undefined) return [];
    const length = end === undefined ? undefined : (durationOf(end) ?? untilOf(when, parseWhen(end, zone)));
    return length === undefined || length < 0 ? [when] : [{ ...when, length }];
  });
};

const untilOf = (begin: When, end: When | undefined): number | undefined =>
  end === undefined ? undefined : instantOf(end) - instantOf(begin);

const offsetOf = ({ wall, zone }: When): number => zone?.offsetAt(wall) ?? 0;
export const instantOf = (when: When): number => when.wall - offsetOf(when) * 60_000;

/** RFC 3339 with the offset of the time's zone. Days, and times without a zone, are written as UTC. */
export function written(when: When): string {
  const text = new Date(when.wall).toISOString().slice(0, 19);
  const offset = offsetOf(when);
  if (when.zone === undefined || when.zone === UTC) return `${text}Z`;
  const minutes = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${text}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export const dayOf = ({ wall }: When): string => new Date(wall).toISOString().slice(0, 10);

/** Converts P1DT2H, -PT15M or P2W to milliseconds. */
export function durationOf(value: string): number | undefined {
  const found =
    /^([+-]?)P(?=.)(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/i.exec(
      value.trim(),
    );
  if (found === null) return undefined;
  const [weeks, days, hours, minutes, seconds] = found.slice(2).map((part) => Number(part ?? 0));
  const length = (((weeks! * 7 + days!) * 24 + hours!) * 60 + minutes!) * 60_000 + seconds! * 1000;
  return found[1] === "-" ? -length : length;
}
