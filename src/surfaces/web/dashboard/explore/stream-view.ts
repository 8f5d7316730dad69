// The view of a stream: filters, activity, a table of its records, and the next page.
import { html, raw } from "hono/html";
import type { Kind } from "../../../../contract/kinds.ts";
import { lightboxScriptPath } from "../../assets.ts";
import { countOf, formatDay, formatNumber } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { changed, connectionAddress, EXPLORE, type Pairs, streamAddress } from "./addresses.ts";
import { activity, chartsBody } from "./stream-charts-view.ts";
import { placeOf, type StreamView } from "./stream-data.ts";
import { columnsForm, filterForm } from "./stream-forms.ts";
import { kindBody } from "./stream-kind-view.ts";
import { type Condition, PAGE_SIZES, type StreamShow } from "./stream-state.ts";
import { cell } from "./values.ts";

export function showStream(view: StreamView, frame: PageFrame): PageContent {
  const { connection, stream, source, state, count, exports, snippets } = view;
  const place = placeOf(view);
  const chosen = view.listing?.conversation;
  const to = (pairs: Pairs): string => streamAddress(place, pairs);
  const others = state.pairs.filter(([name]) => name !== "show" && name !== "at");
  // Columns and a sort order in the address imply a table, so any other view must be given explicitly.
  const isUsual = (show: StreamShow): boolean =>
    show === view.shows[0] && !others.some(([name]) => /^(?:fields|sort)/.test(name));
  const tab = (show: StreamShow): Html =>
    html`<a href="${to(isUsual(show) ? others : changed(others, { show }))}"${state.show === show ? raw(' aria-current="page"') : ""}>${showWords(view, show)}</a>`;
  return {
    title: `${stream.label} · ${connection.label}`,
    ...(view.kind === "photo" && state.show === "list" ? { scripts: [lightboxScriptPath] } : {}),
    snippets,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${EXPLORE}">Explore</a> <span aria-hidden="true">›</span> <a href="${connectionAddress(connection.id)}"><bdi>${connection.label}</bdi></a>${chosen === undefined ? "" : html` <span aria-hidden="true">›</span> <a href="${to([])}"><bdi>${stream.label}</bdi></a>`}</nav>
<div class="page-head"><div><h1><bdi>${chosen ?? stream.label}</bdi></h1>
<p class="lead">${countOf(count, "record")}${state.conditions.length === 0 ? "" : count === 1 ? " matches" : " match"} · <bdi>${source}</bdi>${view.kind !== undefined || stream.description === undefined ? "" : html` · <bdi>${stream.description}</bdi>`}</p></div>
${view.searchable ? searchIn(view) : ""}</div>
${state.notes.length === 0 ? "" : html`<div class="alert warn" role="status">${state.notes.map((note) => html`<p><bdi>${note}</bdi></p>`)}</div>`}
<div class="tabs"><nav class="pick" aria-label="How to show it">${view.shows.map(tab)}</nav><span class="end note">Export <a href="${exports.csv}" download>CSV</a> · <a href="${exports.jsonl}" download>JSON lines</a></span></div>
<div class="row tools">${filterForm(view)}${state.show === "table" ? columnsForm(view, frame.csrf) : ""}</div>
${chips(view, to)}
${state.show === "charts" ? chartsBody(view) : body(view, frame, to)}`,
  };
}

const SHOW_WORDS: Record<StreamShow, string> = {
  list: "List",
  month: "Month",
  week: "Week",
  table: "Table",
  charts: "Charts",
};

function showWords({ kind }: StreamView, show: StreamShow): string {
  if (show !== "list") return SHOW_WORDS[show];
  const own: Partial<Record<Kind, string>> = {
    event: "Agenda",
    photo: "Grid",
    message: "Chats",
    transaction: "Ledger",
  };
  return (kind === undefined ? undefined : own[kind]) ?? SHOW_WORDS.list;
}

function body(view: StreamView, frame: PageFrame, to: (pairs: Pairs) => string): Html {
  const { state, listing, count } = view;
  if (state.show === "table") return html`${activity(view)}${table(view, frame)}${pager(view, to)}`;
  if (count === 0) return nothing(view);
  // A calendar and a list of chats are complete, so they need no pager. A conversation continues upwards.
  if (listing?.calendar !== undefined || listing?.inbox !== undefined) return kindBody(view, frame);
  if (listing?.conversation !== undefined) return html`${earlier(view, to)}${kindBody(view, frame)}`;
  const hasChart = view.kind !== "person" && listing?.metrics === undefined;
  return html`${hasChart ? activity(view) : ""}${kindBody(view, frame)}${pager(view, to)}`;
}

function earlier({ state, next }: StreamView, to: (pairs: Pairs) => string): Html {
  return html`<nav class="row pager" aria-label="Pages">${next === undefined ? "" : html`<a class="button small" rel="next" href="${to([...state.pairs, ["cursor", next]])}">Earlier messages</a>`}${state.cursor === undefined ? "" : html`<a class="button small end" href="${to(state.pairs)}">Latest messages</a>`}</nav>`;
}

function searchIn({ connection, stream }: StreamView): Html {
  return html`<form class="search-form" action="${EXPLORE}" role="search">${hidden({ connection: connection.id, stream: stream.name })}<input type="search" name="q" aria-label="Search in ${stream.label}" placeholder="Search in ${stream.label}"><button class="button">Search</button></form>`;
}

/** Shows each filter with a link that removes it. */
function chips({ state, fields }: StreamView, to: (pairs: Pairs) => string): Html | "" {
  if (state.conditions.length === 0) return "";
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return html`<ul class="chips" aria-label="Filters">${state.conditions.map((condition) => {
    const words = `${labels.get(condition.field)} ${OPERATORS[condition.op]} `.replace("  ", " ");
    const value = shownValue(condition);
    return html`<li><a class="chip" href="${to(changed(state.pairs, { [condition.param]: null }))}" aria-label="Remove: ${words}${value}"><bdi>${words}<b>${value}</b></bdi> <span aria-hidden="true">×</span></a></li>`;
  })}${state.conditions.length > 1 ? html`<li><a href="${to(state.pairs.filter(([name]) => !/^(filter|since|until)\[/.test(name)))}">Clear all</a></li>` : ""}</ul>`;
}

const OPERATORS: Record<Condition["op"], string> = {
  is: "is",
  gte: "≥",
  gt: ">",
  lte: "≤",
  lt: "<",
  contains: "contains",
  in: "is one of",
  ne: "is not",
  exists: "",
  since: "from",
  until: "until",
};

const shownValue = ({ op, value }: Condition): string =>
  op === "exists"
    ? value === "true"
      ? "has a value"
      : "has no value"
    : op === "since" || op === "until"
      ? formatDay(value)
      : value === "true"
        ? "yes"
        : value === "false"
          ? "no"
          : value;

function table(view: StreamView, { times }: PageFrame): Html {
  const { rows, state, fields, stream } = view;
  if (rows.length === 0) return nothing(view);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const columns = state.columns.map((name) => byName.get(name)!);
  return html`<div class="table-room" role="region" aria-label="${stream.label}" tabindex="0"><table class="records">
<thead><tr>${columns.map((column) => header(view, column))}</tr></thead>
<tbody>${rows.map(
    ({ id, href, data }) =>
      html`<tr>${columns.map(({ name, kind }, index) => {
        const value = data[name];
        if (index > 0) return html`<td${kind === "number" ? NUMBER : ""}>${cell(kind, name, value, times)}</td>`;
        const shown =
          value === undefined || value === null || value === ""
            ? html`<bdi>${id}</bdi>`
            : cell(kind, name, value, times);
        return html`<th scope="row"><a class="calm" href="${href}">${shown}</a></th>`;
      })}</tr>`,
  )}</tbody></table></div>`;
}

const NUMBER = raw(' class="number"');

/** Times and numbers start with the largest, and text with A. A second click reverses the order. */
function header(view: StreamView, { name, label, kind, sorts }: StreamView["fields"][number]): Html {
  const { state, orderedBy } = view;
  const current = state.sort ?? (orderedBy === undefined ? undefined : `-${orderedBy}`);
  const active = current?.replace(/^-/, "") === name;
  const descending = active ? !current!.startsWith("-") : kind === "time" || kind === "day" || kind === "number";
  const sorted = active ? (current!.startsWith("-") ? "descending" : "ascending") : undefined;
  const arrow =
    sorted === undefined ? "" : html` <span aria-hidden="true">${sorted === "descending" ? "↓" : "↑"}</span>`;
  const href = streamAddress(placeOf(view), changed(state.pairs, { sort: `${descending ? "-" : ""}${name}` }));
  return html`<th scope="col"${kind === "number" ? NUMBER : ""}${sorted === undefined ? "" : raw(` aria-sort="${sorted}"`)}>${sorts ? html`<a class="calm quiet" href="${href}"><bdi>${label}</bdi>${arrow}</a>` : html`<bdi>${label}</bdi>`}</th>`;
}

function nothing({ state, stream }: StreamView): Html {
  return state.conditions.length === 0
    ? html`<p class="empty">Nothing in ${stream.label} yet. <a href="/dashboard/import">Import files</a> to fill it.</p>`
    : html`<p class="empty">No matching records. Remove or widen a filter above.</p>`;
}

function pager({ state, rows, listing, count, next }: StreamView, to: (pairs: Pairs) => string): Html | "" {
  const shown = listing?.items.length ?? rows.length;
  if (shown === 0 || count <= PAGE_SIZES[0]) return "";
  const size = (limit: number): Html =>
    html`<a href="${to(changed(state.pairs, { limit: String(limit) }))}"${state.limit === limit ? raw(' aria-current="true"') : ""}>${limit}</a>`;
  return html`<nav class="row pager" aria-label="Pages"><span class="note">${formatNumber(shown)} of ${countOf(count, "record")}</span><span class="pick" role="group" aria-label="Records per page">${PAGE_SIZES.map(size)}</span><span class="end row">${state.cursor === undefined ? "" : html`<a class="button" href="${to(state.pairs)}">First page</a>`}${next === undefined ? "" : html`<a class="button" rel="next" href="${to([...state.pairs, ["cursor", next]])}">Next page</a>`}</span></nav>`;
}
