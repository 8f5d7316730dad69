// Books, films and the like on a shelf.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { plainText } from "./plain-text.ts";

export const book: KindView = {
  parts(item) {
    const [creator, rating] = [textOf(item, "creator"), ratingOf(numberOf(item, "rating"))];
    return {
      title: item.title,
      ...(creator === undefined ? {} : { text: creator }),
      ...(rating === undefined ? {} : { aside: rating }),
    };
  },
  page: (item, { times }) =>
    html`${facts([
      ["By", textOf(item, "creator")],
      ["Rating", ratingOf(numberOf(item, "rating"))],
      ["Read", item.when === undefined ? undefined : times.when(item.when)],
    ])}${plainText(textOf(item, "text"))}`,
};

/** Shows stars if the rating is out of five. */
function ratingOf(rating: number | undefined) {
  if (rating === undefined || rating <= 0) return undefined;
  if (!Number.isInteger(rating) || rating > 5) return html`${rating}`;
  return html`<span aria-label="${rating} of 5 stars" role="img">${"★".repeat(rating)}${"☆".repeat(5 - rating)}</span>`;
}
