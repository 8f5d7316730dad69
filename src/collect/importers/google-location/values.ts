// Parses times and positions in the formats that Google's location exports have used over the years.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { isObject, textIn } from "../json-fields.ts";
import { numberOf, positionOf } from "../track.ts";

type Position = { latitude: number; longitude: number };

const LATEST = Date.UTC(10_000, 0);
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Returns an instant in milliseconds, from ISO 8601 with an offset, seconds, or milliseconds under a name that ends in
 * Ms.
 */
export function timeIn(object: JsonObject, name: string): number | undefined {
  const exact = numberOf(object[`${name}Ms`]);
  const text = textIn(object, name);
  const [, day, clock, zone] = (text !== undefined && ISO.exec(text)) || [];
  const millis =
    exact ?? (day === undefined ? (numberOf(text) ?? Number.NaN) * 1000 : Date.parse(`${day}T${clock}${colon(zone!)}`));
  return millis >= 0 && millis < LATEST ? Math.floor(millis) : undefined;
}

const colon = (zone: string): string => (/^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone);

/** Some exports wrote negative numbers as unsigned 32-bit integers. */
const signed = (value: number, most: number): number => (value > most * 1e7 ? value - 2 ** 32 : value) / 1e7;

/** Reads `latitudeE7` and `longitudeE7`, or `latE7` and `lngE7`. */
export function scaledPosition(object: JsonObject): Position | undefined {
  const latitude = numberOf(object.latitudeE7 ?? object.latE7);
  const longitude = numberOf(object.longitudeE7 ?? object.lngE7);
  return latitude === undefined || longitude === undefined
    ? undefined
    : positionOf(signed(latitude, 90), signed(longitude, 180));
}

const POSITION_TEXT =
  /^(?:geo:)?\s*(-?\d{1,3}(?:\.\d{1,16})?)\s*°?\s*([NS]?)\s*,\s*(-?\d{1,3}(?:\.\d{1,16})?)\s*°?\s*([EW]?)\s*$/;

/** Reads `geo:27.72,-97.34`, `50.05°, 14.34°` or `40.71°N, 74.00°W`, also inside `latLng` or `LatLng`. */
export function writtenPosition(value: JsonValue | undefined): Position | undefined {
  const text = isObject(value) ? (value.latLng ?? value.LatLng) : value;
  const [, north, south, east, west] = (typeof text === "string" && POSITION_TEXT.exec(text)) || [];
  if (north === undefined || east === undefined) return undefined;
  return positionOf(Number(north) * (south === "S" ? -1 : 1), Number(east) * (west === "W" ? -1 : 1));
}

/** `IN_PASSENGER_VEHICLE` → `in passenger vehicle`. Returns undefined for unknown. */
export function wordsOf(text: string | undefined): string | undefined {
  const words = text?.toLowerCase().replaceAll("_", " ").trim().slice(0, 200);
  return words === undefined || /^(?:|unknown|unknown activity type|unknown semantic type|type unknown)$/.test(words)
    ? undefined
    : words;
}

/** Returns 0 to 1. Percentages are converted. */
export function confidenceOf(value: JsonValue | undefined, whole = 1): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 0 || number > whole ? undefined : Number((number / whole).toFixed(4));
}
