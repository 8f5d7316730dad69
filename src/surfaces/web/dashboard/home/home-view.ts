// The view of the timeline: search on top, this day in earlier years, then days with their records, with months and
// years next to them.
import { html, raw } from "hono/html";
import { countOf, formatNumber } from "../../format.ts";
import { firstWords, type KindFrame } from "../../kinds/item.ts";
import { partsOf } from "../../kinds/kinds.ts";
import type { Html } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { changed, EXPLORE, pair } from "../explore/addresses.ts";
import { dayAfter, labelOf } from "../explore/local-days.ts";
import { nothingYet, runningList } from "../overview-view.ts";
import { showDays } from "./days-view.ts";
import type { HomeView } from "./home-data.ts";
import { homeAddress, isFiltered, KIND_WORDS } from "./state.ts";

export function showHome(view: HomeView, { times, origin }: PageFrame): PageContent {
  const { state, today, me, attention, running, earlier, connections } = view;
  if (connections.length === 0 && running.length === 0) return { title: "Home", body: nothingYet() };
  const frame: KindFrame = { times, me };
  const [firstDay] = state.at === undefined && state.cursor === undefined && !isFiltered(state) ? [today] : [];
  return {
    title: "Timeline",
    body: html`<h1 class="visually-hidden">Timeline</h1>
<form class="search-form wide home-search" action="${EXPLORE}" role="search"><input type="search" name="q" aria-label="Search everything" placeholder="Search everything" autocomplete="off"><button class="button primary">Search</button></form>
${attention.map(({ text, action, href }) => html`<p class="notice"><bdi>${text}</bdi> <a href="${href}">${action}</a></p>`)}
${runningList(running)}
${filters(view)}
<div class="timeline"><div id="list" tabindex="-1">
${heading(view, frame)}
${firstDay === undefined || earlier.length === 0 ? "" : onThisDay(view, frame)}
${days(view, frame)}
${pager(view)}
</div>
${zoom(view, frame)}</div>`,
    snippets: [
      curl(origin, "/v1/timeline?limit=25"),
      command("query", "all", "--changes-since", dayAfter(today, -7), "--server", origin),
    ],
  };
}

/** Shows the current month or day, with a link back. */
function heading({ state, days: counted }: HomeView, { times }: KindFrame): Html | "" {
  const { at, pairs } = state;
  if (at === undefined) return "";
  const words = at.length === 4 ? at : at.length === 7 ? times.monthWords(at) : times.dayWords(at);
  const wider = at.length === 10 ? at.slice(0, 7) : at.length === 7 ? at.slice(0, 4) : undefined;
  const out = wider === undefined ? "Latest" : wider.length === 4 ? wider : times.monthWords(wider);
  return html`<header class="row zoomed"><h2>${words}</h2><a class="end" href="${homeAddress(changed(pairs, { at: wider ?? null }))}">${out}</a></header>${
    counted === undefined || counted.length === 0
      ? ""
      : html`<nav class="pick day-pick" aria-label="Days of ${words}">${[...counted].reverse().map(({ key, count }) => html`<a href="${homeAddress(changed(pairs, { at: key }))}" title="${countOf(count, "record")}">${Number(key.slice(8))}<span class="visually-hidden"> ${times.monthWords(key.slice(0, 7))}</span></a>`)}</nav>`
  }`;
}

function onThisDay({ earlier, today }: HomeView, frame: KindFrame): Html {
  return html`<section class="earlier" aria-labelledby="earlier"><h2 id="earlier">On this day</h2><ul class="earlier-years">${earlier.map(
    ({ year, items }) =>
      html`<li><h3><a class="calm" href="${homeAddress([pair("at", `${year}${today.slice(4)}`)])}">${yearsAgo(Number(today.slice(0, 4)) - Number(year))}</a> <span class="note">${year}</span></h3><ul>${items.map(
        (item) => {
          const { who, title, text } = partsOf(item, frame);
          return html`<li><a class="calm" href="${item.href}"><bdi>${who === undefined ? title : `${who}: ${title}`}</bdi></a>${text === undefined ? "" : html` <span class="note"><bdi>${firstWords(text, 80)}</bdi></span>`}</li>`;
        },
      )}</ul></li>`,
  )}</ul></section>`;
}

const yearsAgo = (years: number): string => (years === 1 ? "1 year ago" : `${years} years ago`);

function days({ items, today, state }: HomeView, frame: KindFrame): Html {
  if (items.length === 0)
    return html`<p class="empty">${isFiltered(state) || state.at !== undefined ? "Nothing here. Remove a filter, or choose another time." : "There is nothing with a date yet."}</p>`;
  return showDays(items, { today, at: state.at, href: (at) => homeAddress(changed(state.pairs, { at })) }, frame);
}

