// Measurements over time: a card for each metric, with its latest month and a chart.
import { html } from "hono/html";
import { timeBars, timeLine } from "../charts.ts";
import type { MetricChart } from "../dashboard/explore/stream-metrics.ts";
import type { Html } from "../layout.ts";
import type { Times } from "../times.ts";
import { measuredWords, metricWords } from "./measurement.ts";

export const metricCards = (metrics: readonly MetricChart[], times: Times): Html =>
  html`<div class="columns metrics">${metrics.map((metric) => card(metric, times))}</div>`;

function card({ metric, unit, isSum, href, months }: MetricChart, times: Times): Html {
  const points = months.map(({ month, value }) => ({
    label: times.monthWords(month),
    value,
    words: measuredWords(value, unit),
  }));
  const words = `${metricWords(metric)}, ${isSum ? "total" : "average"} by month`;
  return html`<section class="card"><h2><a href="${href}"><bdi>${metricWords(metric)}</bdi></a></h2><p class="note">${isSum ? "Total" : "Average"} by month, last ${points.at(-1)!.words}</p>${isSum || points.length < 2 ? timeBars(words, points) : timeLine(words, points)}</section>`;
}
