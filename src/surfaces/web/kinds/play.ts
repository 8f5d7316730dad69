// Something that was listened to or watched: title, creator and duration.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { durationOf } from "./units.ts";

export const play: KindView = {
  parts(item) {
    const [creator, album] = [textOf(item, "creator"), textOf(item, "album")];
    const text = [creator, album === item.title ? undefined : album].filter(Boolean).join(" · ");
    const duration = durationOf(item);
    return {
      title: item.title,
      ...(text === "" ? {} : { text }),
      ...(duration === undefined ? {} : { aside: html`${duration}` }),
    };
  },
  page: (item, { times }) =>
    html`${facts([
      ["By", textOf(item, "creator")],
      ["Album", textOf(item, "album")],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
      ["Played for", durationOf(item)],
    ])}`,
};
