// The page of one record: its fields, its files, its context, and its origin.
import { html } from "hono/html";
import type { Kind } from "../../../contract/kinds.ts";
import { formatDay, formatNumber } from "../format.ts";
import type { KindItem } from "../kinds/item.ts";
import type { KindPageFrame } from "../kinds/kind-view.ts";
import { KIND_VIEWS, partsOf } from "../kinds/kinds.ts";
import { attribute, type Html } from "../layout.ts";
import { type SmallMap, smallMap } from "../map/small-map.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import type { Snippet } from "../snippets.ts";
import type { Times } from "../times.ts";
import { connectionAddress, EXPLORE, pair, streamAddress } from "./explore/addresses.ts";
import { inWords } from "./explore/stream-fields.ts";
import { numberWords, sizeWords } from "./explore/values.ts";
import { homeAddress } from "./home/state.ts";
import type { RecordField } from "./record-fields.ts";
import type { RecordFile } from "./record-files.ts";
import type { NamedPerson } from "./record-people.ts";
import type { Relation } from "./record-related.ts";

export interface RecordView {
  title: string;
  source: string;
  connection: { id: string; label: string };
  stream: { name: string; label: string };
  recordId: string;
  at?: string;
  /** The view of the record's kind. A record without a kind shows its fields. */
  kindView?: KindPage;
  /** The place where it happened, if known. */
  map?: SmallMap;
  /** The field whose text was requested. If set, the fields are expanded. */
  movedTo?: string;
  fields: readonly RecordField[];
  files: readonly RecordFile[];
  /** The people that the record mentions, besides the owner. */
  people: readonly NamedPerson[];
  related: readonly Relation[];
  /** The addresses of the record's neighbours in the stream. */
  newer?: string;
  older?: string;
  emittedAt: string;
  ingestedAt: string;
  /** The file or run that the record came from. */
  provenance: readonly { label: string; value: string; href?: string }[];
  snippets: readonly Snippet[];
}

export interface KindPage extends Omit<KindPageFrame, "times"> {
  item: KindItem;
}

/** Longer values get their own block. */
const LINE_LENGTH_MAX = 120;

export function showRecord(view: RecordView, { times }: PageFrame): PageContent {
  const { title, source, connection, stream, files, people, related, newer, older, snippets, kindView } = view;
  const place = { connection_id: connection.id, stream: stream.name };
  return {
    title,
    width: "middle",
    snippets,
    body: html`<article class="record">
<nav class="crumbs" aria-label="Breadcrumb"><a href="${EXPLORE}">Explore</a> <span aria-hidden="true">›</span> <a href="${connectionAddress(connection.id)}"><bdi>${connection.label}</bdi></a> <span aria-hidden="true">›</span> <a href="${streamAddress(place)}"><bdi>${stream.label}</bdi></a></nav>
<div class="page-head"><div><h1><bdi>${headingOf(view, times)}</bdi></h1>
<p class="note"><a class="calm" href="${connectionAddress(connection.id)}"><bdi>${connection.label}</bdi></a>${source === connection.label ? "" : html` · <bdi>${source}</bdi>`}${whenOf(view, times)}</p></div>
${newer === undefined && older === undefined ? "" : html`<nav class="row" aria-label="Neighbouring records">${newer === undefined ? "" : html`<a class="button small" rel="prev" href="${newer}">Newer</a>`}${older === undefined ? "" : html`<a class="button small" rel="next" href="${older}">Older</a>`}</nav>`}</div>
${kindView === undefined ? "" : html`<div class="kind-page">${KIND_VIEWS[kindView.item.kind!].page(kindView.item, { ...kindView, times })}${view.map === undefined ? "" : smallMap(view.map, kindView.item)}</div>`}
${kindView !== undefined || files.length === 0 ? "" : filesSection(files)}
${kindView === undefined ? fieldList(view, times) : ""}
${people.length === 0 ? "" : peopleSection(people)}
${related.map((relation) => relationSection(relation, times))}
${kindView === undefined ? origin(view, times) : allFields(view, times)}
</article>`,
  };
}

/**
 * Headings for kinds whose title would only repeat the content of the page, which begins with the amount or value, or
 * is only text.
 */
const HEADINGS: Partial<Record<Kind, (item: KindItem, frame: KindPageFrame) => string>> = {
  transaction: (item, frame) => partsOf(item, frame).title,
  order: (item, frame) => partsOf(item, frame).title,
  measurement: (item, frame) => partsOf(item, frame).title,
  post: () => "Post",
  command: () => "Command",
};

function headingOf({ title, kindView }: RecordView, times: Times): string {
  if (kindView?.item.kind === undefined) return title;
  return HEADINGS[kindView.item.kind]?.(kindView.item, { ...kindView, times }) ?? title;
}

const filesSection = (files: readonly RecordFile[]): Html =>
  html`<section aria-labelledby="files"><h2 id="files">Files</h2><ul class="files">${files.map(fileItem)}</ul></section>`;

const peopleSection = (people: readonly NamedPerson[]): Html =>
  html`<section aria-labelledby="people"><h2 id="people">People</h2><ul class="kind-filters">${people.map(({ name, href }) => html`<li><a class="filter" href="${href}"><bdi>${name}</bdi></a></li>`)}</ul></section>`;

const fieldList = ({ fields }: RecordView, times: Times): Html =>
  html`<dl class="record-fields">${fields.map((field) => fieldBlock(field, times))}</dl>`;

