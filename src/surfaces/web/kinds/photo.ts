// Photos and videos: the picture first, then when and where it was taken.
import { html } from "hono/html";
import { sizeWords } from "../dashboard/explore/values.ts";
import { facts } from "./facts.ts";
import { filesOf, pictureOf, videoOf } from "./files.ts";
import { fewNames, namesOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { placeName, placeWords } from "./place.ts";
import { durationOf } from "./units.ts";

export const photo: KindView = {
  parts(item) {
    const small = pictureOf(item, "thumbnail", "picture");
    const caption = textOf(item, "text");
    const text = placeName(item) ?? "";
    const duration = durationOf(item);
    return {
      title: caption ?? item.title,
      ...(text === "" ? {} : { text }),
      ...(small === undefined ? {} : { picture: small.href }),
      ...(duration === undefined ? {} : { aside: html`${duration}` }),
    };
  },
  page(item, { times }) {
    const shown = pictureOf(item, "picture", "thumbnail");
    const [file] = filesOf(item);
    const video = videoOf(item);
    return html`<figure class="photo">${
      video !== undefined
        ? html`<video src="${video.href}" controls playsinline preload="metadata" aria-label="${item.title}"${shown === undefined ? "" : html` poster="${shown.href}"`}></video>
<p class="note"><a href="${video.href}" download><bdi>${item.title}</bdi></a>, ${sizeWords(video.bytes)}</p>`
        : shown === undefined
          ? html`<p class="empty">${file === undefined ? "The picture itself was not imported." : html`<a href="${file.href}" download><bdi>${file.name}</bdi></a>, ${sizeWords(file.bytes)}`}</p>`
          : html`<a href="${shown.href}"><img src="${shown.href}" alt="${textOf(item, "text") ?? item.title}" decoding="async"></a>`
    }${textOf(item, "text") === undefined ? "" : html`<figcaption><bdi>${textOf(item, "text")}</bdi></figcaption>`}</figure>
${facts([
  ["Taken", item.when === undefined ? undefined : times.wall(item.when)],
  ["Place", placeWords(item)],
  ["People", fewNames(namesOf(item, "participants"), 12)],
  ["Album", textOf(item, "album")],
  ["Tags", fewNames(namesOf(item, "tags"), 12)],
  ["Duration", durationOf(item)],
])}`;
  },
};
