// Accounts: their name and their balance.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { type KindItem, numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { money } from "./money.ts";

export const account: KindView = {
  parts(item) {
    const balance = numberOf(item, "balance");
    const number = textOf(item, "number");
    return {
      title: nameOf(item),
      ...(number === undefined || number === nameOf(item) ? {} : { text: number }),
      ...(balance === undefined ? {} : { aside: money(balance, textOf(item, "currency"), false) }),
    };
  },
  page(item) {
    const balance = numberOf(item, "balance");
    return html`${balance === undefined ? "" : html`<p class="figure">${money(balance, textOf(item, "currency"), false)}</p>`}${facts(
      [
        ["Number", textOf(item, "number")],
        ["Currency", textOf(item, "currency")],
      ],
    )}`;
  },
};

/** An account without a name is called by its number. */
const nameOf = (item: KindItem): string => textOf(item, "title") ?? textOf(item, "number") ?? item.title;
