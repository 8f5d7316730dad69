// Events as a month, a week or an agenda. All-day events have no times.
import { html, raw } from "hono/html";
import { DAY_MS, dayAfter, labelOf, nextLabel } from "../dashboard/explore/local-days.ts";
import type { Html } from "../layout.ts";
import { hoursOf, isCancelled, lastDayOf } from "./event.ts";
import { dayOf, type KindFrame, type KindItem } from "./item.ts";
import { card } from "./rows.ts";

export interface CalendarSpan {
  show: "month" | "week";
  /** A day in the span. */
  at: string;
  /** The visible days, both inclusive. */
  since: string;
  until: string;
}

/** A month begins on the Monday of its first week and ends on the Sunday of its last one. */
export function calendarSpan(show: CalendarSpan["show"], at: string): CalendarSpan {
  if (show === "week") {
    const since = labelOf("week", at);
    return { show, at, since, until: dayAfter(since, 6) };
  }
  const month = labelOf("month", at);
  const last = dayAfter(`${nextLabel("month", month)}-01`, -1);
  return { show, at, since: labelOf("week", `${month}-01`), until: dayAfter(labelOf("week", last), 6) };
}

/** Returns a day of the previous span and a day of the next one. */
export const besides = ({ show, at, since, until }: CalendarSpan): [string, string] =>
  show === "week"
    ? [dayAfter(since, -1), dayAfter(until)]
    : [dayAfter(`${at.slice(0, 7)}-01`, -1), `${nextLabel("month", at.slice(0, 7))}-01`];

/** An event that lasts several days appears on each of them. */
export function byDay(
  items: readonly KindItem[],
  { since, until }: CalendarSpan,
  frame: KindFrame,
): Map<string, KindItem[]> {
  const days = new Map<string, KindItem[]>();
  for (const item of items) {
    const first = dayOf(item, frame.times);
    if (first === undefined) continue;
    const last = item.when!.isDay ? lastDayOf(item) : first;
    for (let day = first < since ? since : first; day <= last && day <= until; day = dayAfter(day))
      days.set(day, [...(days.get(day) ?? []), item]);
  }
  const order = (item: KindItem): number => (item.when!.isDay ? 0 : Date.parse(item.when!.at));
  for (const own of days.values()) own.sort((one, other) => order(one) - order(other));
  return days;
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const SHOWN = 3;

export function monthGrid(
  span: CalendarSpan,
  items: readonly KindItem[],
  frame: KindFrame,
  today: string,
  dayHref: (day: string) => string,
): Html {
  const days = byDay(items, span, frame);
  const weeks: string[][] = [];
  for (let day = span.since; day <= span.until; day = dayAfter(day, 7))
    weeks.push(WEEKDAYS.map((_, index) => dayAfter(day, index)));
  const cell = (day: string): Html => {
    const own = days.get(day) ?? [];
    const isOther = !day.startsWith(span.at.slice(0, 7));
    return html`<td${raw(` class="${[isOther ? "other" : "", day === today ? "today" : ""].join(" ").trim()}"`)}><a class="cal-day" href="${dayHref(day)}" aria-label="${frame.times.dayWords(day)}">${Number(day.slice(8))}</a>${
      own.length === 0 ? "" : html`<ul>${own.slice(0, SHOWN).map((item) => chip(item, frame))}</ul>`
    }${own.length > SHOWN ? html`<a class="cal-more" href="${dayHref(day)}">${own.length - SHOWN} more<span class="visually-hidden"> on ${frame.times.dayWords(day)}</span></a>` : ""}</td>`;
  };
  return html`<table class="calendar"><caption class="visually-hidden">${frame.times.monthWords(span.at.slice(0, 7))}</caption><thead><tr>${WEEKDAYS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${weeks.map((week) => html`<tr>${week.map(cell)}</tr>`)}</tbody></table>`;
}

function chip(item: KindItem, { times }: KindFrame): Html {
  const { when } = item;
  const time = when!.isDay ? "" : html`<span class="cal-time">${times.clock(when!.at)}</span> `;
  return html`<li><a class="cal-event${when!.isDay ? " all-day" : ""}${isCancelled(item) ? " over" : ""}" href="${item.href}" title="${item.title}, ${hoursOf(item, times)}">${time}<bdi>${item.title}</bdi></a></li>`;
}

/** Lists events day by day, in order. Empty days are omitted from an agenda, but shown in a week. */
export function weekList(span: CalendarSpan, items: readonly KindItem[], frame: KindFrame, today: string): Html {
  const days = byDay(items, span, frame);
  const all = Array.from(
    { length: Math.round((Date.parse(span.until) - Date.parse(span.since)) / DAY_MS) + 1 },
    (_, index) => dayAfter(span.since, index),
  );
  return html`<div class="week">${all.map(
    (day) =>
      html`<section${day === today ? raw(' class="today"') : ""}><h2>${frame.times.dayWords(day)}</h2>${
        days.has(day)
          ? html`<ul class="items">${days.get(day)!.map((item) => card(item, frame))}</ul>`
          : html`<p class="note">Nothing</p>`
      }</section>`,
  )}</div>`;
}

export function agenda(items: readonly KindItem[], frame: KindFrame): Html {
  const days = Map.groupBy(items, (item) => dayOf(item, frame.times) ?? "");
  return html`<div class="week">${[...days].map(
    ([day, own]) =>
      html`<section><h2>${day === "" ? "Without a date" : frame.times.dayWords(day)}</h2><ul class="items">${own.map((item) => card(item, frame))}</ul></section>`,
  )}</div>`;
}
