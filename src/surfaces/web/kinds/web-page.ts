// Visited or saved pages: title and site.
import { html } from "hono/html";
import { webAddress } from "../web-address.ts";
import { facts } from "./facts.ts";
import { fewNames, firstWords, type KindItem, namesOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { plainText } from "./plain-text.ts";
import { hostOf } from "./quantities.ts";

export const webPage: KindView = {
  parts(item) {
    const words = [siteOf(item), textOf(item, "folder"), firstWords(textOf(item, "text"))];
    const text = words.filter((part) => part !== undefined && part !== item.title).join(" · ");
    return { title: item.title, ...(text === "" ? {} : { text }) };
  },
  page: (item, { times }) =>
    html`${facts([
      ["Address", linkTo(item)],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
      ["Folder", textOf(item, "folder")],
      ["Tags", fewNames(namesOf(item, "tags"), 12)],
    ])}${plainText(textOf(item, "text"))}`,
};

/** The site, or the rest of the address if the title is already the site. */
function siteOf(item: KindItem): string | undefined {
  const url = textOf(item, "url");
  const host = hostOf(url);
  return host === item.title && url !== undefined && URL.canParse(url) ? new URL(url).pathname : host;
}

/** A web page opens in a new tab; anything else stays text. */
export function linkTo(item: KindItem) {
  const url = textOf(item, "url");
  const href = url === undefined ? undefined : webAddress(url);
  return href === undefined
    ? url
    : html`<a href="${href}" target="_blank" rel="noreferrer noopener"><bdi>${url}</bdi></a>`;
}
