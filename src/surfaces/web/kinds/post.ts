// Posts: the author and the text.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { fileList, filesOf } from "./files.ts";
import { firstWords, isMine, type KindFrame, type KindItem, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { plainText } from "./plain-text.ts";
import { linkTo } from "./web-page.ts";

const authorOf = (item: KindItem, frame: KindFrame): string | undefined =>
  isMine(item, "author", frame) ? "You" : textOf(item, "author");

export const post: KindView = {
  parts(item, frame) {
    const author = authorOf(item, frame);
    const picture = filesOf(item).find((file) => file.picture);
    return {
      ...(author === undefined ? {} : { who: author }),
      title: firstWords(textOf(item, "text"), 240) ?? item.title,
      ...(picture === undefined ? {} : { picture: picture.href }),
    };
  },
  page: (item, frame) =>
    html`${plainText(textOf(item, "text"))}${fileList(filesOf(item))}${facts([
      ["By", authorOf(item, frame)],
      ["Posted", item.when === undefined ? undefined : frame.times.when(item.when)],
      ["Address", linkTo(item)],
    ])}`,
};
