// The place of a record: its name or its position.
import { type KindItem, namesOf, numberOf, textOf } from "./item.ts";

export function placeName(item: KindItem): string | undefined {
  if (item.roles["place.name"] !== undefined) return textOf(item, "place.name");
  return item.roles.place === undefined ? undefined : namesOf(item, "place")[0];
}

/** Returns the name, otherwise the position. */
export function placeWords(item: KindItem): string | undefined {
  const [latitude, longitude] = [numberOf(item, "place.latitude"), numberOf(item, "place.longitude")];
  const position =
    latitude === undefined || longitude === undefined ? undefined : `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;
  return placeName(item) ?? position;
}
