// Converts lists of recorded points to the fields of a track, a trip or a workout.
import type { JsonSchema } from "../../contract/declaration.ts";
import type { JsonValue } from "../../contract/json.ts";
import { field } from "../../core/declare.ts";
import { formatInstant } from "../../core/instant.ts";

export interface TrackPoint {
  /** Milliseconds since 1970. */
  at?: number | undefined;
  /** Latitude and longitude are both present or both absent: a point of an indoor workout has no position. */
  latitude?: number | undefined;
  longitude?: number | undefined;
  altitude?: number | undefined;
  /** In metres. */
  accuracy?: number | undefined;
  /** In beats per minute. */
  heartRate?: number | undefined;
}

/**
 * The maximum number of points in a record. A point takes at most 80 bytes, and a record must fit into an ingest line.
 */
export const POINTS_MAX = 40_000;

/** The fields that every stream of tracks has. */
export const trackFields = {
  start: field.instant("Start", "When it began."),
  end: field.instant("End", "When it ended."),
  latitude: field.number("Latitude", "Where it began, in degrees north."),
  longitude: field.number("Longitude", "Where it began, in degrees east."),
  distance_m: field.number("Distance", "Metres, as given by the source; otherwise measured along the points."),
  point_count: field.count("Points", "How many points were recorded."),
  /**
   * Declared as a document rather than a value, because no one searches for an identical path, and a column of paths
   * would use too much memory.
   */
  path: {
    ...field.text(
      "Path",
      "One point per line: time, latitude, longitude, altitude (m), accuracy (m), heart rate, separated by commas. Empty lines separate segments.",
    ),
    contentMediaType: "text/csv",
  } satisfies JsonSchema,
};

export const TRACK_ROLES = {
  time: "start",
  end: "end",
  "place.latitude": "latitude",
  "place.longitude": "longitude",
  distance: "distance_m",
  path: "path",
};

/** Returns a position on Earth, to a centimetre. Receivers without a signal write zeros. */
export function positionOf(latitude: unknown, longitude: unknown): { latitude: number; longitude: number } | undefined {
  const isThere = isWithin(latitude, 90) && isWithin(longitude, 180) && !(latitude === 0 && longitude === 0);
  return isThere ? { latitude: rounded(latitude, 7), longitude: rounded(longitude, 7) } : undefined;
}

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= most;

/** Returns a finite number, even if the file has it as text. */
export function numberOf(value: unknown): number | undefined {
  if (
    typeof value === "string" &&
    !/^\s*[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[-+]?\d{1,3})?\s*$/i.test(value)
  )
    return undefined;
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Calculates the fields of a track. Fields from the source take precedence. */
export function trackOf(segments: readonly (readonly TrackPoint[])[]): Record<string, JsonValue | undefined> {
  const points = segments.flat();
  const times = points.flatMap(({ at }) => at ?? []);
  const placed = points.find(({ latitude }) => latitude !== undefined);
  const distance = segments.reduce((sum, segment) => sum + lengthOf(segment), 0);
  return {
    start: times.length === 0 ? undefined : formatInstant(times.reduce((one, other) => Math.min(one, other))),
    end: times.length === 0 ? undefined : formatInstant(times.reduce((one, other) => Math.max(one, other))),
    latitude: placed?.latitude,
    longitude: placed?.longitude,
    distance_m: placed === undefined ? undefined : rounded(distance, 1),
    point_count: points.length,
    path: points.length === 0 ? undefined : segments.map((segment) => segment.map(lineOf).join("\n")).join("\n\n"),
  };
}

function lineOf({ at, latitude, longitude, altitude, accuracy, heartRate }: TrackPoint): string {
  const cells = [at === undefined ? undefined : formatInstant(at), latitude, longitude];
  const more = [altitude === undefined ? undefined : rounded(altitude, 1), accuracy, heartRate];
  return [...cells, ...more]
    .map((cell) => cell ?? "")
    .join(",")
    .replace(/,+$/, "");
}

const EARTH_RADIUS_M = 6_371_008.8;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Measured along great circles. */
function lengthOf(points: readonly TrackPoint[]): number {
  let sum = 0;
  let last: TrackPoint | undefined;
  for (const point of points) {
    if (point.latitude === undefined) continue;
    if (last !== undefined) sum += metresBetween(last, point);
    last = point;
  }
  return sum;
}

function metresBetween(one: TrackPoint, other: TrackPoint): number {
  const [from, to] = [radians(one.latitude!), radians(other.latitude!)];
  const half = (difference: number): number => Math.sin(difference / 2) ** 2;
  const chord = half(to - from) + Math.cos(from) * Math.cos(to) * half(radians(other.longitude! - one.longitude!));
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}