function filters({ state, months, connections }: HomeView): Html {
  const held = new Map<string, number>();
  for (const { kinds } of months)
    for (const [kind, count] of Object.entries(kinds)) held.set(kind, (held.get(kind) ?? 0) + count);
  const offered = (Object.keys(KIND_WORDS) as (keyof typeof KIND_WORDS)[])
    .filter((kind) => held.has(kind) || state.kinds.includes(kind) || kind === "file")
    .sort((one, other) => (held.get(other) ?? 0) - (held.get(one) ?? 0));
  const others = state.pairs.filter(([name]) => name !== "kind");
  const link = (kind: keyof typeof KIND_WORDS): Html => {
    const isChosen = state.kinds.includes(kind);
    const kinds = isChosen ? state.kinds.filter((one) => one !== kind) : [...state.kinds, kind];
    return html`<li><a class="filter${isChosen ? " chosen" : ""}" href="${homeAddress([...others, ...kinds.map((one) => pair("kind", one))])}"${isChosen ? raw(' aria-current="true"') : ""}>${KIND_WORDS[kind]}</a></li>`;
  };
  const connection = connections.find(({ id }) => id === state.connection);
  return html`<div class="filters"><ul class="kind-filters" aria-label="Kinds">${offered.map(link)}</ul>
<details class="fold"><summary class="button small">Source and person</summary><form class="card fold-body" action="/dashboard">${state.pairs.filter(([name]) => name !== "source" && name !== "with").map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<div class="filter-grid"><label>Source<select name="source"><option value="">all</option>${connections.map(({ id, label }) => html`<option value="${id}"${id === state.connection ? raw(" selected") : ""}>${label}</option>`)}</select></label><label>With<input type="text" name="with" value="${state.person ?? ""}" placeholder="A name, an address or a number"></label></div><p class="row"><button class="button primary">Show</button></p></form></details>${
    state.connection === undefined
      ? ""
      : html`<a class="chip" href="${homeAddress(changed(state.pairs, { source: null }))}" aria-label="Remove: ${connection?.label ?? state.connection}"><bdi>${connection?.label ?? state.connection}</bdi> <span aria-hidden="true">×</span></a>`
  }${state.person === undefined ? "" : html`<a class="chip" href="${homeAddress(changed(state.pairs, { with: null }))}" aria-label="Remove: with ${state.person}">with <bdi>${state.person}</bdi> <span aria-hidden="true">×</span></a>`}</div>`;
}

/** Years and months with data, darker for more records. */
function zoom({ months, state, today }: HomeView, { times }: KindFrame): Html {
  if (months.length === 0) return html``;
  const years = Map.groupBy(months, ({ key }) => key.slice(0, 4));
  const top = Math.max(...months.map(({ count }) => count));
  const href = (at: string): string => homeAddress(changed(state.pairs, { at }));
  return html`<nav class="zoom" aria-label="Years and months"><p><a href="${homeAddress(changed(state.pairs, { at: null }))}"${state.at === undefined ? raw(' aria-current="page"') : ""}>Latest</a></p>${[
    ...years,
  ]
    .slice(0, 40)
    .map(
      ([year, own]) =>
        html`<details${year === (state.at ?? labelOf("year", today)).slice(0, 4) || year === months[0]!.key.slice(0, 4) ? raw(" open") : ""}><summary>${year} <span class="note">${formatNumber(own.reduce((sum, { count }) => sum + count, 0))}</span></summary><p><a href="${href(year)}"${state.at === year ? raw(' aria-current="page"') : ""}>All of ${year}</a></p><ol class="zoom-months">${Array.from(
          { length: 12 },
          (_, index) => {
            const month = `${year}-${String(index + 1).padStart(2, "0")}`;
            const found = own.find(({ key }) => key === month);
            const name = times.monthWords(month);
            return found === undefined
              ? html`<li><span class="zoom-month">${name.slice(0, 3)}</span></li>`
              : html`<li><a class="zoom-month heat-${Math.max(1, Math.ceil((found.count / top) * 4))}" href="${href(month)}" title="${name}: ${countOf(found.count, "record")}"${state.at?.startsWith(month) ? raw(' aria-current="page"') : ""}>${name.slice(0, 3)}<span class="visually-hidden"> ${year}</span></a></li>`;
          },
        )}</ol></details>`,
    )}</nav>`;
}

function pager({ state, next }: HomeView): Html | "" {
  if (next === undefined && state.cursor === undefined) return "";
  return html`<nav class="row pager" aria-label="Pages">${state.cursor === undefined ? "" : html`<a class="button" href="${homeAddress(state.pairs)}">Back to the latest</a>`}${next === undefined ? "" : html`<a class="button end" rel="next" href="${homeAddress([...state.pairs, ["cursor", next]])}">Earlier</a>`}</nav>`;
}
