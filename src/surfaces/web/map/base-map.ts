// The base map that ships with the server: Natural Earth countries, drawn into a window as one SVG path (0053).
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { worldSize } from "../../../core/mercator.ts";
import type { MapWindow } from "./map-window.ts";

/** One outline in world coordinates, with x and y alternating. */
interface Ring {
  points: Float64Array;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Detail = "far" | "near";
/** At this zoom and above, the coarser outlines are visibly wrong. */
const NEAR_ZOOM = 5;
/** Coordinate steps per side of the world, as in scripts/base-map.js, which generates the files. */
const STEPS = { far: 2 ** 16, near: 2 ** 19 };
const loaded = new Map<Detail, Ring[]>();

/** Loaded when a map is first drawn. This takes 10 ms, and 8 MB of memory for the detailed outlines. */
function outlines(zoom: number): Ring[] {
  const detail = zoom < NEAR_ZOOM ? "far" : "near";
  const known = loaded.get(detail);
  if (known !== undefined) return known;
  const rings = unpacked(
    gunzipSync(readFileSync(new URL(`countries-${detail}.bin.gz`, import.meta.url))),
    STEPS[detail],
  );
  loaded.set(detail, rings);
  return rings;
}

/**
 * The format is the number of points, then the step from each point to the next, with seven bits per byte and the sign
 * in the lowest bit.
 */
function unpacked(bytes: Uint8Array, steps: number): Ring[] {
  let at = 0;
  const number = (): number => {
    let [value, unit] = [0, 1];
    for (; bytes[at]! > 127; unit *= 128) value += (bytes[at++]! - 128) * unit;
    return value + bytes[at++]! * unit;
  };
  const signed = (): number => {
    const value = number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const rings: Ring[] = [];
  while (at < bytes.length) {
    const ring = { points: new Float64Array(number() * 2), left: 1, top: 1, right: 0, bottom: 0 };
    let [x, y] = [0, 0];
    for (let index = 0; index < ring.points.length; index += 2) {
      x += signed() / steps;
      y += signed() / steps;
      ring.points[index] = x;
      ring.points[index + 1] = y;
      ring.left = Math.min(ring.left, x);
      ring.right = Math.max(ring.right, x);
      ring.top = Math.min(ring.top, y);
      ring.bottom = Math.max(ring.bottom, y);
    }
    rings.push(...joined(ring));
  }
  return rings;
}

/**
 * An outline that crosses the edge of the world continues beyond it and is drawn at both edges. Otherwise a line would
 * run across the map.
 */
function joined(ring: Ring): Ring[] {
  const points = ring.points.slice();
  let turns = 0;
  let crosses = false;
  for (let index = 2; index < points.length; index += 2) {
    const step = points[index]! + turns - points[index - 2]!;
    if (Math.abs(step) > 0.5) {
      turns -= Math.sign(step);
      crosses = true;
    }
    points[index]! += turns;
  }
  // The outline of Antarctica goes around the whole world, along the edge of the map.
  if (!crosses || turns !== 0) return [ring];
  return [-1, 0, 1].map((away) => moved(points, away)).filter(({ left, right }) => left < 1 && right > 0);
}

function moved(points: Float64Array, away: number): Ring {
  const ring = { points: points.slice(), left: Infinity, top: 1, right: -Infinity, bottom: 0 };
  for (let index = 0; index < points.length; index += 2) {
    const [x, y] = [points[index]! + away, points[index + 1]!];
    ring.points[index] = x;
    ring.left = Math.min(ring.left, x);
    ring.right = Math.max(ring.right, x);
    ring.top = Math.min(ring.top, y);
    ring.bottom = Math.max(ring.bottom, y);
  }
  return ring;
}

/** How far outlines extend beyond the window, so that no line runs along its edge. */
const MARGIN = 8;
/** In pixels. Points closer to the previous one, and smaller islands, would not be visible. */
const STEP = 1.5;

/** Returns the land in a window, in whole pixels and relative steps, which is a few dozen kilobytes at most. */
export function landPath(window: MapWindow): string {
  const size = worldSize(window.zoom);
  const [toLeft, toTop] = [window.x * size - window.width / 2, window.y * size - window.height / 2];
  const edges = {
    left: (toLeft - MARGIN) / size,
    right: (toLeft + window.width + MARGIN) / size,
    top: (toTop - MARGIN) / size,
    bottom: (toTop + window.height + MARGIN) / size,
  };
  let path = "";
  for (const ring of outlines(window.zoom)) {
    const isOutside =
      ring.right < edges.left || ring.left > edges.right || ring.bottom < edges.top || ring.top > edges.bottom;
    if (isOutside || Math.max(ring.right - ring.left, ring.bottom - ring.top) * size < STEP * 1.5) continue;
    path += stepsOf(clipped(ring, edges), size, toLeft, toTop);
  }
  return path;
}

type Edges = Pick<Ring, "left" | "right" | "top" | "bottom">;

function clipped(ring: Ring, edges: Edges): Float64Array | number[] {
  const isInside =
    ring.left >= edges.left && ring.right <= edges.right && ring.top >= edges.top && ring.bottom <= edges.bottom;
  if (isInside) return ring.points;
  let points: Float64Array | number[] = ring.points;
  points = cutAt(points, 0, edges.left, 1);
  points = cutAt(points, 0, edges.right, -1);
  points = cutAt(points, 1, edges.top, 1);
  return cutAt(points, 1, edges.bottom, -1);
}

/** Sutherland–Hodgman: clips to one side of a line. `axis` 0 is x, and `side` 1 keeps larger values. */
function cutAt(points: Float64Array | number[], axis: 0 | 1, at: number, side: 1 | -1): number[] {
  const kept: number[] = [];
  const { length } = points;
  for (let index = 0; index < length; index += 2) {
    const before = index === 0 ? length - 2 : index - 2;
    const [x, y, fromX, fromY] = [points[index]!, points[index + 1]!, points[before]!, points[before + 1]!];
    const [here, there] = axis === 0 ? [x, fromX] : [y, fromY];
    const [isIn, wasIn] = [(here - at) * side >= 0, (there - at) * side >= 0];
    if (isIn !== wasIn) {
      const part = (at - there) / (here - there);
      kept.push(fromX + (x - fromX) * part, fromY + (y - fromY) * part);
    }
    if (isIn) kept.push(x, y);
  }
  return kept;
}

function stepsOf(points: Float64Array | number[], size: number, toLeft: number, toTop: number): string {
  let path = "";
  let [lastX, lastY, steps] = [0, 0, 0];
  for (let index = 0; index < points.length; index += 2) {
    const [x, y] = [Math.round(points[index]! * size - toLeft), Math.round(points[index + 1]! * size - toTop)];
    if (steps > 0 && Math.abs(x - lastX) + Math.abs(y - lastY) < STEP) continue;
    path += steps === 0 ? `M${x} ${y}l` : `${apart(x - lastX, steps > 1)}${apart(y - lastY, true)}`;
    [lastX, lastY] = [x, y];
    steps++;
  }
  return steps < 3 ? "" : `${path}z`;
}

/** A minus sign separates two numbers just as a space does. */
const apart = (value: number, isNext: boolean): string => `${isNext && value >= 0 ? " " : ""}${value}`;
