// The part of the world that a map shows: its centre, its zoom, and positions in pixels.
import { MAP_ZOOM_MAX } from "../../../contract/map.ts";
import { latitudeAt, longitudeAt, type WorldPoint, worldSize, worldX, worldY } from "../../../core/mercator.ts";

export interface MapWindow {
  /** The centre in world coordinates. */
  x: number;
  y: number;
  zoom: number;
  /** The size in pixels. */
  width: number;
  height: number;
}

export interface MapBox {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** Returns the smallest zoom at which the world fills a window, so that the world is shown only once. */
const zoomMin = (width: number): number => Math.ceil(Math.log2(width / worldSize(0)));

/** Returns a window around a centre, moved so that it stays within the world. */
export function windowAt(
  middle: { latitude: number; longitude: number },
  zoom: number,
  size: Pick<MapWindow, "width" | "height">,
): MapWindow {
  const whole = Math.round(Math.min(MAP_ZOOM_MAX, Math.max(zoomMin(size.width), zoom)));
  const [halfWide, halfHigh] = [size.width / 2 / worldSize(whole), size.height / 2 / worldSize(whole)];
  const x = Math.min(1 - halfWide, Math.max(halfWide, worldX(middle.longitude)));
  const y = Math.min(1 - halfHigh, Math.max(halfHigh, worldY(middle.latitude)));
  return { x, y, zoom: whole, ...size };
}

/** A phone shows only the middle of a window, so important points must be within this share of it. */
const INNER = { width: 0.5, height: 0.75 };
/** At a closer zoom, a single place would have no surroundings. */
const FIT_ZOOM_MAX = 12;

export function windowAround(box: MapBox, size: Pick<MapWindow, "width" | "height">): MapWindow {
  const [left, right, top, bottom] = [worldX(box.west), worldX(box.east), worldY(box.north), worldY(box.south)];
  const fits = (length: number, pixels: number): number =>
    length <= 0 ? FIT_ZOOM_MAX : Math.log2(pixels / length / worldSize(0));
  const zoom = Math.min(
    FIT_ZOOM_MAX,
    Math.floor(fits(right - left, size.width * INNER.width)),
    Math.floor(fits(bottom - top, size.height * INNER.height)),
  );
  const middle = { latitude: latitudeAt((top + bottom) / 2), longitude: longitudeAt((left + right) / 2) };
  return windowAt(middle, zoom, size);
}

export const middleOf = ({ x, y }: MapWindow) => ({ latitude: latitudeAt(y), longitude: longitudeAt(x) });

export function boxOf({ x, y, zoom, width, height }: MapWindow): MapBox {
  const [halfWide, halfHigh] = [width / 2 / worldSize(zoom), height / 2 / worldSize(zoom)];
  const within = (value: number, most: number): number => Math.min(most, Math.max(-most, value));
  return {
    south: within(latitudeAt(y + halfHigh), 90),
    north: within(latitudeAt(y - halfHigh), 90),
    west: within(longitudeAt(x - halfWide), 180),
    east: within(longitudeAt(x + halfWide), 180),
  };
}

/** Returns the distance in pixels from the upper left corner. */
export function pixelOf({ x, y, zoom, width, height }: MapWindow, point: WorldPoint): [number, number] {
  const size = worldSize(zoom);
  return [(point.x - x) * size + width / 2, (point.y - y) * size + height / 2];
}

/** Returns the same window, moved by fractions of its size or zoomed. */
export function movedWindow(window: MapWindow, by: { right?: number; down?: number; closer?: number }): MapWindow {
  const { zoom, width, height } = window;
  const { right = 0, down = 0, closer = 0 } = by;
  const middle = {
    longitude: longitudeAt(window.x + (right * width) / worldSize(zoom)),
    latitude: latitudeAt(window.y + (down * height) / worldSize(zoom)),
  };
  return windowAt(middle, zoom + closer, { width, height });
}

const EARTH_METRES = 40_075_016.7;

/** Returns a round length for the scale bar, at most this many pixels long. */
export function scaleOf(window: MapWindow, most: number): { pixels: number; metres: number } {
  const perPixel = (EARTH_METRES * Math.cos((latitudeAt(window.y) * Math.PI) / 180)) / worldSize(window.zoom);
  const room = perPixel * most;
  const power = 10 ** Math.floor(Math.log10(room));
  const metres = ([5, 2, 1].find((step) => step * power <= room) ?? 1) * power;
  return { metres, pixels: metres / perPixel };
}
