// A track's line as drawn on a map: its recorded points, without those that coincide with the previous point.
import { type WorldPoint, worldX, worldY } from "./mercator.ts";

/**
 * Reads segments of points on the square map from lines of `time,latitude,longitude,…`; an empty line ends a segment.
 */
function trackLines(path: string, tolerance: number): WorldPoint[][] {
  const lines: WorldPoint[][] = [];
  let line: WorldPoint[] = [];
  let skipped: WorldPoint | undefined;
  const end = (): void => {
    if (skipped !== undefined) line.push(skipped);
    skipped = undefined;
    if (line.length > 0) lines.push(line);
    line = [];
  };
  for (const text of path.split("\n")) {
    if (text.trim() === "") {
      end();
      continue;
    }
    const [, latitude, longitude] = text.split(",", 3);
    const [north, east] = [numberIn(latitude), numberIn(longitude)];
    // Skips anything that is not a position on earth, including NaN.
    if (!(Math.abs(north) <= 90 && Math.abs(east) <= 180)) continue;
    const point = { x: worldX(east), y: worldY(north) };
    const last = line.at(-1);
    if (last !== undefined && Math.hypot(point.x - last.x, point.y - last.y) < tolerance) skipped = point;
    else {
      line.push(point);
      skipped = undefined;
    }
  }
  end();
  return lines;
}

const numberIn = (cell: string | undefined): number =>
  cell === undefined || cell.trim() === "" ? Number.NaN : Number(cell);

/** More points in one track could not be told apart on a page. */
const POINTS_OF_ONE = 800;

/** Simplifies the line until it has few enough points. */
export function fewPoints(path: string, tolerance: number): WorldPoint[][] {
  for (let step = tolerance; ; step *= 2) {
    const lines = trackLines(path, step).filter((line) => line.length > 1);
    if (pointsIn(lines) <= POINTS_OF_ONE) return lines;
    // Many short segments remain at any resolution, so only the first ones are drawn.
    if (step > 1) return lines.slice(0, POINTS_OF_ONE / 2);
  }
}

export const pointsIn = (lines: readonly (readonly WorldPoint[])[]): number =>
  lines.reduce((sum, line) => sum + line.length, 0);
