// The place of a record: its name, otherwise the nearest city, otherwise its position.
import { nearestCity } from "../map/cities.ts";
import { type KindItem, namesOf, numberOf, textOf } from "./item.ts";

export function placeName(item: KindItem): string | undefined {
  if (item.roles["place.name"] !== undefined) return textOf(item, "place.name");
  return item.roles.place === undefined ? undefined : namesOf(item, "place")[0];
}

/** Returns, for example, `Near Dublin`, or the position if no city is near. */
export function nearPlace(item: KindItem): string | undefined {
  const [latitude, longitude] = [numberOf(item, "place.latitude"), numberOf(item, "place.longitude")];
  if (latitude === undefined || longitude === undefined) return undefined;
  const city = nearestCity(latitude, longitude);
  return city === undefined ? positionWords(latitude, longitude) : `Near ${city}`;
}

export const placeWords = (item: KindItem): string | undefined => placeName(item) ?? nearPlace(item);

/** Two decimal places are about a kilometre, which is enough to find the place on a map. */
const positionWords = (latitude: number, longitude: number): string =>
  `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? "S" : "N"}, ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? "W" : "E"}`;
