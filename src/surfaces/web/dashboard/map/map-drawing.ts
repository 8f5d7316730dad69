// Draws the map page: clusters that zoom in, single records and pictures that link to their pages, and tracks as lines.
import { html } from "hono/html";
import type { Kind } from "../../../../contract/kinds.ts";
import { MAP_ZOOM_MAX } from "../../../../contract/map.ts";
import { KIND_NOUNS } from "../../../../core/kind-nouns.ts";
import { worldX, worldY } from "../../../../core/mercator.ts";
import { countOf } from "../../format.ts";
import { pictureOf } from "../../kinds/files.ts";
import type { Html } from "../../layout.ts";
import { linePath, mapFrame, mapGround, mapScale } from "../../map/drawing.ts";
import { pixelOf, windowAt } from "../../map/map-window.ts";
import { recordAddress } from "../explore/addresses.ts";
import type { MapMark, MapPage } from "./map.ts";
import { MAP_SIZE, mapAddress } from "./state.ts";

export function drawing(view: MapPage): Html {
  const { window, tracks, clusters, state } = view;
  const { x, y, zoom } = window;
  return html`<svg class="map" ${mapFrame(window)} role="group" aria-label="Map" data-map data-x="${x}" data-y="${y}" data-zoom="${zoom}"><g data-map-ground>${mapGround(window)}
<g class="map-tracks">${tracks.map((track) => html`<a href="${recordAddress(track)}" aria-label="A track" tabindex="-1"><path d="${linePath(window, track.lines)}"/></a>`)}</g>
<g class="map-points">${[...clusters].reverse().map((cluster) => mark(cluster, view, mapAddress(state.pairs, closer(cluster, zoom))))}</g></g>${mapScale(window)}</svg>`;
}

const closer = ({ latitude, longitude }: MapMark, zoom: number) =>
  windowAt({ latitude, longitude }, zoom + 2, MAP_SIZE);

/** The side length of a picture, and the distance below which it would hide its neighbours. */
const PICTURE = 46;

function mark(cluster: MapMark, { window }: MapPage, closerHref: string): Html {
  const { latitude, longitude, count, newest, photo } = cluster;
  const [left, top] = pixelOf(window, { x: worldX(longitude), y: worldY(latitude) }).map(Math.round) as [
    number,
    number,
  ];
  const isOne = count === 1 || window.zoom === MAP_ZOOM_MAX;
  const href = isOne ? recordAddress(newest) : closerHref;
  const content = isOne ? (photo?.title ?? kindsOf(cluster)) : `${kindsOf(cluster)}: closer`;
  // The accessible name starts with the visible number, so that it works with voice control.
  const words = count === 1 ? content : `${short(count)} here: ${content}`;
  const picture = photo && pictureOf(photo, "thumbnail", "picture");
  const go = isOne ? "" : html` data-map-go`;
  if (picture !== undefined) {
    const half = PICTURE / 2;
    return html`<a class="map-photo" href="${href}" aria-label="${words}"${go}><rect x="${left - half - 2}" y="${top - half - 2}" width="${PICTURE + 4}" height="${PICTURE + 4}" rx="9"/><svg x="${left - half}" y="${top - half}" width="${PICTURE}" height="${PICTURE}"><image href="${picture.href}" width="${PICTURE}" height="${PICTURE}" preserveAspectRatio="xMidYMid slice"/></svg>${count === 1 ? "" : badge(left + half, top - half, count)}</a>`;
  }
  const radius = count === 1 ? 6 : Math.round(11 + Math.min(13, Math.log2(count) * 1.6));
  return html`<a class="map-cluster${count === 1 ? " one" : ""}" href="${href}" aria-label="${words}"${go}><circle cx="${left}" cy="${top}" r="${radius}"/>${count === 1 ? "" : html`<text x="${left}" y="${top + 4}">${short(count)}</text>`}</a>`;
}

const badge = (left: number, top: number, count: number): Html =>
  html`<g class="map-badge"><circle cx="${left}" cy="${top}" r="${count > 99 ? 14 : 11}"/><text x="${left}" y="${top + 4}">${short(count)}</text></g>`;

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const short = (count: number): string => COMPACT.format(count);

function kindsOf({ kinds }: MapMark): string {
  return Object.entries(kinds)
    .map(([kind, count]) => countOf(count, KIND_NOUNS[kind as Kind]))
    .join(", ");
}
