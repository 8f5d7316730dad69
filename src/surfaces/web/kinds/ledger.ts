// Payments as a ledger: monthly income and expenses, by category.
import { html } from "hono/html";
import { moneyWords } from "../../../core/money-words.ts";
import { rankBars } from "../charts.ts";
import type { Html } from "../layout.ts";
import type { KindFrame, KindItem } from "./item.ts";
import { money } from "./money.ts";
import { rowsByMonth } from "./rows.ts";

export interface LedgerMonth {
  /** `YYYY-MM` */
  month: string;
  currency?: string;
  received: number;
  spent: number;
}

export interface LedgerSums {
  months: readonly LedgerMonth[];
  /** Expenses, largest first. */
  categories: readonly { category: string; currency?: string; spent: number; href?: string }[];
  balances: readonly { account: string; currency?: string; balance: number; href?: string }[];
}

export function ledger(
  items: readonly KindItem[],
  { months, categories, balances }: LedgerSums,
  frame: KindFrame,
): Html {
  const byMonth = Map.groupBy(months, ({ month }) => month);
  const sums = (month: string): Html =>
    html`<span class="end month-sums">${(byMonth.get(month) ?? []).map(
      ({ received, spent, currency }) =>
        html`<span>${received === 0 ? "" : html`<span class="note">in</span> ${money(received, currency)}`} ${spent === 0 ? "" : html`<span class="note">out</span> ${money(spent, currency)}`}</span>`,
    )}</span>`;
  return html`${balances.length === 0 ? "" : html`<dl class="tiles">${balances.map(({ account, balance, currency, href }) => html`<div class="card tile"><dt>${href === undefined ? html`<bdi>${account}</bdi>` : html`<a href="${href}"><bdi>${account}</bdi></a>`}</dt><dd>${money(balance, currency, false)}</dd></div>`)}</dl>`}
<div class="ledger">${
    categories.length === 0
      ? ""
      : html`<section class="card spent"><h2>Spent by category</h2>${rankBars(
          "Spent by category",
          categories.map(({ category, spent, currency, href }) => ({
            label: category,
            value: spent,
            words: moneyWords(spent, currency, false),
            ...(href === undefined ? {} : { href }),
          })),
        )}</section>`
  }<div>${rowsByMonth(items, frame, sums)}</div></div>`;
}
