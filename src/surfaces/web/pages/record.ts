// One record, for its owner: where a citation leads.
import { html } from "hono/html";
import { formatInstant, formatNumber } from "../format.ts";
import { documentOf, type Html, type Layout } from "../layout.ts";

export interface RecordField {
  name: string;
  label?: string;
  /** text: a line or many. json: shown as it is written. */
  kind: "text" | "json" | "time";
  value: string;
  /** Only a part is shown; the rest is behind the link. */
  more?: { shown: number; total: number; href: string };
}

export interface OwnerRecordView {
  title: string;
  source: string;
  connection: { id: string; label: string };
  stream: { name: string; label: string };
  recordId: string;
  at?: string;
  fields: readonly RecordField[];
  provenance: readonly { label: string; value: string }[];
  /** The same record elsewhere: curl, CLI, MCP. */
  snippets: readonly { label: string; text: string }[];
  owner?: Layout["owner"];
  nav?: Layout["nav"];
}

/** Longer values get a block of their own. */
const LINE_LENGTH_MAX = 120;

export function ownerRecordPage(view: OwnerRecordView): string {
  const { title, source, connection, stream, recordId, at, fields, provenance, snippets, owner, nav } = view;
  return documentOf({
    title,
    owner,
    nav,
    width: "middle",
    body: html`<article class="record">
<p class="eyebrow">${source} · <bdi>${connection.label}</bdi> · ${stream.label}</p>
<h1><bdi>${title}</bdi></h1>
${at === undefined ? "" : html`<p class="note"><time datetime="${at}">${formatInstant(at)}</time></p>`}
<dl class="record-fields">${fields.map(fieldBlock)}</dl>
<section aria-labelledby="from"><h2 id="from">Where it comes from</h2>
<dl class="facts">${[
      { label: "Connection", value: connection.id },
      { label: "Stream", value: stream.name },
      { label: "Record", value: recordId },
      ...provenance,
    ].map(({ label, value }) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl></section>
<section aria-labelledby="elsewhere"><h2 id="elsewhere">The same elsewhere</h2>
${snippets.map(({ label, text }) => html`<details class="snippet"><summary>${label}</summary><pre tabindex="0" aria-label="${label}"><code>${text}</code></pre></details>`)}</section>
</article>`,
  });
}

function fieldBlock({ name, label, kind, value, more }: RecordField): Html {
  const long = kind === "json" || value.length > LINE_LENGTH_MAX || value.includes("\n") || more !== undefined;
  const shown =
    kind === "time"
      ? html`<time datetime="${value}">${formatInstant(value)}</time>`
      : kind === "json"
        ? html`<pre tabindex="0" aria-label="${label ?? name}"><code>${value}</code></pre>`
        : html`<div class="text"><bdi>${value}</bdi></div>`;
  const rest =
    more === undefined
      ? ""
      : html`<p class="note">${formatNumber(more.shown)} of ${formatNumber(more.total)} characters. <a href="${more.href}">Read on<span class="visually-hidden"> in ${label ?? name}</span></a></p>`;
  return html`<div class="${long ? "long" : ""}"><dt>${label ?? name}</dt><dd>${shown}${rest}</dd></div>`;
}
