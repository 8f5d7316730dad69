// A window of the map as SVG: land, names of cities, lines of tracks, and whatever is on it.
import { html, raw } from "hono/html";
import type { WorldPoint } from "../../../core/mercator.ts";
import type { Html } from "../layout.ts";
import { landPath } from "./base-map.ts";
import { cityLabels } from "./cities.ts";
import { type MapWindow, pixelOf, scaleOf } from "./map-window.ts";

/** Land and names; the sea is the background. */
export function mapGround(window: MapWindow): Html {
  const labels = cityLabels(window);
  return html`<path class="map-land" d="${landPath(window)}"/><g class="map-cities" aria-hidden="true">${labels.map(
    ({ name, left, top }) =>
      html`<circle cx="${left}" cy="${top}" r="2.5"/><text x="${left + 6}" y="${top + 4}">${name}</text>`,
  )}</g>`;
}

/** The segments of one track as the data of a path. */
export function linePath(window: MapWindow, lines: readonly (readonly WorldPoint[])[]): string {
  return lines
    .map(
      (line) =>
        `M${line
          .map((point) =>
            pixelOf(window, point)
              .map((value) => Math.round(value * 2) / 2)
              .join(" "),
          )
          .join("L")}`,
    )
    .join("");
}

/** The real length of a line on the map. */
export function mapScale(window: MapWindow): Html {
  const { pixels, metres } = scaleOf(window, 120);
  const [right, bottom] = [window.width - 24, window.height - 20];
  const words = metres < 1000 ? `${metres} m` : `${metres / 1000} km`;
  return html`<g class="map-scale" aria-hidden="true"><path d="M${Math.round(right - pixels)} ${bottom - 5}v5H${right}v-5"/><text x="${right}" y="${bottom - 8}">${words}</text></g>`;
}

export const mapFrame = ({ width, height }: MapWindow): Html =>
  raw(`viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice"`);
