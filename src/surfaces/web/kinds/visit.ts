// Visits: place and duration.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { nearPlace, placeName, placeWords } from "./place.ts";
import { durationBetween } from "./quantities.ts";

export const visit: KindView = {
  parts(item) {
    const [name, duration] = [placeName(item), durationBetween(item.when?.at, textOf(item, "end"))];
    return {
      title: textOf(item, "title") ?? name ?? nearPlace(item) ?? "A place",
      ...(name === undefined || name === item.title ? {} : { text: name }),
      ...(duration === undefined ? {} : { aside: html`${duration}` }),
    };
  },
  page: (item, { times }) =>
    html`${facts([
      ["Place", placeWords(item)],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
      ["Stayed", durationBetween(item.when?.at, textOf(item, "end"))],
    ])}`,
};
