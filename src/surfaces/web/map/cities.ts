// City names on the map, largest first, without overlaps.
import { readFileSync } from "node:fs";
import { worldX, worldY } from "../../../core/mercator.ts";
import { type MapWindow, pixelOf } from "./map-window.ts";

interface City {
  name: string;
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
 * 8,713 cities with more than 50,000 people, from GeoNames (CC BY 4.0), sorted by size. The file is beside this module.
 */
function cities(): City[] {
  known ??= readFileSync(new URL("cities.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [name, latitude, longitude] = line.split("\t") as [string, string, string];
      return { name, x: worldX(Number(longitude)), y: worldY(Number(latitude)) };
    });
  return known;
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
