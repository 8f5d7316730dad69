// The view of a search: hits with their passages, and filters next to them.
import { html, raw } from "hono/html";
import { timeBars } from "../../charts.ts";
import { countOf, formatDay, formatNumber, sentence } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import type { Times } from "../../times.ts";
import { changed, EXPLORE, type Pairs, streamAddress, withPairs } from "./addresses.ts";
import { nothingHere } from "./home-view.ts";
import { markedSnippet } from "./marked.ts";
import type { Passage, SearchState, SearchView, ShownHit } from "./search.ts";
import { inWords } from "./stream-fields.ts";
import { barsOf } from "./timeline.ts";

const to = (pairs: Pairs): string => withPairs(EXPLORE, pairs);

/** The search box. Active filters are kept. */
export function searchForm(state?: SearchState): Html {
  const kept = Object.fromEntries((state?.pairs ?? []).filter(([name]) => name !== "q"));
  return html`<form class="search-form wide" action="${EXPLORE}" role="search">${hidden(kept)}<input type="search" name="q" value="${state?.q ?? ""}" aria-label="Search everything" placeholder="Search everything: words, “phrases”, -not, from:name, in:source, after:2024-05" autocomplete="off"><button class="button primary">Search</button></form>`;
}

export function searchBody(view: SearchView, times: Times): Html {
  const { state, count, every, hits, relaxed, suggestions, warnings, facets, next } = view;
  const notes = [...warnings.map(sentence), ...(relaxed === undefined ? [] : [sentence(relaxed)])];
  return html`${chips(view)}
${notes.length === 0 ? "" : html`<div class="alert warn" role="status">${notes.map((text) => html`<p><bdi>${text}</bdi></p>`)}${hits.length === 0 ? "" : didYouMean(state, suggestions)}</div>`}
<div class="split"><section aria-label="Hits">
<div class="row"><p class="note" role="status">${countOf(count, "record")} found${every === undefined ? "" : `, ${formatNumber(every)} with every word`}${count === 0 ? "" : html`<span class="to-facets"> · <a href="#facets">Narrow down</a></span>`}</p>${count === 0 || state.q === "" ? "" : orders(state)}</div>
${hits.length === 0 ? nothing(view) : html`<ol class="list hits" id="list" tabindex="-1">${hits.map((hit) => hitItem(hit, times))}</ol>`}
${count === 0 ? "" : html`<p class="note pager">Export all ${formatNumber(count)}: <a href="${withPairs(`${EXPLORE}.csv`, state.pairs)}" download>CSV</a> · <a href="${withPairs(`${EXPLORE}.jsonl`, state.pairs)}" download>JSON lines</a></p>`}
${next === undefined && state.cursor === undefined ? "" : html`<nav class="row pager" aria-label="Pages">${state.cursor === undefined ? "" : html`<a class="button" href="${to(state.pairs)}">First hits</a>`}${next === undefined ? "" : html`<a class="button end" rel="next" href="${to([...state.pairs, ["cursor", next]])}">More</a>`}</nav>`}
</section>
${facets.connections.length === 0 ? "" : facetList(view)}</div>`;
}

function orders({ order, pairs }: SearchState): Html {
  const link = (name: SearchState["order"], label: string): Html =>
    html`<a href="${to(changed(pairs, { order: name === "newest" ? name : null }))}"${order === name ? raw(' aria-current="true"') : ""}>${label}</a>`;
  return html`<nav class="end pick" aria-label="Order">${link("relevance", "Best first")}${link("newest", "Newest first")}</nav>`;
}

function hitItem(hit: ShownHit, times: Times): Html {
  const { href, title, source, connection, stream, at, repeats } = hit;
  const where =
    source === connection.label
      ? html`<bdi>${source}</bdi>`
      : html`<bdi>${source}</bdi> · <bdi>${connection.label}</bdi>`;
  // If the title itself matched, it is not shown again as a passage.
  const named = hit.passages[0] !== undefined && hit.passages[0].preview_text.trim() === title;
  const [first, ...others] = named ? hit.passages.slice(1) : hit.passages;
  return html`<li class="hit"><h2><a class="calm" href="${href}"><bdi>${named ? markedSnippet(hit.passages[0]!.marked_text) : title}</bdi></a></h2>
<p class="note">${where} · <a href="${streamAddress({ connection_id: connection.id, stream: stream.name })}"><bdi>${stream.label}</bdi></a>${at === undefined ? "" : html` · ${times.instant(at)}`}${repeats === undefined ? "" : ` · and ${formatNumber(repeats)} more with the same passage`}</p>
${first === undefined ? "" : passage(first, title)}
${others.length === 0 ? "" : html`<details class="evidence"><summary class="note">${countOf(others.length, "more passage")}<span class="visually-hidden"> in ${title}</span></summary>${others.map((other) => passage(other, title))}</details>`}</li>`;
}

