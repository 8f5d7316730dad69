// Calendar: an event with its times, place and people. All-day events have no times.
import { html } from "hono/html";
import type { Html } from "../layout.ts";
import type { Times } from "../times.ts";
import { type Fact, facts } from "./facts.ts";
import { fewNames, type KindItem, namesOf, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";
import { placeName, placeWords } from "./place.ts";
import { plainText } from "./plain-text.ts";

export const event: KindView = {
  parts(item, { times }) {
    const text = [placeName(item), fewNames(namesOf(item, "participants"))].filter(Boolean).join(" · ");
    return {
      title: item.title,
      ...(text === "" ? {} : { text }),
      aside: html`${hoursOf(item, times)}`,
      isOver: isCancelled(item),
    };
  },
  page(item, { times }) {
    const organiser = textOf(item, "organiser") ?? namesOf(item, "organiser")[0];
    const list: Fact[] = [
      ["When", whenWords(item, times)],
      ["Where", placeWords(item)],
      ["With", fewNames(namesOf(item, "participants"), 12)],
      ["Organised by", organiser],
      ["Status", isCancelled(item) ? "Cancelled" : undefined],
    ];
    return html`${facts(list)}${plainText(textOf(item, "text"))}`;
  },
};

export const isCancelled = (item: KindItem): boolean => textOf(item, "status")?.toLowerCase() === "cancelled";

/** Returns the last day of an all-day event, whose end is the midnight after it. */
export function lastDayOf(item: KindItem): string {
  const end = textOf(item, "end");
  const first = item.when!.at;
  if (end === undefined) return first;
  const at = Date.parse(end);
  const last = Number.isNaN(at) ? first : new Date(at - 1).toISOString().slice(0, 10);
  return last < first ? first : last;
}

/** "19:00 – 21:15", "All day" */
export function hoursOf(item: KindItem, times: Times): string {
  const { when } = item;
  if (when === undefined) return "";
  if (when.isDay) return "All day";
  const end = textOf(item, "end");
  const from = times.clock(when.at);
  return end === undefined || times.clock(end) === from ? from : `${from} – ${times.clock(end)}`;
}

function whenWords(item: KindItem, times: Times): Html | undefined {
  const { when } = item;
  if (when === undefined) return undefined;
  if (when.isDay) {
    const last = lastDayOf(item);
    return html`${times.dayWords(when.at)}${last === when.at ? "" : ` – ${times.dayWords(last)}`}, all day`;
  }
  return html`${times.dayWords(times.dayKey(when.at))}, ${hoursOf(item, times)}`;
}
