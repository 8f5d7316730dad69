// One record, for its owner: where a citation leads.
import { html } from "hono/html";
import { formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { Frame, Shown } from "../owner-page.ts";
import type { Snippet } from "../snippets.ts";
import type { Times } from "../times.ts";

export interface RecordField {
  name: string;
  label?: string;
  /** text: a line or many. json: shown as it is written. */
  kind: "text" | "json" | "time";
  value: string;
  /** Only a part is shown; the rest is behind the link. */
  more?: { shown: number; total: number; href: string };
}

export interface RecordView {
  title: string;
  source: string;
  connection: { id: string; label: string };
  stream: { name: string; label: string };
  recordId: string;
  at?: string;
  fields: readonly RecordField[];
  provenance: readonly { label: string; value: string }[];
  snippets: readonly Snippet[];
}

/** Longer values get a block of their own. */
const LINE_LENGTH_MAX = 120;

export function showRecord(view: RecordView, { times }: Frame): Shown {
  const { title, source, connection, stream, recordId, at, fields, provenance, snippets } = view;
  return {
    title,
    width: "middle",
    snippets,
    body: html`<article class="record">
<p class="eyebrow">${source} · <bdi>${connection.label}</bdi> · ${stream.label}</p>
<h1><bdi>${title}</bdi></h1>
${at === undefined ? "" : html`<p class="note">${times.instant(at)}</p>`}
<dl class="record-fields">${fields.map((field) => fieldBlock(field, times))}</dl>
<section aria-labelledby="from"><h2 id="from">Where it comes from</h2>
<dl class="facts">${[
      { label: "Connection", value: connection.id },
      { label: "Stream", value: stream.name },
      { label: "Record", value: recordId },
      ...provenance,
    ].map(({ label, value }) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl></section>
</article>`,
  };
}

function fieldBlock({ name, label, kind, value, more }: RecordField, times: Times): Html {
  const long = kind === "json" || value.length > LINE_LENGTH_MAX || value.includes("\n") || more !== undefined;
  const shown =
    kind === "time"
      ? times.instant(value)
      : kind === "json"
        ? html`<pre tabindex="0" aria-label="${label ?? name}"><code>${value}</code></pre>`
        : html`<div class="text"><bdi>${value}</bdi></div>`;
  const rest =
    more === undefined
      ? ""
      : html`<p class="note">${formatNumber(more.shown)} of ${formatNumber(more.total)} characters. <a href="${more.href}">Read on<span class="visually-hidden"> in ${label ?? name}</span></a></p>`;
  return html`<div class="${long ? "long" : ""}"><dt>${label ?? name}</dt><dd>${shown}${rest}</dd></div>`;
}
