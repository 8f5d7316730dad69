// The map on a record's page, which shows its place or its track.
import { html } from "hono/html";
import { latitudeAt, longitudeAt, type WorldPoint, worldSize, worldX, worldY } from "../../../core/mercator.ts";
import { fewPoints } from "../../../core/track-line.ts";
import { mapAddress } from "../dashboard/map/state.ts";
import { type KindItem, numberOf, textOf } from "../kinds/item.ts";
import type { Html } from "../layout.ts";
import { linePath, mapFrame, mapGround, mapScale } from "./drawing.ts";
import { type MapWindow, pixelOf, windowAround } from "./map-window.ts";

export interface SmallMap {
  window: MapWindow;
  point?: WorldPoint;
  lines: WorldPoint[][];
}

const SIZE = { width: 720, height: 256 };
/** Tracks are simplified to one pixel at this zoom, which a small map never exceeds. */
const LINE_ZOOM = 14;

/** Returns a map for a record with a position, otherwise undefined. */
export function placeOnMap(item: KindItem): SmallMap | undefined {
  const [latitude, longitude] = [numberOf(item, "place.latitude"), numberOf(item, "place.longitude")];
  const path = item.kind === "file" ? undefined : textOf(item, "path");
  const lines = path === undefined ? [] : fewPoints(path, 1 / worldSize(LINE_ZOOM));
  const isPlaced =
    latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const point = isPlaced ? { x: worldX(longitude), y: worldY(latitude) } : undefined;
  const all = [...lines.flat(), ...(point === undefined ? [] : [point])];
  if (all.length === 0) return undefined;
  const window = windowAround(boxAround(all), SIZE);
  return { window, lines, ...(point === undefined ? {} : { point }) };
}

function boxAround(points: readonly WorldPoint[]) {
  const edge = (of: keyof WorldPoint, least: boolean): number =>
    points.reduce((best, point) => (least ? Math.min(best, point[of]) : Math.max(best, point[of])), points[0]![of]);
  return {
    west: longitudeAt(edge("x", true)),
    east: longitudeAt(edge("x", false)),
    north: latitudeAt(edge("y", true)),
    south: latitudeAt(edge("y", false)),
  };
}

export function smallMap({ window, point, lines }: SmallMap, { title }: KindItem): Html {
  const [left, top] = point === undefined ? [] : pixelOf(window, point).map(Math.round);
  return html`<figure class="map-room"><a href="${mapAddress([], window)}"><svg class="map small" ${mapFrame(window)} role="img" aria-label="${title} on the map">${mapGround(window)}<g class="map-tracks">${lines.length === 0 ? "" : html`<path d="${linePath(window, lines)}"/>`}</g>${
    left === undefined ? "" : html`<g class="map-cluster"><circle cx="${left}" cy="${top}" r="7"/></g>`
  }${mapScale(window)}</svg></a></figure>`;
}
