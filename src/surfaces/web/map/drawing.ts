// A window of the map as SVG: land, city names, track lines, and anything drawn on it.
import { html, raw } from "hono/html";
import type { WorldPoint } from "../../../core/mercator.ts";
import type { Html } from "../layout.ts";
import { landPath } from "./base-map.ts";
import { cityLabels } from "./cities.ts";
import { type MapWindow, pixelOf, scaleOf } from "./map-window.ts";

/** Draws land and names. The sea is the background. */
export function mapGround(window: MapWindow): Html {
  const labels = cityLabels(window);
  return html`<path class="map-land" d="${landPath(window)}"/><g class="map-cities" aria-hidden="true">${labels.map(
    ({ name, left, top }) =>
      html`<circle cx="${left}" cy="${top}" r="2.5"/><text x="${left + 6}" y="${top + 4}">${name}</text>`,
  )}</g>`;
}

/** Returns the segments of one track as SVG path data. */
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

/** Draws a scale bar with its real length, in the middle, because a narrow screen crops both sides of the map. */
export function mapScale(window: MapWindow): Html {
  const { pixels, metres } = scaleOf(window, 120);
  const [middle, bottom] = [Math.round(window.width / 2), window.height - 20];
  const words = metres < 1000 ? `${metres} m` : `${metres / 1000} km`;
  return html`<g class="map-scale" aria-hidden="true"><path d="M${middle - Math.round(pixels / 2)} ${bottom - 5}v5h${Math.round(pixels)}v-5"/><text x="${middle}" y="${bottom - 8}">${words}</text></g>`;
}

export const mapFrame = ({ width, height }: MapWindow): Html =>
  raw(`viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice"`);
