// Charts drawn by the server. The SVG needs no script, has a label for screen readers, and shows its numbers on hover.
import { html } from "hono/html";
import { SHORT_MONTHS } from "../../core/month-names.ts";
import { formatNumber } from "./format.ts";
import type { Html } from "./layout.ts";

export interface Bar {
  label: string;
  value: number;
  /** The value in words, if it is not a plain number. */
  words?: string;
  /** The link that a click opens. */
  href?: string;
}

const wordsOf = ({ value, words }: Pick<Bar, "value" | "words">): string => words ?? formatNumber(value);

const WIDTH = 720;
const HEIGHT = 120;
/** Leaves room for at least this many bars, so that a single bar does not fill the chart. */
const ROOM_MIN = 12;

/**
 * Draws values over time as bars, with the axis labelled at both ends and in the middle. The text keeps its size at
 * every width.
 */
export function timeBars(label: string, bars: readonly Bar[]): Html {
  if (bars.length === 0) return html`<p class="note">Nothing to draw yet.</p>`;
  const top = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(bars.length, ROOM_MIN);
  const few = bars.length < ROOM_MIN;
  const ends = [...new Set([bars[0]!.label, bars.at(-1)!.label])];
  const ticks = few ? [ends.join(" – ")] : [ends[0], bars[Math.floor(bars.length / 2)]!.label, ends[1]];
  // An image cannot contain links, but a group can.
  const role = bars.some(({ href }) => href !== undefined) ? "group" : "img";
  return html`<figure class="chart bars"><p class="scale" aria-hidden="true">${wordsOf(bars.find(({ value }) => value === top) ?? { value: top })}</p><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="${role}" aria-label="${label}">
${bars.map((bar, index) => {
  const height = bar.value === 0 ? 0 : Math.max(2, (bar.value / top) * HEIGHT);
  const column = html`<g class="bar"><title>${bar.label}: ${wordsOf(bar)}</title><rect class="room" x="${fixed(index * step)}" y="0" width="${fixed(step)}" height="${HEIGHT}"/><rect class="value" x="${fixed(index * step + step * 0.1)}" y="${fixed(HEIGHT - height)}" width="${fixed(step * 0.8)}" height="${fixed(height)}"/></g>`;
  return bar.href === undefined
    ? column
    : html`<a href="${bar.href}" aria-label="${bar.label}: ${wordsOf(bar)}">${column}</a>`;
})}
</svg><figcaption class="ticks" aria-hidden="true">${ticks.map((tick) => html`<span>${tick}</span>`)}</figcaption></figure>`;
}

/**
 * Draws values over time as a line between the smallest and the largest, for values whose changes matter more than
 * their distance from zero.
 */
export function timeLine(label: string, points: readonly Bar[]): Html {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const at = ({ value }: Bar, index: number): string =>
    `${fixed((index / Math.max(1, points.length - 1)) * WIDTH)} ${fixed(HEIGHT - 6 - ((value - low) / (high - low || 1)) * (HEIGHT - 12))}`;
  const [least, most] = [points[values.indexOf(low)]!, points[values.indexOf(high)]!];
  const [first, last] = [points[0]!, points.at(-1)!];
  return html`<figure class="chart line"><p class="scale" aria-hidden="true">${wordsOf(most)}</p><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}, from ${wordsOf(least)} to ${wordsOf(most)}"><path d="M${points.map(at).join("L")}"/></svg><p class="scale" aria-hidden="true">${wordsOf(least)}</p><figcaption class="ticks" aria-hidden="true"><span>${first.label}</span><span>${last.label}</span></figcaption></figure>`;
}

/** Draws a ranking, largest first, with names and numbers. */
export function rankBars(label: string, bars: readonly Bar[]): Html {
  const top = Math.max(1, ...bars.map(({ value }) => value));
  return html`<ol class="rank" aria-label="${label}">${bars.map(
    ({ label: name, value, words, href }) =>
      html`<li><span class="rank-name">${href === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`}</span><span class="rank-value">${wordsOf({ value, words })}</span><svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="value" width="${fixed((value / top) * 100)}" height="4" rx="1"/></svg></li>`,
  )}</ol>`;
}

const DAY_MS = 86_400_000;
const CELL = 13;

/** Draws a year of days in weeks, darker for higher values. Days are `YYYY-MM-DD`; `until` is the last day shown. */
export function heatMap(label: string, days: ReadonlyMap<string, number>, until: string): Html {
  const last = Date.parse(`${until}T00:00:00Z`);
  const first = last - (52 * 7 + ((new Date(last).getUTCDay() + 6) % 7)) * DAY_MS;
  const top = Math.max(1, ...days.values());
  const cells: Html[] = [];
  const months: Html[] = [];
  for (let at = first, index = 0; at <= last; at += DAY_MS, index++) {
    const day = new Date(at).toISOString().slice(0, 10);
    const value = days.get(day) ?? 0;
    const [x, y] = [Math.floor(index / 7) * CELL, (index % 7) * CELL + 16];
    const level = value === 0 ? 0 : Math.ceil((value / top) * 4);
    cells.push(
      html`<rect class="heat-${level}" x="${x}" y="${y}" width="11" height="11" rx="2"><title>${day}: ${formatNumber(value)}</title></rect>`,
    );
    if (day.endsWith("-01"))
      months.push(html`<text x="${x}" y="10">${SHORT_MONTHS[Number(day.slice(5, 7)) - 1]}</text>`);
  }
  return html`<figure class="chart heat" tabindex="0" role="region" aria-label="${label}"><svg viewBox="0 0 ${53 * CELL} ${7 * CELL + 16}" role="img" aria-label="${label}, by day for one year">${months}${cells}</svg></figure>`;
}

const fixed = (value: number): string => String(Math.round(value * 100) / 100);
