// Measurements: what was measured, the value and its unit.
import { html } from "hono/html";
import { facts } from "./facts.ts";
import { type KindItem, numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { moneyWords } from "./money.ts";
import { quantity } from "./quantities.ts";

export const measurement: KindView = {
  parts: (item) => ({ title: metricOf(item), aside: html`<b><bdi>${valueWords(item)}</bdi></b>` }),
  page: (item, { times }) =>
    html`<p class="figure"><bdi>${valueWords(item)}</bdi></p>${facts([
      ["Measured", metricOf(item)],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
    ])}`,
};

const metricOf = (item: KindItem): string => textOf(item, "metric") ?? textOf(item, "title") ?? "Value";

/** A balance is a measurement, too: its unit is a currency. */
function valueWords(item: KindItem): string {
  const value = numberOf(item, "value");
  const unit = textOf(item, "unit");
  if (value === undefined) return textOf(item, "value") ?? "–";
  return unit !== undefined && /^[A-Z]{3}$/.test(unit) ? moneyWords(value, unit, false) : quantity(value, unit);
}
