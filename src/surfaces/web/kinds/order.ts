// Orders: the shop, the items, and the price.
import { html } from "hono/html";
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
  ["Items", itemsOf(item)],
  ["Status", textOf(item, "status")],
])}`;
  },
};

const itemsOf = (item: KindItem): string | undefined =>
  firstWords(textOf(item, "items"), 400) ?? (fewNames(namesOf(item, "items"), 6) || undefined);
