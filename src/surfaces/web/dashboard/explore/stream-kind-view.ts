// A stream in the view of its kind: inbox, chat bubbles, calendar, ledger, grid, or lines by month.
import { html } from "hono/html";
import { countOf } from "../../format.ts";
import { agenda, besides, monthGrid, weekList } from "../../kinds/calendar.ts";
import { photoGrid } from "../../kinds/grid.ts";
import { firstWords, isMine, type KindFrame, textOf } from "../../kinds/item.ts";
import { ledger } from "../../kinds/ledger.ts";
import { bubbles, mediaWords } from "../../kinds/message.ts";
import { metricCards } from "../../kinds/metrics.ts";
import { rows, rowsByMonth } from "../../kinds/rows.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { changed, type Pairs, streamAddress } from "./addresses.ts";
import { dayAt } from "./local-days.ts";
import { placeOf, type StreamView } from "./stream-data.ts";
import type { InboxEntry } from "./stream-kind.ts";

export function kindBody(view: StreamView, { times, now }: PageFrame): Html {
  const { listing, state } = view;
  if (listing === undefined) return html``;
  const { kind, items, calendar, ledger: sums, metrics, inbox, conversation, me } = listing;
  const frame: KindFrame = { times, me };
  const today = dayAt(now, times.zone);
  const to = (pairs: Pairs): string => streamAddress(placeOf(view), pairs);
  if (calendar !== undefined) {
    const dayHref = (day: string): string => to(changed(state.pairs, { show: "week", at: day }));
    return html`${turns(view, times)}${calendar.show === "month" ? monthGrid(calendar, items, frame, today, dayHref) : weekList(calendar, items, frame, today)}`;
  }
  if (inbox !== undefined) return inboxList(inbox, frame);
  if (conversation !== undefined) return bubbles([...items].reverse(), frame);
  if (sums !== undefined) return ledger(items, sums, frame);
  if (kind === "photo") return photoGrid(items, frame);
  if (metrics !== undefined) return html`${metricCards(metrics, times)}${rowsByMonth(items, frame)}`;
  if (kind === "event") return agenda(items, frame);
  return kind === "person" || kind === "conversation" || kind === "account"
    ? rows(items, frame)
    : rowsByMonth(items, frame);
}

/** Links to the previous and next period of a calendar. */
function turns(view: StreamView, times: PageFrame["times"]): Html {
  const { state } = view;
  const calendar = view.listing!.calendar!;
  const [before, behind] = besides(calendar);
  const to = (at: string): string => streamAddress(placeOf(view), changed(state.pairs, { at }));
  const name =
    calendar.show === "month" ? times.monthWords(calendar.at.slice(0, 7)) : times.span(calendar.since, calendar.until);
  return html`<nav class="row turns" aria-label="Other ${calendar.show}s"><h2>${name}</h2><span class="end row"><a class="button small" rel="prev" href="${to(before)}">Earlier</a><a class="button small" rel="next" href="${to(behind)}">Later</a></span></nav>`;
}

function inboxList(entries: readonly InboxEntry[], frame: KindFrame): Html {
  return html`<ul class="items inbox">${entries.map(({ name, href, count, last }) => {
    const who = isMine(last, "from", frame) ? "You" : textOf(last, "from");
    const words = firstWords(textOf(last, "text")) ?? mediaWords(last);
    return html`<li class="item"><span class="item-main"><a class="item-title" href="${href}"><bdi>${name}</bdi></a> <span class="item-text"><bdi>${who === undefined ? "" : `${who}: `}${words}</bdi></span></span><span class="item-aside note">${countOf(count, "message")}</span>${last.when === undefined ? "" : html`<span class="item-when">${frame.times.short(last.when)}</span>`}</li>`;
  })}</ul>`;
}
