// City names: the labels on the map, largest first, without overlaps, and the city nearest to a position.
import { readFileSync } from "node:fs";
import { worldX, worldY } from "../../../core/mercator.ts";
import { type MapWindow, pixelOf } from "./map-window.ts";

interface City {
  name: string;
  latitude: number;
  longitude: number;
  x: number;
  y: number;
}

export interface CityLabel {
  name: string;
  left: number;
  top: number;
}

let known: City[] | undefined;

/**
 * 8,713 cities with more than 50,000 people, from GeoNames (CC BY 4.0), sorted by size. The file is next to this
 * module.
 */
function cities(): City[] {
  known ??= readFileSync(new URL("cities.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [name, ...position] = line.split("\t") as [string, string, string];
      const [latitude, longitude] = position.map(Number) as [number, number];
      return { name, latitude, longitude, x: worldX(longitude), y: worldY(latitude) };
    });
  return known;
}

/** Farther away, the name of a city says little about a place. */
const NEAR_KM = 20;
const KM_PER_DEGREE = 111.2;

export function nearestCity(latitude: number, longitude: number): string | undefined {
  // Over such short distances the surface is flat, and a degree of longitude is shorter by the cosine of the latitude.
  const shrink = Math.cos((latitude * Math.PI) / 180);
  let [nearest, least]: [string | undefined, number] = [undefined, (NEAR_KM / KM_PER_DEGREE) ** 2];
  for (const city of cities()) {
    const east = Math.abs(city.longitude - longitude);
    const distance = (city.latitude - latitude) ** 2 + (Math.min(east, 360 - east) * shrink) ** 2;
    if (distance < least) [nearest, least] = [city.name, distance];
  }
  return nearest;
}

/** The maximum number of labels in a window, and the space that each needs in pixels. */
const MOST = 28;
const ROOM = { character: 7, height: 22 };

export function cityLabels(window: MapWindow): CityLabel[] {
  const labels: (CityLabel & { right: number })[] = [];
  for (const { name, x, y } of cities()) {
    const [left, top] = pixelOf(window, { x, y });
    const right = left + 10 + name.length * ROOM.character;
    if (left < 0 || top < 12 || top > window.height || right > window.width) continue;
    const isTaken = labels.some(
      (other) => left < other.right + 12 && right > other.left - 12 && Math.abs(top - other.top) < ROOM.height,
    );
    if (isTaken) continue;
    labels.push({ name, left: Math.round(left), top: Math.round(top), right });
    if (labels.length === MOST) break;
  }
  return labels;
}
