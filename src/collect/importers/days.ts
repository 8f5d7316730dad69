// Positions of a log by day: consecutive ones on the same day (UTC) are one track, so that memory is bounded by a day.
import { POINTS_MAX, type TrackPoint, trackOf } from "./track.ts";

export interface DayOfPoints {
  /** The offset of the first byte or line that it came from. */
  offset: number;
  /** Milliseconds of its first point. */
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
    /** Returns the previous day when this point starts another. */
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
