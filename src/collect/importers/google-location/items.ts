// Parses one item of a location export: a visit, a trip, a series of positions, or something that is not imported.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { formatInstant } from "../../../core/instant.ts";
import { dayName, type LoggedPoint } from "../days.ts";
import { countIn, idIn, isObject, objectIn, objectsIn, textIn } from "../json-fields.ts";
import type { JsonPath } from "../json-items.ts";
import { numberOf, rounded, type TrackPoint, trackOf } from "../track.ts";
import { confidenceOf, scaledPosition, timeIn, wordsOf, writtenPosition } from "./values.ts";

type Fields = Record<string, JsonValue | undefined>;

export type FoundItem =
  | { stream: "visits" | "trips" | "positions"; identity: string; fields: Fields }
  | { wrong: string }
  | { left: string };

/** Reads an object of Semantic Location History, which may contain a visit, a trip, or both. */
export function* semanticItems(object: JsonObject): Generator<FoundItem> {
  const { placeVisit, activitySegment } = object;
  if (isObject(placeVisit)) yield* semanticVisit(placeVisit, 0);
  if (isObject(activitySegment)) yield semanticTrip(activitySegment);
  if (!isObject(placeVisit) && !isObject(activitySegment)) yield { left: "neither a visit nor a trip" };
}

/** Visits are nested no deeper than a shop in a mall in an airport. */
const LEVELS_MAX = 5;

function* semanticVisit(visit: JsonObject, level: number): Generator<FoundItem> {
  const duration = objectIn(visit, "duration");
  const [start, end] = [timeIn(duration, "startTimestamp"), timeIn(duration, "endTimestamp")];
  const own = objectIn(visit, "location");
  const [candidate = {}] = objectsIn(visit, "otherCandidateLocations");
  const isNamed = ["placeId", "name", "address"].some((name) => textIn(own, name) !== undefined);
  const location = isNamed || scaledPosition(own) !== undefined ? own : candidate;
  const category = wordsOf(textIn(location, "semanticType")?.replace(/^TYPE_/, ""));
  const centre = { latE7: visit.centerLatE7 ?? null, lngE7: visit.centerLngE7 ?? null };
  if (start === undefined) yield { wrong: level === 0 ? "a visit without a start" : "a nested visit without a start" };
  else
    yield {
      stream: "visits",
      identity: `${start} ${level}`,
      fields: {
        start: formatInstant(start),
        end: end === undefined ? undefined : formatInstant(end),
        name: textIn(location, "name") ?? nameOf(category),
        address: textIn(location, "address"),
        ...(scaledPosition(location) ?? scaledPosition(centre)),
        place_id: idIn(location, "placeId"),
        category,
        level,
        confidence: confidenceOf(visit.visitConfidence, 100),
      },
    };
  if (level < LEVELS_MAX) for (const child of objectsIn(visit, "childVisits")) yield* semanticVisit(child, level + 1);
}

/** Exports from phones contain no place names. The owner's category for a place is better than nothing. */
const nameOf = (category: string | undefined): string | undefined =>
  category === undefined
    ? undefined
    : /\b(?:home|work)\b/.exec(category)?.[0].replace(/^./, (first) => first.toUpperCase());

function semanticTrip(segment: JsonObject): FoundItem {
  const duration = objectIn(segment, "duration");
  const [start, end] = [timeIn(duration, "startTimestamp"), timeIn(duration, "endTimestamp")];
  if (start === undefined) return { wrong: "a trip without a start" };
  const recorded = pointsIn(objectIn(segment, "simplifiedRawPath"), "points");
  const points = recorded.length > 0 ? recorded : pointsIn(objectIn(segment, "waypointPath"), "waypoints");
  const likely = objectsIn(segment, "activities").map((one) => textIn(one, "activityType"))[0];
  const metres = numberOf(segment.distance) ?? numberOf(objectIn(segment, "waypointPath").distanceMeters);
  return trip(start, end, points, {
    activity: wordsOf(textIn(segment, "activityType")) ?? wordsOf(likely),
    from: scaledPosition(objectIn(segment, "startLocation")),
    to: scaledPosition(objectIn(segment, "endLocation")),
    metres,
  });
}

function pointsIn(object: JsonObject, name: string): TrackPoint[] {
  return objectsIn(object, name).flatMap((point) => {
    const position = scaledPosition(point);
    const accuracy = numberOf(point.accuracyMeters);
    return position === undefined ? [] : [{ ...position, at: timeIn(point, "timestamp"), accuracy }];
  });
}

interface TripFacts {
  activity: string | undefined;
  from: { latitude: number; longitude: number } | undefined;
  to: { latitude: number; longitude: number } | undefined;
  metres: number | undefined;
  confidence?: number | undefined;
}

