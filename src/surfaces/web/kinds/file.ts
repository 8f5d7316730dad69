// Files on indexed disks.
import { html } from "hono/html";
import { sizeWords } from "../dashboard/explore/values.ts";
import { facts } from "./facts.ts";
import { numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { plainText } from "./plain-text.ts";

export const file: KindView = {
  parts(item) {
    const [path, size] = [textOf(item, "path"), numberOf(item, "size")];
    return {
      title: item.title,
      ...(path === undefined ? {} : { text: path }),
      ...(size === undefined ? {} : { aside: html`${sizeWords(size)}` }),
    };
  },
  page(item, { times }) {
    const size = numberOf(item, "size");
    return html`${facts([
      ["Folder", textOf(item, "path")],
      ["Size", size === undefined ? undefined : sizeWords(size)],
      ["Changed", item.when === undefined ? undefined : times.when(item.when)],
      ["Type", textOf(item, "media_type")],
    ])}${plainText(textOf(item, "text"))}`;
  },
};
