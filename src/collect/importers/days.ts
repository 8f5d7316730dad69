// Groups the positions in a log by day (UTC): consecutive positions on the same day form one track, so that memory is
// bounded by one day.
import { POINTS_MAX, type TrackPoint, trackOf } from "./track.ts";

export interface DayOfPoints {
  /** The offset of the first byte or line that the day was read from. */
  offset: number;
  /** The time of the day's first point, in milliseconds. */
  start: number;
  fields: ReturnType<typeof trackOf>;
}

export type LoggedPoint = TrackPoint & { at: number };

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
    return { offset, start, fields: { name: dayName(start), ...trackOf([points]) } };
  }

  return {
    /** Returns the previous day if this point starts a new one. */
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

/** Formats a date as `12 August 2016`. */
export const dayName = (at: number): string =>
  new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