function trip(
  start: number,
  end: number | undefined,
  points: readonly TrackPoint[],
  { activity, from, to, metres, confidence }: TripFacts,
): FoundItem {
  const ends = points.length > 0 ? [] : [from, to].filter((one) => one !== undefined);
  const { distance_m, ...track } = trackOf([points.length > 0 ? points : ends]);
  return {
    stream: "trips",
    identity: String(start),
    fields: {
      ...track,
      ...from,
      point_count: points.length,
      start: formatInstant(start),
      end: end === undefined ? undefined : formatInstant(end),
      distance_m: metres !== undefined && metres >= 0 ? rounded(metres, 1) : distance_m,
      activity,
      end_latitude: to?.latitude,
      end_longitude: to?.longitude,
      confidence,
    },
  };
}

/** Reads a segment of a Timeline that a phone exported. */
export function* timelineItems(segment: JsonObject): Generator<FoundItem> {
  const [start, end] = [timeIn(segment, "startTime"), timeIn(segment, "endTime")];
  const { visit, activity, timelinePath, timelineMemory } = segment;
  if (start === undefined) yield { wrong: "a segment without a start" };
  else if (isObject(visit)) yield timelineVisit(visit, start, end);
  else if (isObject(activity)) yield timelineTrip(activity, start, end);
  else if (Array.isArray(timelinePath)) yield timelineStretch(segment, start, end);
  else if (timelineMemory !== undefined)
    yield { left: "a memory of a trip, which identifies places only by Google's ids" };
  else yield { left: "neither a visit nor a trip nor a path" };
}

function timelineVisit(visit: JsonObject, start: number, end: number | undefined): FoundItem {
  const candidate = objectIn(visit, "topCandidate");
  const category = wordsOf(textIn(candidate, "semanticType"));
  const level = countIn(visit, "hierarchyLevel") ?? 0;
  return {
    stream: "visits",
    identity: `${start} ${level}`,
    fields: {
      start: formatInstant(start),
      end: end === undefined ? undefined : formatInstant(end),
      name: textIn(candidate, "name") ?? nameOf(category),
      ...writtenPosition(candidate.placeLocation),
      place_id: textIn(candidate, "placeId") ?? textIn(candidate, "placeID"),
      category,
      level,
      confidence: confidenceOf(visit.probability ?? candidate.probability),
    },
  };
}

function timelineTrip(activity: JsonObject, start: number, end: number | undefined): FoundItem {
  const candidate = objectIn(activity, "topCandidate");
  return trip(start, end, [], {
    activity: wordsOf(textIn(candidate, "type")),
    from: writtenPosition(activity.start),
    to: writtenPosition(activity.end),
    metres: numberOf(activity.distanceMeters),
    confidence: confidenceOf(candidate.probability),
  });
}

const MINUTE_MS = 60_000;

function timelineStretch(segment: JsonObject, start: number, end: number | undefined): FoundItem {
  const points = objectsIn(segment, "timelinePath").flatMap((one): TrackPoint[] => {
    const position = writtenPosition(one.point);
    const minutes = numberOf(one.durationMinutesOffsetFromStartTime);
    const at = timeIn(one, "time") ?? (minutes === undefined ? undefined : start + minutes * MINUTE_MS);
    return position === undefined ? [] : [{ ...position, at }];
  });
  if (points.length === 0) return { left: "a path without positions" };
  return {
    stream: "positions",
    identity: `path ${start}`,
    fields: {
      ...trackOf([points]),
      name: dayName(start),
      start: formatInstant(start),
      end: end === undefined ? undefined : formatInstant(end),
    },
  };
}

/** A recorded position, from Records.json or from a phone's raw signals. */
function positionIn(value: JsonObject): LoggedPoint | undefined {
  const position = scaledPosition(value) ?? writtenPosition(value);
  const at = timeIn(value, "timestamp");
  if (position === undefined || at === undefined) return undefined;
  return {
    ...position,
    at,
    altitude: numberOf(value.altitude ?? value.altitudeMeters),
    accuracy: numberOf(value.accuracy ?? value.accuracyMeters),
  };
}

type Recorded = LoggedPoint | { left: string } | { wrong: string };

/** Returns a recorded position if the item is in a list of positions. */
export function recordedIn([list]: JsonPath, value: JsonObject): Recorded | undefined {
  if (list === "locations") return positionIn(value) ?? { wrong: "a position without coordinates or a time" };
  if (list !== "rawSignals") return undefined;
  if (!isObject(value.position)) return { left: "a signal without a position (Wi-Fi scan or activity)" };
  return positionIn(value.position) ?? { wrong: "a position without coordinates or a time" };
}
