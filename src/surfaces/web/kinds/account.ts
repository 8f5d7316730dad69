// Accounts: their name and their balance.
import { html } from "hono/html";
import { accountNumber } from "../../../core/title.ts";
import { facts } from "./facts.ts";
import { type KindItem, numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { money } from "./money.ts";

export const account: KindView = {
  parts(item) {
    const balance = numberOf(item, "balance");
    const number = numberIn(item);
    return {
      title: nameOf(item),
      ...(number === undefined || number === nameOf(item) ? {} : { text: number }),
      ...(balance === undefined ? {} : { aside: money(balance, textOf(item, "currency"), false) }),
    };
  },
  page(item, { times }) {
    const balance = numberOf(item, "balance");
    return html`${balance === undefined ? "" : html`<p class="figure">${money(balance, textOf(item, "currency"), false)}</p>`}${facts(
      [
        ["Balance as of", balance === undefined || item.when === undefined ? undefined : times.when(item.when)],
        ["Number", numberIn(item)],
        ["Currency", textOf(item, "currency")],
      ],
    )}`;
  },
};

/** An account without a name is shown by its number. */
const nameOf = (item: KindItem): string => textOf(item, "title") ?? numberIn(item) ?? item.title;

const numberIn = (item: KindItem): string | undefined => accountNumber(textOf(item, "number"));
