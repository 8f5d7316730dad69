// The view of the map: the drawing with its controls, and the visible records next to it, newest first.
import { html, raw } from "hono/html";
import type { Kind } from "../../../../contract/kinds.ts";
import { mapScriptPath } from "../../assets.ts";
import { countOf, formatNumber } from "../../format.ts";
import type { KindFrame } from "../../kinds/item.ts";
import { rows } from "../../kinds/rows.ts";
import { type Html, hidden } from "../../layout.ts";
import { movedWindow } from "../../map/map-window.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { pair } from "../explore/addresses.ts";
import { KIND_WORDS } from "../home/state.ts";
import type { MapPage } from "./map.ts";
import { drawing } from "./map-drawing.ts";
import { MAP, mapAddress, windowPairs } from "./state.ts";

export function showMap(view: MapPage, { times }: PageFrame): PageContent {
  const { total, state } = view;
  const isNew = total === 0 && state.pairs.length === 0;
  return {
    title: "Map",
    body: html`<header class="page-head"><h1>Map</h1></header>
${isNew ? html`<p class="empty">No record has a position yet. <a href="/dashboard/import">Import</a> photos, a location history, or tracks as GPX files, and they appear here.</p>` : filters(view)}
<div id="map-part" class="map-part">
<figure class="map-room">${drawing(view)}${controls(view)}<figcaption class="map-note">Countries: Natural Earth. Cities: GeoNames, CC BY 4.0. Both are part of this server.</figcaption></figure>
${inSight(view, { times, me: view.me })}
</div>`,
    scripts: [mapScriptPath],
  };
}

function filters({ state, kinds, window }: MapPage): Html {
  const offered = (Object.keys(KIND_WORDS) as Kind[]).filter(
    (kind) => (kinds[kind] ?? 0) > 0 || state.kinds.includes(kind),
  );
  const others = state.pairs.filter(([name]) => name !== "kind");
  const link = (kind: Kind): Html => {
    const isChosen = state.kinds.includes(kind);
    const chosen = isChosen ? state.kinds.filter((one) => one !== kind) : [...state.kinds, kind];
    const href = mapAddress([...others, ...chosen.map((one) => pair("kind", one))], window);
    return html`<li><a class="filter${isChosen ? " chosen" : ""}" href="${href}"${isChosen ? raw(' aria-current="true"') : ""}>${KIND_WORDS[kind]} <span class="note">${formatNumber(kinds[kind] ?? 0)}</span></a></li>`;
  };
  const kept = Object.fromEntries(windowPairs(window));
  return html`<div class="filters"><ul class="kind-filters" aria-label="Kinds">${offered.map(link)}</ul>
<form class="map-days row" action="${MAP}">${hidden(kept)}${state.kinds.map((kind) => hidden({ kind }))}<label>From <input type="date" name="since" value="${state.since ?? ""}"></label><label>to <input type="date" name="until" value="${state.until ?? ""}"></label><button class="button small">Show</button>${
    state.pairs.length === 0 ? "" : html`<a href="${mapAddress([], window)}">All kinds and days</a>`
  }</form></div>`;
}

function controls({ window, state }: MapPage): Html {
  const go = (label: string, sign: string, by: Parameters<typeof movedWindow>[1], keys: string): Html =>
    html`<a${keys.startsWith("Arrow") ? raw(' class="map-arrow"') : ""} data-map-go data-map-keys="${keys}" aria-label="${label}" title="${label}" href="${mapAddress(state.pairs, movedWindow(window, by))}">${sign}</a>`;
  return html`<nav class="map-controls" aria-label="Move the map">${go("Zoom in", "+", { closer: 1 }, "+ =")}${go("Zoom out", "−", { closer: -1 }, "- _")}${go("North", "↑", { down: -0.4 }, "ArrowUp")}${go("South", "↓", { down: 0.4 }, "ArrowDown")}${go("West", "←", { right: -0.4 }, "ArrowLeft")}${go("East", "→", { right: 0.4 }, "ArrowRight")}<a data-map-go aria-label="Show everything" title="Show everything" href="${mapAddress(state.pairs)}">⤢</a></nav>`;
}

function inSight({ items, count, tracks, hasMoreTracks }: MapPage, frame: KindFrame): Html {
  const drawn =
    tracks.length === 0 ? "" : ` · ${hasMoreTracks ? "the newest " : ""}${countOf(tracks.length, "track")} drawn`;
  return html`<section class="map-list" aria-labelledby="in-sight"><h2 id="in-sight">In view</h2>
<p class="note">${countOf(count, "record")}${drawn}${items.length < count ? ` · showing the newest ${items.length}` : ""}</p>
${items.length === 0 ? html`<p class="empty">Nothing here. Move the map, or choose other days.</p>` : rows(items, frame)}</section>`;
}
