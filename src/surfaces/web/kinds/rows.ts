// Records as lines of a list: the author or sender, the title, the first words, and the main value at the end.
import { html, raw } from "hono/html";
import type { Html } from "../layout.ts";
import { dayOf, type KindFrame, type KindItem } from "./item.ts";
import type { Parts } from "./kind-view.ts";
import { partsOf } from "./kinds.ts";

/**
 * Groups records by month, newest first, or by year if most months would have one line. Records without a time have no
 * heading.
 */
export function rowsByMonth(items: readonly KindItem[], frame: KindFrame, aside?: (month: string) => Html | ""): Html {
  const by = (length: 4 | 7) => Map.groupBy(items, (item) => dayOf(item, frame.times)?.slice(0, length) ?? "");
  const perMonth = by(7);
  const months = aside === undefined && items.length < perMonth.size * 2 && perMonth.size > 2 ? by(4) : perMonth;
  return html`${[...months].map(
    ([month, own]) =>
      html`<section class="months">${
        month === ""
          ? ""
          : html`<header class="row month-head"><h2>${month.length === 4 ? month : frame.times.monthWords(month)}</h2>${aside?.(month) ?? ""}</header>`
      }${rows(own, frame)}</section>`,
  )}`;
}

export const rows = (items: readonly KindItem[], frame: KindFrame): Html =>
  html`<ul class="items">${items.map((item) => row(item, frame))}</ul>`;

function row(item: KindItem, frame: KindFrame): Html {
  const parts = partsOf(item, frame);
  const { who } = parts;
  return html`<li${classes("item", parts)}>${pictureIn(parts)}${who === undefined ? "" : html`<span class="item-who"><bdi>${who}</bdi></span>`}${mainOf(item, parts)}${asideOf(parts)}${
    item.when === undefined || item.kind === "person"
      ? ""
      : html`<span class="item-when">${frame.times.short(item.when)}</span>`
  }</li>`;
}

/** A record on the timeline, between its time and its source. */
export function card(item: KindItem, frame: KindFrame, source?: string): Html {
  const parts = partsOf(item, frame);
  const { who } = parts;
  const time = item.when === undefined || item.when.isDay ? "" : frame.times.clock(item.when.at);
  return html`<li${classes("item timed", parts)}><span class="item-clock">${time}</span>${pictureIn(parts)}${who === undefined ? "" : html`<span class="item-who"><bdi>${who}</bdi></span>`}${mainOf(item, parts)}${asideOf(parts)}${
    source === undefined ? "" : html`<span class="item-when"><bdi>${source}</bdi></span>`
  }</li>`;
}

const classes = (base: string, { isNew, isOver, picture }: Parts): Html =>
  raw(
    ` class="${base}${isNew === true ? " new" : ""}${isOver === true ? " over" : ""}${picture === undefined ? "" : " pictured"}"`,
  );

const pictureIn = ({ picture }: Parts): Html | "" =>
  picture === undefined
    ? ""
    : html`<img class="item-picture" src="${picture}" alt="" width="48" height="48" loading="lazy" decoding="async">`;

function mainOf({ href }: KindItem, { title, text, isCode }: Parts): Html {
  const words = isCode === true ? html`<code>${title}</code>` : html`<bdi>${title}</bdi>`;
  return html`<span class="item-main"><a class="item-title" href="${href}">${words}</a>${text === undefined ? "" : html` <span class="item-text"><bdi>${text}</bdi></span>`}</span>`;
}

const asideOf = ({ aside }: Parts): Html | "" =>
  aside === undefined ? "" : html`<span class="item-aside">${aside}</span>`;
