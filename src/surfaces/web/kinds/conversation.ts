// Conversations: their name and their participants.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { fewNames, namesOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";

export const conversation: KindView = {
  parts(item) {
    const people = fewNames(namesOf(item, "participants"), 4);
    return { title: item.title, ...(people === "" || people === item.title ? {} : { text: people }) };
  },
  page: (item, { times }) =>
    html`${facts([
      ["People", fewNames(namesOf(item, "participants"), 40)],
      ["Last message", item.when === undefined ? undefined : times.when(item.when)],
    ])}`,
};
