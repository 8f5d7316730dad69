// Web Mercator: positions on earth as points in a square with side 1, north up.

export interface WorldPoint {
  /** 0 at 180° west, 1 at 180° east. */
  x: number;
  /** 0 in the north, 1 in the south. */
  y: number;
}

/** The highest latitude that a square map shows. */
const LATITUDE_MAX = 85.0511;
/** The width of the world in pixels at zoom 0, as is usual for web maps. */
const WORLD_PIXELS = 256;

export const worldX = (longitude: number): number => longitude / 360 + 0.5;

export function worldY(latitude: number): number {
  const sine = Math.sin((Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export const longitudeAt = (x: number): number => (x - 0.5) * 360;
export const latitudeAt = (y: number): number => (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;

/** The width of the world in pixels at this zoom. */
export const worldSize = (zoom: number): number => WORLD_PIXELS * 2 ** zoom;