/** Shows exactly what is stored. */
function allFields(view: RecordView, times: Times): Html {
  const { files, movedTo } = view;
  return html`<details class="all-fields" id="all-fields"${attribute("open", movedTo !== undefined)}><summary>All fields</summary>
${fieldList(view, times)}${files.length === 0 ? "" : filesSection(files)}${origin(view, times)}</details>`;
}

/** A photo shows the local time of the place where it was taken. A day has no time. */
function whenOf({ at, kindView }: RecordView, times: Times): Html | "" {
  const when = kindView?.item.when;
  if (when !== undefined)
    return onTimeline(when.at, kindView?.item.kind === "photo" ? times.wall(when) : times.when(when), times);
  return at === undefined ? "" : onTimeline(at, times.instant(at), times);
}

/** Links a time to its day on the timeline. */
const onTimeline = (at: string, words: Html, times: Times): Html =>
  html` · <a class="calm" href="${homeAddress([pair("at", times.dayKey(at))])}">${words}<span class="visually-hidden"> on the timeline</span></a>`;

function fieldBlock(field: RecordField, times: Times): Html {
  const { name, label, kind, value, part } = field;
  const long =
    part !== undefined ||
    kind === "json" ||
    (kind === "table" && field.table!.columns.length > 0) ||
    (kind === "text" && (value.length > LINE_LENGTH_MAX || value.includes("\n")));
  const content = contentOf(field, times);
  return html`<div${long ? html` class="long"` : ""} id="field-${name}"><dt>${label}</dt><dd>${content}${part === undefined ? "" : partOf(part, label)}</dd></div>`;
}

function contentOf({ name, label, kind, value, href, items, table }: RecordField, times: Times): Html {
  if (kind === "none") return html`<span class="none">–</span>`;
  if (kind === "time") return times.instant(value);
  if (kind === "day") return html`${formatDay(value)}`;
  if (kind === "number") return html`${numberWords(name, Number(value))}`;
  if (kind === "boolean") return html`${value}`;
  if (kind === "url")
    return html`<bdi>${value}</bdi> <a href="${href}" target="_blank" rel="noreferrer noopener">Open<span class="visually-hidden"> ${label} in a new tab</span></a>`;
  if (kind === "json") return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${value}</code></pre>`;
  if (kind === "list")
    return html`<ul class="values">${items!.map((item) => html`<li><bdi>${item}</bdi></li>`)}</ul>${asJson(value, label)}`;
  if (kind === "table") return html`${tableOf(table!, label)}${asJson(value, label)}`;
  return html`<div class="text"><bdi>${value}</bdi></div>`;
}

function tableOf({ columns, rows }: NonNullable<RecordField["table"]>, label: string): Html {
  if (columns.length === 0)
    return html`<dl class="facts">${rows.map(([key, value]) => html`<div><dt><bdi>${inWords(key!)}</bdi></dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`;
  return html`<div class="table-room" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${columns.map((column) => html`<th scope="col"><bdi>${inWords(column)}</bdi></th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((value) => html`<td><bdi>${value}</bdi></td>`)}</tr>`)}</tbody></table></div>`;
}

/** Shows exactly what is stored. */
const asJson = (value: string, label: string): Html =>
  html`<details class="as-json"><summary class="note">As JSON<span class="visually-hidden">: ${label}</span></summary><pre tabindex="0" role="region" aria-label="${label} as JSON"><code>${value}</code></pre></details>`;

function partOf({ from, to, total, before, after }: NonNullable<RecordField["part"]>, label: string): Html {
  const of = html`<span class="visually-hidden"> in ${label}</span>`;
  return html`<p class="note row">${formatNumber(from + 1)}–${formatNumber(to)} of ${formatNumber(total)} characters${before === undefined ? "" : html` <a href="${before}">Previous part${of}</a>`}${after === undefined ? "" : html` <a href="${after}">Next part${of}</a>`}</p>`;
}

function fileItem({ name, type, bytes, href, picture, value }: RecordFile): Html {
  return html`<li>${picture ? html`<a href="${href}"><img src="${href}" alt="${name}" width="200" height="150" loading="lazy" decoding="async"></a>` : ""}
<p><a href="${href}" download><bdi>${name}</bdi></a></p><p class="note"><bdi>${type}</bdi>, ${sizeWords(bytes)}</p>${asJson(value, name)}</li>`;
}

function relationSection({ label, stream, records, more }: Relation, times: Times): Html {
  return html`<section><h2><bdi>${label}</bdi></h2><ul class="list">${records.map(
    ({ href, title, at }) =>
      html`<li class="row"><a href="${href}"><bdi>${title}</bdi></a>${at === undefined ? "" : html`<span class="end note">${times.instant(at)}</span>`}</li>`,
  )}</ul>${more === undefined ? "" : html`<p><a href="${more}">All of them in <bdi>${stream}</bdi></a></p>`}</section>`;
}

function origin({ connection, stream, recordId, emittedAt, ingestedAt, provenance }: RecordView, times: Times): Html {
  const facts: [string, Html][] = [
    [
      "Connection",
      html`<a href="${connectionAddress(connection.id)}"><bdi>${connection.label}</bdi></a> <code>${connection.id}</code>`,
    ],
    ["Stream", html`<code>${stream.name}</code>`],
    ["Record", html`<code>${recordId}</code>`],
    ["As of", times.instant(emittedAt)],
    ["Imported", times.instant(ingestedAt)],
    ...provenance.map(({ label, value, href }): [string, Html] => [
      label,
      href === undefined ? html`<bdi>${value}</bdi>` : html`<a href="${href}"><bdi>${value}</bdi></a>`,
    ]),
  ];
  return html`<section aria-labelledby="from"><h2 id="from">Where it comes from</h2>
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}
