// Chat: bubbles by day, the owner's on the other side, and media inline.
import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { fileList, filesOf } from "./files.ts";
import { dayOf, firstWords, isMine, type KindFrame, type KindItem, textOf } from "./item.ts";
import type { KindView } from "./kind-view.ts";

export const message: KindView = {
  parts(item, frame) {
    const words = firstWords(textOf(item, "text"), 240);
    const conversation = textOf(item, "conversation");
    return {
      who: isMine(item, "from", frame) ? "You" : (textOf(item, "from") ?? "Unknown sender"),
      title: words ?? mediaWords(item),
      ...(conversation === undefined ? {} : { text: conversation }),
    };
  },
  page: (item, frame) => bubbles(frame.around.length > 0 ? frame.around : [item], frame, item.id),
};

/** A message without text is a file or an event. */
export function mediaWords(item: KindItem): string {
  const [file] = filesOf(item);
  if (file === undefined) return "(no text)";
  return file.picture ? "Photo" : file.name;
}

/** Shows messages oldest first. The sender is shown when the speaker changes or a day begins. */
export function bubbles(items: readonly KindItem[], frame: KindFrame, shown?: string): Html {
  const days = Map.groupBy(items, (item) => dayOf(item, frame.times) ?? "");
  return html`<div class="chat">${[...days].map(
    ([day, own]) => html`<section aria-label="${day === "" ? "Without a date" : frame.times.dayWords(day)}">
<h2 class="chat-day">${day === "" ? "Without a date" : frame.times.dayWords(day)}</h2>
<ol>${own.map((item, index) => bubble(item, own[index - 1], frame, shown))}</ol></section>`,
  )}</div>`;
}

function bubble(item: KindItem, before: KindItem | undefined, frame: KindFrame, shown: string | undefined): Html {
  const mine = isMine(item, "from", frame);
  const from = textOf(item, "from") ?? "";
  const isSame = before !== undefined && (textOf(before, "from") ?? "") === from;
  const text = textOf(item, "text");
  const files = filesOf(item);
  const time = item.when === undefined || item.when.isDay ? "Open" : frame.times.clock(item.when.at);
  return html`<li class="bubble${mine ? " mine" : ""}${item.id === shown ? " shown" : ""}"${item.id === shown ? html` id="shown"` : ""}>${
    isSame || mine || from === "" ? "" : html`<span class="bubble-who"><bdi>${from}</bdi></span>`
  }${text === undefined ? "" : html`<span class="bubble-text"><bdi>${text}</bdi></span>`}${fileList(files)}${
    text === undefined && files.length === 0 ? html`<span class="note">${mediaWords(item)}</span>` : ""
  }<a class="bubble-time" href="${item.href}" aria-label="${from} at ${time}">${time}</a></li>`;
}
