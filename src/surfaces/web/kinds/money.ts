// Amounts of money, with a colour.
import { html } from "hono/html";
import { moneyWords } from "../../../core/money-words.ts";
import type { Html } from "../layout.ts";

/** Income is green; expenses have the colour of the text. */
export function money(amount: number, currency: string | undefined, signed = true): Html {
  const direction = !signed || amount === 0 ? "" : amount < 0 ? " out" : " in";
  return html`<span class="money${direction}"><bdi>${moneyWords(amount, currency, signed)}</bdi></span>`;
}
