// Shell commands, as they were typed.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";

export const command: KindView = {
  parts(item) {
    const directory = textOf(item, "directory");
    return {
      title: textOf(item, "text") ?? item.title,
      ...(directory === undefined ? {} : { text: directory }),
      isCode: true,
    };
  },
  page: (item, { times }) =>
    html`<pre tabindex="0" role="region" aria-label="Command"><code>${textOf(item, "text") ?? ""}</code></pre>${facts([
      ["In", textOf(item, "directory")],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
    ])}`,
};
