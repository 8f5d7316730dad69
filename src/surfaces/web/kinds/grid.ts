// Photos and videos as a grid. A script shows them one after the other in an overlay.
import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { pictureOf, videoOf } from "./files.ts";
import { dayOf, type KindFrame, type KindItem } from "./item.ts";
import { durationOf } from "./units.ts";

export function photoGrid(items: readonly KindItem[], frame: KindFrame): Html {
  const months = Map.groupBy(items, (item) => dayOf(item, frame.times)?.slice(0, 7) ?? "");
  return html`<div data-lightbox>${[...months].map(
    ([
      month,
      own,
    ]) => html`<section class="months">${month === "" ? "" : html`<h2>${frame.times.monthWords(month)}</h2>`}
<ul class="photos">${own.map((item) => tile(item, frame))}</ul></section>`,
  )}</div>`;
}

function tile(item: KindItem, { times }: KindFrame): Html {
  const small = pictureOf(item, "thumbnail", "picture");
  const large = pictureOf(item, "picture", "thumbnail");
  const caption =
    item.when === undefined
      ? item.title
      : html`<span class="visually-hidden"><bdi>${item.title}</bdi>, </span>${times.wall(item.when)}`;
  const duration = durationOf(item);
  const video = videoOf(item);
  // A video opens on its own page, which plays it. Without a preview, the browser shows its first frame.
  const still =
    small !== undefined
      ? html`<img src="${small.href}" alt="${item.title}" width="240" height="240" loading="lazy" decoding="async">`
      : video !== undefined
        ? html`<video src="${video.href}" width="240" height="240" preload="metadata" muted playsinline tabindex="-1" aria-label="${item.title}"></video>`
        : html`<span class="no-picture"><bdi>${item.title}</bdi></span>`;
  return html`<li><a href="${item.href}"${large === undefined || video !== undefined ? "" : html` data-picture="${large.href}"`}>${still}${duration === undefined ? "" : html`<span class="photo-length">${duration}</span>`}<span class="photo-when">${caption}</span></a></li>`;
}
