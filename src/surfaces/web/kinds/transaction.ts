// Money: payer or payee, purpose, and the amount with its sign, colour and currency.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { type KindItem, numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { money } from "./money.ts";
import { plainText } from "./plain-text.ts";

export const transaction: KindView = {
  parts(item) {
    const amount = numberOf(item, "amount");
    const text = [textOf(item, "category"), purposeOf(item)].filter(Boolean).join(" · ");
    return {
      title: payeeOf(item),
      ...(text === "" ? {} : { text }),
      ...(amount === undefined ? {} : { aside: money(amount, textOf(item, "currency")) }),
    };
  },
  page(item, { times }) {
    const amount = numberOf(item, "amount");
    return html`${amount === undefined ? "" : html`<p class="figure">${money(amount, textOf(item, "currency"))}</p>`}
${facts([
  [amount !== undefined && amount > 0 ? "From" : "To", payeeOf(item)],
  ["Posted", item.when === undefined ? undefined : times.when(item.when)],
  ["Category", textOf(item, "category")],
])}${plainText(purposeOf(item))}`;
  },
};

const payeeOf = (item: KindItem): string =>
  textOf(item, "title") ?? textOf(item, "counterparty") ?? textOf(item, "text") ?? "Payment";

/** Banks repeat the payee in the purpose: "Card payment SHOP" adds nothing to the payee "SHOP". */
function purposeOf(item: KindItem): string | undefined {
  const text = textOf(item, "text");
  return text?.includes(payeeOf(item)) ? undefined : text;
}
