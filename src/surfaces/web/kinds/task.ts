// Tasks: the title, the due date, and whether it is done.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { firstWords, heldBy, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { plainText } from "./plain-text.ts";

export const task: KindView = {
  parts(item, { times }) {
    const due = textOf(item, "due");
    const text = firstWords(textOf(item, "text"));
    const isDone = heldBy(item, "done") === true;
    return {
      title: item.title,
      ...(text === undefined ? {} : { text }),
      ...(isDone
        ? { aside: html`Done`, isOver: true }
        : due === undefined
          ? {}
          : { aside: html`Due ${times.day(due)}` }),
    };
  },
  page(item, { times }) {
    const due = textOf(item, "due");
    const done = heldBy(item, "done");
    return html`${facts([
      ["Status", done === true ? "Done" : done === false ? "To do" : undefined],
      ["Due", due === undefined ? undefined : times.day(due)],
    ])}${plainText(textOf(item, "text"))}`;
  },
};
