// Measurements: the metric, the value and its unit.
import { html } from "hono/html";
import { moneyWords } from "../../../core/money-words.ts";
import { inWords } from "../dashboard/explore/stream-fields.ts";
import { facts } from "./facts.ts";
import { type KindItem, numberOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { quantity } from "./quantities.ts";

export const measurement: KindView = {
  parts: (item) => ({ title: metricOf(item), aside: html`<b><bdi>${valueWords(item)}</bdi></b>` }),
  page: (item, { times }) =>
    html`<p class="figure"><bdi>${valueWords(item)}</bdi></p>${facts([
      ["Measured", metricOf(item)],
      ["When", item.when === undefined ? undefined : times.when(item.when)],
    ])}`,
};

const metricOf = (item: KindItem): string => metricWords(textOf(item, "metric") ?? textOf(item, "title") ?? "Value");

/** Example: `RestingHeartRate` becomes "Resting heart rate". */
export const metricWords = (metric: string): string =>
  inWords(
    metric.replace(
      /([a-z])([A-Z])(?=[a-z])/g,
      (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
    ),
  );

/** A balance is also a measurement, with a currency as its unit. */
function valueWords(item: KindItem): string {
  const value = numberOf(item, "value");
  const unit = textOf(item, "unit");
  return value === undefined ? (textOf(item, "value") ?? "–") : measuredWords(value, unit);
}

/** Apple counts steps in "count" and beats in "count/min". */
export function measuredWords(value: number, given: string | undefined): string {
  const unit = given === "count" ? undefined : given?.replace(/^count\/min$/, "per minute");
  return unit !== undefined && /^[A-Z]{3}$/.test(unit) ? moneyWords(value, unit, false) : quantity(value, unit);
}
