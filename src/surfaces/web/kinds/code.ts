// Commits, issues and pull requests.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { rendered } from "./markdown.ts";
import { linkTo } from "./web-page.ts";

export const code: KindView = {
  parts(item) {
    const [author, status] = [textOf(item, "author"), textOf(item, "status")];
    return {
      title: item.title,
      ...(author === undefined ? {} : { text: author }),
      ...(status === undefined ? {} : { aside: html`<span class="badge"><bdi>${status}</bdi></span>` }),
    };
  },
  page(item, { times }) {
    const text = textOf(item, "text");
    return html`${facts([
      ["By", textOf(item, "author")],
      ["Status", textOf(item, "status")],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
      ["Address", linkTo(item)],
    ])}${text === undefined ? "" : rendered(text)}`;
  },
};
