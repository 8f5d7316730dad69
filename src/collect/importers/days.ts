// Positions of a log by day: those that follow each other on one day (UTC) are one way, so that memory stays with a day.
import { POINTS_MAX, type WayPoint, wayOf } from "./way.ts";

export interface DayOfPoints {
  /** Of the first byte or line that it came from. */
  offset: number;
  /** Milliseconds of its first point. */
  start: number;
  fields: ReturnType<typeof wayOf>;
}

export type LoggedPoint = WayPoint & { at: number };

interface OpenDay {
  day: number;
  offset: number;
  points: LoggedPoint[];
}

const DAY_MS = 86_400_000;

export function pointsByDay() {
  let open: OpenDay | undefined;

  function end(): DayOfPoints | undefined {
    if (open === undefined) return undefined;
    const { points, offset } = open;
    open = undefined;
    points.sort((one, other) => one.at - other.at);
    const start = points[0]!.at;
    return { offset, start, fields: { name: dayName(start), ...wayOf([points]) } };
  }

  return {
    /** Answers the day before, when this point begins another. */
    add(point: LoggedPoint, offset: number): DayOfPoints | undefined {
      const day = Math.floor(point.at / DAY_MS);
      const isOther = open !== undefined && (open.day !== day || open.points.length >= POINTS_MAX);
      const ended = isOther ? end() : undefined;
      open ??= { day, offset, points: [] };
      open.points.push(point);
      return ended;
    },
    end,
  };
}

/** `12 August 2016` */
export const dayName = (at: number): string =>
  new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
