// Notes. Markdown is rendered; other notes are shown as written.
import { html } from "hono/html";
import { fileList, filesOf } from "./files.ts";
import { firstWords, namesOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { rendered } from "./markdown.ts";
import { plainText } from "./plain-text.ts";

export const note: KindView = {
  parts(item) {
    const body = textOf(item, "text");
    const words = firstWords(body === undefined ? undefined : withoutTitle(body, item.title));
    const tags = namesOf(item, "tags");
    return {
      title: item.title,
      ...(words === undefined ? {} : { text: words }),
      ...(tags.length === 0
        ? {}
        : {
            aside: html`<bdi>${tags
              .slice(0, 2)
              .map((tag) => `#${tag}`)
              .join(" ")}</bdi>`,
          }),
    };
  },
  page(item, { readOn }) {
    const body = textOf(item, "text");
    const format = textOf(item, "format") ?? "markdown";
    const tags = namesOf(item, "tags");
    const own = body === undefined ? undefined : withoutTitle(body, item.title);
    return html`${tags.length === 0 ? "" : html`<ul class="values">${tags.map((tag) => html`<li><bdi>${tag}</bdi></li>`)}</ul>`}
${own === undefined ? "" : format === "markdown" ? rendered(own) : plainText(own)}
${readOn.text === undefined ? "" : html`<p><a href="${readOn.text}">Read on</a></p>`}
${fileList(filesOf(item))}`;
  },
};

/** Removes the title, which the page already shows. */
function withoutTitle(body: string, title: string): string {
  const [first = "", ...rest] = body.trimStart().split("\n");
  return first.replace(/^#\s+/, "").trim() === title ? rest.join("\n") : body;
}