function passage({ marked_text, field_path, truncated, href }: Passage, title: string): Html {
  const readOn = truncated
    ? html` · <a href="${href}">Read on<span class="visually-hidden"> in ${inWords(field_path)} of ${title}</span></a>`
    : "";
  return html`<p class="passage"><bdi>${markedSnippet(marked_text)}</bdi> <span class="note">${inWords(field_path)}${readOn}</span></p>`;
}

/** Shows the active filters, each with a link that removes it. */
function chips({ state, facets }: SearchView): Html | "" {
  const { connection, stream, since, until, pairs } = state;
  const found = facets.connections.find(({ id }) => id === connection);
  const label = found?.streams.find(({ name }) => name === stream)?.label ?? stream;
  const chosen: [string, Record<string, null>][] = [
    ...(connection === undefined
      ? []
      : [[`in ${found?.label ?? connection}`, { connection: null, stream: null }] as [string, Record<string, null>]]),
    ...(stream === undefined ? [] : [[`only ${label}`, { stream: null }] as [string, Record<string, null>]]),
    ...(since === undefined && until === undefined
      ? []
      : [
          [
            [
              since === undefined ? "" : `from ${formatDay(since)}`,
              until === undefined ? "" : `until ${formatDay(until)}`,
            ]
              .join(" ")
              .trim(),
            { since: null, until: null },
          ] as [string, Record<string, null>],
        ]),
  ];
  if (chosen.length === 0) return "";
  return html`<ul class="chips" aria-label="Narrowed down">${chosen.map(([words, taken]) => html`<li><a class="chip" href="${to(changed(pairs, taken))}" aria-label="Remove: ${words}"><bdi>${words}</bdi> <span aria-hidden="true">×</span></a></li>`)}</ul>`;
}

function facetList({ state, facets }: SearchView): Html {
  const link = (
    label: string,
    count: number,
    choice: Record<string, string | null>,
    current: boolean,
    source = label,
  ): Html =>
    html`<a class="row" href="${to(changed(state.pairs, choice))}"${current ? raw(' aria-current="true"') : ""}><bdi>${label}</bdi>${source === label ? "" : html` <span class="note"><bdi>${source}</bdi></span>`}<span class="end number">${formatNumber(count)}</span></a>`;
  const { months } = facets;
  return html`<aside id="facets" class="facets" aria-label="Narrow down">
${
  months === undefined
    ? ""
    : html`<section><h2>When</h2>${timeBars(
        `Hits by ${months.step}`,
        barsOf(months, ({ since, until }) => to(changed(state.pairs, { since, until }))),
      )}</section>`
}
<section><h2>Where</h2><ul>${facets.connections.map(
    ({ id, label, source, count, streams }) =>
      html`<li>${link(label, count, { connection: id, stream: null }, state.connection === id && state.stream === undefined, source)}${streams.length === 1 ? "" : html`<ul>${streams.map(({ name, label: words, count: own }) => html`<li>${link(words, own, { connection: id, stream: name }, state.connection === id && state.stream === name)}</li>`)}</ul>`}</li>`,
  )}</ul></section></aside>`;
}

function didYouMean({ pairs }: SearchState, suggestions: readonly string[]): Html | "" {
  if (suggestions.length === 0) return "";
  const links = suggestions.map(
    (word, index) =>
      html`${index === 0 ? "" : ", "}<a href="${to(changed(pairs, { q: word }))}"><bdi>${word}</bdi></a>`,
  );
  return html`<p>Did you mean ${links}?</p>`;
}

function nothing({ state, suggestions, searched }: SearchView): Html {
  const narrowed = state.connection !== undefined || state.since !== undefined || state.until !== undefined;
  if (searched.connections === 0) return nothingHere();
  return html`<div class="empty"><p>Nothing found in ${countOf(searched.streams, "stream")} of ${countOf(searched.connections, "connection")}.</p>
${didYouMean(state, suggestions)}
${narrowed ? html`<p><a href="${to(changed(state.pairs, { connection: null, stream: null, since: null, until: null }))}">Search everywhere</a></p>` : ""}</div>`;
}
