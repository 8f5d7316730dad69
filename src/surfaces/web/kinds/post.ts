// Posts: the author and the text.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { fileList, filesOf } from "./files.ts";
import { firstWords, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { plainText } from "./plain-text.ts";
import { linkTo } from "./web-page.ts";

export const post: KindView = {
  parts(item) {
    const author = textOf(item, "author");
    const picture = filesOf(item).find((file) => file.picture);
    return {
      ...(author === undefined ? {} : { who: author }),
      title: firstWords(textOf(item, "text"), 240) ?? item.title,
      ...(picture === undefined ? {} : { picture: picture.href }),
    };
  },
  page: (item, { times }) =>
    html`${plainText(textOf(item, "text"))}${fileList(filesOf(item))}${facts([
      ["By", textOf(item, "author")],
      ["Posted", item.when === undefined ? undefined : times.when(item.when)],
      ["Address", linkTo(item)],
    ])}`,
};
