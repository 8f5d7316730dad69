// Orders: shop, items and price.
import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { facts } from "./facts.ts";
import { fewNames, firstWords, type KindItem, namesOf, numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { money } from "./money.ts";

export const order: KindView = {
  parts(item) {
    const amount = numberOf(item, "amount");
    const text = [itemsOf(item), textOf(item, "status")].filter(Boolean).join(" · ");
    return {
      title: textOf(item, "title") ?? textOf(item, "counterparty") ?? "Order",
      ...(text === "" ? {} : { text }),
      ...(amount === undefined ? {} : { aside: money(amount, textOf(item, "currency"), false) }),
    };
  },
  page(item, { times }) {
    const amount = numberOf(item, "amount");
    return html`${amount === undefined ? "" : html`<p class="figure">${money(amount, textOf(item, "currency"), false)}</p>`}
${facts([
  ["Shop", textOf(item, "counterparty")],
  ["Ordered", item.when === undefined ? undefined : times.when(item.when)],
  ["Items", itemList(item)],
  ["Status", textOf(item, "status")],
])}`;
  },
};

/** Lists objects by their names, and splits text as people list things in a cell: "2 × Atlas; Map". */
const itemsIn = (item: KindItem): string[] =>
  textOf(item, "items")
    ?.split(/\s*[;\n]\s*/)
    .filter(Boolean) ?? namesOf(item, "items");

const itemsOf = (item: KindItem): string | undefined => firstWords(fewNames(itemsIn(item), 6));

function itemList(item: KindItem): Html | string | undefined {
  const items = itemsIn(item);
  return items.length < 2 ? items[0] : html`<ul>${items.map((one) => html`<li><bdi>${one}</bdi></li>`)}</ul>`;
}
