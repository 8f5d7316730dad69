// GeoJSON from logs and maps, Overland batches, and Polarsteps locations.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import { isObject, objectIn, textIn } from "../json-fields.ts";
import { type JsonPath, jsonItemRuns } from "../json-items.ts";
import { numberOf, positionOf, type TrackPoint } from "../track.ts";
import { activityOf, type TrackItem, timeOf, wordsOf } from "./item.ts";

const LISTS = new Set<unknown>(["features", "locations"]);
const inList = (path: JsonPath): boolean => path.length === 2 && LISTS.has(path[0]) && typeof path[1] === "number";

/** `isWhole` means that the file is a single feature, not a list of features. */
export async function* geojsonItems(entry: Entry, isWhole: boolean): AsyncGenerator<TrackItem> {
  for await (const items of jsonItemRuns(entry, isWhole ? (path) => path.length === 0 : inList)) {
    for (const item of items) {
      const { offset } = item;
      if ("problem" in item) yield { problem: item.problem, offset };
      else if (!isObject(item.value)) yield { problem: "it is not an object", offset };
      else for (const found of featureItems(item.value)) yield { ...found, offset };
    }
  }
}

type Found = TrackItem extends infer Item ? (Item extends TrackItem ? Omit<Item, "offset"> : never) : never;

function* featureItems(feature: JsonObject): Generator<Found> {
  const { geometry } = feature;
  if (isObject(geometry)) yield* geometryItems(geometry, objectIn(feature, "properties"), 0);
  else if (feature.lat !== undefined || feature.latitude !== undefined) yield plainLocation(feature);
  else if (Array.isArray(feature.coordinates)) yield* geometryItems(feature, {}, 0);
  else yield { left: "an entry without a position" };
}

/** Reads `{lat, lon, time}`. */
function plainLocation(location: JsonObject): Found {
  const position = positionOf(
    numberOf(location.lat ?? location.latitude),
    numberOf(location.lon ?? location.lng ?? location.longitude),
  );
  const at = timeIn(location);
  if (position === undefined || at === undefined) return { problem: "a location without a position or a time" };
  return { logged: { ...position, at, ...measuresIn(location) } };
}

const COLLECTIONS_MAX = 5;

function* geometryItems(geometry: JsonObject, properties: JsonObject, depth: number): Generator<Found> {
  const { type, coordinates } = geometry;
  if (type === "Point") yield pointItem(coordinates, properties);
  else if (type === "MultiPoint" && Array.isArray(coordinates)) {
    for (const one of coordinates) yield pointItem(one, properties);
  } else if (type === "LineString") yield lineItem([coordinates], properties);
  else if (type === "MultiLineString" && Array.isArray(coordinates)) yield lineItem(coordinates, properties);
  else if (type === "GeometryCollection" && Array.isArray(geometry.geometries) && depth < COLLECTIONS_MAX) {
    for (const one of geometry.geometries) if (isObject(one)) yield* geometryItems(one, properties, depth + 1);
  } else yield { left: "an area, not a place or a track" };
}

const TIMES = ["timestamp", "time", "datetime", "date", "when", "recorded_at", "time_long", "tst", "created_at"];
const timeIn = (properties: JsonObject): number | undefined => {
  for (const name of TIMES) {
    const at = timeOf(properties[name]);
    if (at !== undefined) return at;
  }
  return undefined;
};

const firstNumber = (properties: JsonObject, names: readonly string[]): number | undefined =>
  names.map((name) => numberOf(properties[name])).find((value) => value !== undefined);

const measuresIn = (properties: JsonObject): Pick<TrackPoint, "altitude" | "accuracy"> => ({
  altitude: firstNumber(properties, ["altitude", "alt", "height", "ele"]),
  accuracy: firstNumber(properties, ["accuracy", "horizontal_accuracy", "acc", "precision"]),
});

function positionIn(value: JsonValue | undefined): TrackPoint | undefined {
  if (!Array.isArray(value)) return undefined;
  const [longitude, latitude, altitude] = value.map(numberOf);
  const position = positionOf(latitude, longitude);
  return position && { ...position, ...(altitude === undefined ? {} : { altitude }) };
}

/** A point with a name is a place. A point with only a time is a position in a log. */
function pointItem(coordinates: JsonValue | undefined, properties: JsonObject): Found {
  const position = positionIn(coordinates);
  if (position === undefined) return { problem: "a point without a position" };
  const at = timeIn(properties);
  const location = objectIn(properties, "location");
  const name = firstText(properties, ["name", "title", "Title"]) ?? textIn(location, "name");
  const url = firstText(properties, ["google_maps_url", "url", "Google Maps URL"]);
  const { altitude: noted, ...measures } = measuresIn(properties);
  const altitude = position.altitude ?? noted;
  if (at !== undefined && name === undefined && url === undefined) {
    return { logged: { ...position, ...measures, altitude, at } };
  }
  const facts = {
    name,
    description: firstText(properties, ["description", "desc", "comment"]) ?? textIn(location, "address"),
    time: at === undefined ? undefined : new Date(at).toISOString(),
    latitude: position.latitude,
    longitude: position.longitude,
    altitude,
    url,
  };
  return { stream: "places", facts };
}

const firstText = (properties: JsonObject, names: readonly string[]): string | undefined =>
  names.map((name) => wordsOf(properties[name])).find((text) => text !== undefined);

function lineItem(lines: readonly (JsonValue | undefined)[], properties: JsonObject): Found {
  const noted = properties.coordTimes ?? objectIn(properties, "coordinateProperties").times;
  const times = Array.isArray(noted) ? (lines.length > 1 ? noted : [noted]) : [];
  const segments = lines.map((line, index) => {
    const own = times[index];
    const at = (place: number): number | undefined => (Array.isArray(own) ? timeOf(own[place]) : undefined);
    return (Array.isArray(line) ? line : []).flatMap((one, place) => {
      const position = positionIn(one);
      return position === undefined ? [] : [{ ...position, at: at(place) }];
    });
  });
  if (segments.every((line) => line.length === 0)) return { problem: "a line without positions" };
  const start = timeIn(properties);
  const isTimed = segments.some((line) => line.some(({ at }) => at !== undefined));
  const facts = {
    name: firstText(properties, ["name", "title"]),
    description: firstText(properties, ["description", "desc"]),
    activity: activityOf(properties.activity ?? properties.type),
    ...(isTimed || start === undefined ? {} : { start: new Date(start).toISOString() }),
  };
  return { segments, stream: "tracks", facts };
}
