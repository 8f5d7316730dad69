// Contact cards: a name, ways to reach the person, and a birthday, which is a day without a time.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { pictureOf } from "./files.ts";
import { fewNames, type KindItem, namesOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { plainText } from "./plain-text.ts";

export const person: KindView = {
  parts(item) {
    const text = [textOf(item, "organisation"), reached(item, "address")[0], reached(item, "number")[0]];
    const picture = pictureOf(item, "picture");
    return {
      title: item.title,
      ...(text.some(Boolean) ? { text: text.filter(Boolean).join(" · ") } : {}),
      ...(picture === undefined ? {} : { picture: picture.href }),
    };
  },
  page(item, { times }) {
    const birthday = textOf(item, "birthday");
    const picture = pictureOf(item, "picture");
    return html`${picture === undefined ? "" : html`<img class="portrait" src="${picture.href}" alt="" width="120" height="120" decoding="async">`}
${facts([
  ["Organisation", textOf(item, "organisation")],
  ["Email", reached(item, "address").join(", ")],
  ["Phone", reached(item, "number").join(", ")],
  ["Handles", fewNames(reached(item, "handle"), 8)],
  ["Birthday", birthday === undefined ? undefined : times.birthday(birthday)],
])}${plainText(textOf(item, "text"))}`;
  },
};

/** A card has the first address in its own field and all addresses in a list, so duplicates are removed. */
function reached(item: KindItem, role: string): string[] {
  const fields = item.roles[role] ?? [];
  return [...new Set(fields.flatMap((name) => namesOf({ ...item, roles: { [role]: [name] } }, role)))];
}
