// Email: sender, subject and first words in a list, and the whole thread on the page of an email.
import { html } from "hono/html";
import { countOf } from "../format.ts";
import type { Html } from "../layout.ts";
import { fileList, filesOf } from "./files.ts";
import { fewNames, firstWords, heldBy, isMine, type KindFrame, type KindItem, namesOf, textOf } from "./item.ts";
import type { KindPageFrame, KindView } from "./kind-view.ts";
import { unquoted } from "./quoted.ts";

export const email: KindView = {
  parts(item, frame) {
    const text = firstWords(textOf(item, "text"));
    const files = heldBy(item, "attachments");
    return {
      who: whoOf(item, frame),
      title: textOf(item, "title") ?? "(no subject)",
      ...(text === undefined ? {} : { text }),
      ...(Array.isArray(files) && files.length > 0 ? { aside: clip(files.length) } : {}),
      isNew: heldBy(item, "unread") === true,
    };
  },
  page: (item, frame) =>
    html`<ol class="thread">${(frame.around.length > 0 ? frame.around : [item]).map((mail) => mailIn(mail, item, frame))}</ol>`,
};

/** For an email that the owner sent, shows the recipients. */
function whoOf(item: KindItem, frame: KindFrame): string {
  const to = namesOf(item, "to");
  if (isMine(item, "from", frame) && to.length > 0) return `To ${fewNames(to, 2)}`;
  return textOf(item, "from") ?? "Unknown sender";
}

const clip = (count: number): Html => html`<span class="clip">${countOf(count, "file")}</span>`;

function mailIn(mail: KindItem, shown: KindItem, frame: KindPageFrame): Html {
  const isShown = mail.id === shown.id;
  const to = namesOf(mail, "to");
  const cc = namesOf(mail, "cc");
  const head = html`<span class="thread-who"><bdi>${textOf(mail, "from") ?? "Unknown sender"}</bdi></span><span class="end note">${mail.when === undefined ? "" : frame.times.when(mail.when)}</span>`;
  const body = textOf(mail, "text");
  const more = isShown ? frame.readOn.text : undefined;
  const content = html`<p class="note">${to.length === 0 ? "" : html`To <bdi>${fewNames(to, 6)}</bdi>`}${cc.length === 0 ? "" : html` · Cc <bdi>${fewNames(cc, 6)}</bdi>`}</p>
${body === undefined ? "" : unquoted(body)}${more === undefined ? "" : html`<p><a href="${more}">Read on</a></p>`}
${fileList(filesOf(mail))}`;
  if (isShown) return html`<li class="mail shown" id="shown"><div class="row mail-head">${head}</div>${content}</li>`;
  return html`<li class="mail"><details><summary class="mail-head">${head}<span class="thread-words"><bdi>${firstWords(body) ?? ""}</bdi></span></summary>${content}<p class="note"><a href="${mail.href}">Open this email<span class="visually-hidden"> from ${textOf(mail, "from") ?? ""}</span></a></p></details></li>`;
}
