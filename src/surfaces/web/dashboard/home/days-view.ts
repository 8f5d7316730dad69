// Days with their records: a card for each single record, and a few lines that summarise many records of the same kind.
import { html, raw } from "hono/html";
import { countOf } from "../../format.ts";
import { pictureOf } from "../../kinds/files.ts";
import { dayOf, fieldOf, firstWords, isMine, type KindFrame, textOf } from "../../kinds/item.ts";
import { partsOf } from "../../kinds/kinds.ts";
import { mediaWords } from "../../kinds/message.ts";
import { card } from "../../kinds/rows.ts";
import type { Html } from "../../layout.ts";
import { type Pairs, pair, streamAddress } from "../explore/addresses.ts";
import { dayAfter } from "../explore/local-days.ts";
import { type Burst, isBurst, partsOfDay } from "./bursts.ts";
import type { TimelineItem } from "./timeline-items.ts";

interface DaysFrame {
  /** `YYYY-MM-DD` in the owner's calendar. */
  today: string;
  /** The day or period that the page shows. */
  at: string | undefined;
  /** The link for a day's heading. */
  href(day: string): string;
}

export function showDays(items: readonly TimelineItem[], { today, at, href }: DaysFrame, frame: KindFrame): Html {
  const byDay = Map.groupBy(items, (item) => dayOf(item, frame.times) ?? "");
  return html`${[...byDay].map(
    ([
      day,
      own,
    ]) => html`<section class="day"><h2${at === day ? raw(' class="visually-hidden"') : ""}><a class="calm quiet" href="${href(day)}">${dayName(day, today, frame)}</a></h2>
<ul class="items">${partsOfDay(own).map((part) => (isBurst(part) ? burst(part, day, frame) : card(part, frame, part.source)))}</ul></section>`,
  )}`;
}

function dayName(day: string, today: string, { times }: KindFrame): string {
  if (day === today) return `Today, ${times.dayWords(day)}`;
  return day === dayAfter(today, -1) ? `Yesterday, ${times.dayWords(day)}` : times.dayWords(day);
}

/** The number of lines shown for a burst. Its title links to all of its records. */
const LINES = 4;
const PICTURES = 8;

function burst({ kind, name, items }: Burst, day: string, frame: KindFrame): Html {
  const [latest] = items as [TimelineItem];
  const time = latest.when === undefined || latest.when.isDay ? "" : frame.times.clock(latest.when.at);
  const href = streamAddress(latest, burstPairs(latest, name, day));
  const head = html`<span class="item-clock">${time}</span><div class="burst"><p><a class="item-title" href="${href}"><bdi>${name}</bdi></a> <span class="item-text">${burstWords(kind, items.length)}</span></p>`;
  if (kind === "photo")
    return html`<li class="item timed">${head}<ul class="strip">${items.slice(0, PICTURES).map((item) => picture(item))}</ul></div></li>`;
  const shown = items.slice(0, LINES);
  const lines = kind === "message" ? shown.reverse() : shown;
  return html`<li class="item timed">${head}<ul class="burst-lines">${lines.map((item) => html`<li>${line(item, frame)}</li>`)}</ul></div></li>`;
}

function burstWords(kind: Burst["kind"], count: number): string {
  if (kind === "message") return countOf(count, "message");
  if (kind === "photo") return countOf(count, "photo");
  if (kind === "play") return `${countOf(count, "track")} played`;
  if (kind === "page") return countOf(count, "page");
  return kind === "command" ? countOf(count, "command") : countOf(count, "value");
}

/** Filters for the same chat on the same day, in its stream. */
function burstPairs(item: TimelineItem, name: string, day: string): Pairs {
  const [conversation, time] = [fieldOf(item, "conversation"), fieldOf(item, "time")];
  return [
    ...(item.kind === "message" && conversation !== undefined ? [pair(`filter[${conversation}]`, name)] : []),
    ...(time === undefined || day === "" ? [] : [pair(`since[${time}]`, day), pair(`until[${time}]`, day)]),
  ];
}

function line(item: TimelineItem, frame: KindFrame): Html {
  if (item.kind === "message") {
    const who = isMine(item, "from", frame) ? "You" : (textOf(item, "from") ?? "");
    return html`<span class="note"><bdi>${who}</bdi></span> <bdi>${firstWords(textOf(item, "text"), 200) ?? mediaWords(item)}</bdi>`;
  }
  const { title, text, aside, isCode } = partsOf(item, frame);
  const words = isCode === true ? html`<code>${title}</code>` : html`<bdi>${title}</bdi>`;
  return html`${words}${text === undefined ? "" : html` <span class="note"><bdi>${text}</bdi></span>`}${aside === undefined ? "" : html` <span class="note">${aside}</span>`}`;
}

function picture(item: TimelineItem): Html {
  const small = pictureOf(item, "thumbnail", "picture");
  return html`<li><a href="${item.href}">${small === undefined ? html`<bdi>${item.title}</bdi>` : html`<img src="${small.href}" alt="${item.title}" width="96" height="96" loading="lazy" decoding="async">`}</a></li>`;
}
