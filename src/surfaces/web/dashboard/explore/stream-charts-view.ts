// The view of a stream's charts: activity, the days of a year, sums of its numbers, and the most frequent values.
import { html, raw } from "hono/html";
import { moneyWords } from "../../../../core/money-words.ts";
import { heatMap, rankBars, timeBars } from "../../charts.ts";
import { countOf, formatNumber } from "../../format.ts";
import { durationWords } from "../../kinds/quantities.ts";
import type { Html } from "../../layout.ts";
import { changed, streamAddress } from "./addresses.ts";
import type { HeatDays, StreamCharts } from "./stream-charts.ts";
import { placeOf, type StreamView } from "./stream-data.ts";
import { valueWords } from "./stream-filters.ts";
import { RANKS } from "./stream-state.ts";
import { barsOf } from "./timeline.ts";

export function chartsBody(view: StreamView): Html {
  const { charts, state, timeline, stream } = view;
  if (charts === undefined || view.count === 0)
    return html`<p class="empty">Nothing to draw. Remove or widen a filter above.</p>`;
  const yearHref = (year: string): string => streamAddress(placeOf(view), changed(state.pairs, { year }));
  return html`${timeline === undefined ? "" : html`<section class="card"><h2>Activity</h2>${activity(view)}${timeline.undated === 0 ? "" : html`<p class="note">${countOf(timeline.undated, "record")} without a time.</p>`}</section>`}
${charts.heat === undefined ? "" : heatSection(`${stream.label} by day`, charts.heat, state.year, yearHref)}
${charts.figures.length === 0 ? "" : figures(charts.figures)}
${charts.top.length === 0 ? "" : html`<section id="values"><header class="row"><h2>Values</h2>${rankPick(view)}</header><div class="columns">${charts.top.map((top) => topValues(view, top))}</div></section>`}`;
}

const RANK_WORDS = { most: "Most frequent", least: "Least frequent", name: "By name" } as const;

function rankPick(view: StreamView): Html {
  const { state } = view;
  const link = (rank: (typeof RANKS)[number]): Html =>
    html`<a href="${streamAddress(placeOf(view), changed(state.pairs, { rank: rank === "most" ? null : rank }))}#values"${rank === state.rank ? raw(' aria-current="true"') : ""}>${RANK_WORDS[rank]}</a>`;
  return html`<nav class="end pick" aria-label="Which values first">${RANKS.map(link)}</nav>`;
}

/** A click on a bar filters by its time. */
export function activity(view: StreamView): Html | "" {
  const { timeline, state, stream } = view;
  if (timeline === undefined || timeline.buckets.length === 0) return "";
  const { field } = timeline;
  const others = state.pairs.filter(([name]) => !name.startsWith(`filter[${field}]`));
  const { measure } = timeline;
  const bars = barsOf(
    timeline,
    ({ since, until }) =>
      streamAddress(placeOf(view), changed(others, { [`since[${field}]`]: since, [`until[${field}]`]: until })),
    measure && ((value) => sumWords(measure, value)),
  );
  const label = `${measure?.label ?? stream.label} by ${timeline.step}`;
  return html`<section class="activity">${measure === undefined ? "" : html`<p class="note">${label}</p>`}${timeBars(label, bars)}</section>`;
}

const sumWords = (
  { currency, seconds }: NonNullable<NonNullable<StreamView["timeline"]>["measure"]>,
  value: number,
): string => (seconds === undefined ? moneyWords(value, currency, false) : durationWords(value * seconds));

/** Shows a year of days, with links to the other years. */
export function heatSection(
  label: string,
  { until, days, years }: HeatDays,
  chosen: string | undefined,
  href: (year: string) => string,
): Html {
  const total = Object.values(days).reduce((sum, count) => sum + count, 0);
  return html`<section class="card" id="days"><header class="row"><h2>Day by day</h2><span class="end pick">${years.map((year) => html`<a href="${href(year)}#days"${year === chosen ? raw(' aria-current="true"') : ""}>${year}</a>`)}</span></header>
${heatMap(label, new Map(Object.entries(days)), until)}
<p class="note">${countOf(total, "record")} on ${countOf(Object.keys(days).length, "day")}.</p></section>`;
}

const METRICS: Record<string, string> = { sum: "Total", avg: "Average", min: "Smallest", max: "Largest" };
const round = (value: number): number => Math.round(value * 100) / 100;

function figures(found: StreamCharts["figures"]): Html {
  return html`<section><h2>Numbers</h2><div class="columns">${found.map(
    ({ label, metrics }) =>
      html`<div class="card"><h3><bdi>${label}</bdi></h3><dl class="facts across">${metrics.map(({ metric, value }) => html`<div><dt>${METRICS[metric]}</dt><dd>${formatNumber(round(value))}</dd></div>`)}</dl></div>`,
  )}</div></section>`;
}

function topValues(view: StreamView, { field, label, values, others }: StreamCharts["top"][number]): Html {
  const isList = view.fields.some(({ name, isList: list }) => name === field && list);
  const bars = values.map(({ value, count }) => ({
    label: value === null ? "none" : value === "" ? "empty" : valueWords(value),
    value: count,
    ...(value === null || value === ""
      ? {}
      : {
          href: streamAddress(
            placeOf(view),
            changed(view.state.pairs, {
              [isList ? `filter[${field}][contains]` : `filter[${field}]`]: String(value),
              show: null,
            }),
          ),
        }),
  }));
  return html`<div class="card"><h3><bdi>${label}</bdi></h3>${rankBars(label, bars)}${others === 0 ? "" : html`<p class="note">${countOf(others, "record")} with other values.</p>`}</div>`;
}
