// The view of one person: first and last contact, activity by month, and records by day, with names, sources and
// merging next to them.
import { html, raw } from "hono/html";
import { parseHandle } from "../../../../contract/handle.ts";
import type { Kind } from "../../../../contract/kinds.ts";
import type { PersonRead } from "../../../../contract/person.ts";
import type { TimelineCounts } from "../../../../contract/timeline-counts.ts";
import { type Bar, rankBars, timeBars } from "../../charts.ts";
import { countOf, formatNumber } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import type { Times } from "../../times.ts";
import { pair, recordAddress } from "../explore/addresses.ts";
import { bucketWords, nextLabel } from "../explore/local-days.ts";
import { showDays } from "../home/days-view.ts";
import { KIND_WORDS } from "../home/state.ts";
import type { TimelineItem } from "../home/timeline-items.ts";
import { done as said } from "../words.ts";
import { PEOPLE, personAddress } from "./addresses.ts";

export interface PersonView {
  person: PersonRead;
  /** `YYYY-MM-DD` in the owner's calendar. */
  today: string;
  /** The owner's identifiers. */
  me: readonly string[];
  /** The visible year, month or day. If absent, everything is shown. */
  at?: string;
  kinds: readonly Kind[];
  isFirstPage: boolean;
  items: readonly TimelineItem[];
  next?: string;
  /** Months with data, newest first. */
  months: TimelineCounts["groups"];
  /** The name that the owner searches for in order to merge, and the people who match it. */
  merge: string;
  candidates: readonly PersonRead[];
  /** `merged`, `undone`, or the identifier that was split off. */
  done: string;
}

export const personLabel = ({ name, identifiers, person_id }: PersonRead): string =>
  name ?? identifiers[0]?.text ?? person_id;

export function showPerson(view: PersonView, { csrf, origin, times, undo }: PageFrame): PageContent {
  const { person, months } = view;
  const label = personLabel(person);
  const total = months.reduce((sum, { count }) => sum + count, 0);
  const id = person.person_id;
  return {
    title: label,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${PEOPLE}">People</a></nav>
<header class="person-head"><span class="avatar" aria-hidden="true">${initials(label)}</span><div><h1><bdi>${label}</bdi></h1>
<p class="note">${contact(person, total, times)}</p></div></header>
${doneWords(view, undo)}
<div class="person-page"><div>
${total === 0 ? "" : chart(view)}
${kindFilters(view)}
${days(view, times)}
${pager(view)}
</div><aside class="person-aside" aria-label="About ${label}">
${identifiers(person, csrf)}
${sources(person)}
${mergeForm(view, csrf)}
</aside></div>`,
    snippets: [
      curl(origin, `/v1/timeline?${new URLSearchParams({ with: id })}`),
      command("search", `with:"${label.replaceAll('"', " ")}"`, "--server", origin),
    ],
  };
}

/** Returns the first letters of the first and the last word. */
function initials(label: string): string {
  const words = label.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}

function contact({ first_at, last_at, sources: places, mentions }: PersonRead, total: number, times: Times): Html {
  const count = new Set(places.map(({ connection_id }) => connection_id)).size;
  const counted = total === 0 ? countOf(mentions, "mention") : countOf(total, "record");
  return html`${first_at === undefined ? "" : html`First contact ${times.day(first_at)} · `}${last_at === undefined ? "" : html`last ${times.day(last_at)} · `}${counted} in ${countOf(count, "source")}`;
}

function doneWords({ done, person }: PersonView, undo: Html | ""): Html | "" {
  if (done === "merged") return said("They are one person now.", undo);
  if (done === "undone") return said("Undone.", undo);
  const text = /^(?:address|number|name|handle:[^:]*):(.+)$/s.exec(done)?.[1];
  if (text === undefined || person.identifiers.some(({ id }) => id === done)) return "";
  return said(html`<a href="${personAddress(done)}"><bdi>${text}</bdi></a> is a separate person now.`, undo);
}

/** A bar for each month, or for each year if there are many. Each links to the records of that time. */
function chart({ person, months }: PersonView): Html {
  const [last, first] = [months[0]!.key, months.at(-1)!.key];
  const span =
    (Number(last.slice(0, 4)) - Number(first.slice(0, 4))) * 12 + Number(last.slice(5)) - Number(first.slice(5));
  const step = span > MONTHS_MAX ? "year" : "month";
  const size = step === "year" ? 4 : 7;
  const counts = new Map<string, number>();
  for (const { key, count } of months) counts.set(key.slice(0, size), (counts.get(key.slice(0, size)) ?? 0) + count);
  const bars: Bar[] = [];
  for (let at = first.slice(0, size); at <= last.slice(0, size); at = nextLabel(step, at)) {
    const value = counts.get(at) ?? 0;
    const href = value === 0 ? {} : { href: personAddress(person.person_id, [pair("at", at)]) };
    bars.push({ label: bucketWords(step, at), value, ...href });
  }
  return timeBars(`Records by ${step}`, bars);
}
const MONTHS_MAX = 60;

function kindFilters({ person, months, kinds, at }: PersonView): Html | "" {
  const held = new Map<string, number>();
  for (const month of months)
    for (const [kind, count] of Object.entries(month.kinds)) held.set(kind, (held.get(kind) ?? 0) + count);
  const offered = (Object.keys(KIND_WORDS) as Kind[])
    .filter((kind) => held.has(kind))
    .sort((one, other) => held.get(other)! - held.get(one)!);
  const period = at === undefined ? [] : [pair("at", at)];
  const link = (kind: Kind): Html => {
    const isChosen = kinds.includes(kind);
    const next = isChosen ? kinds.filter((one) => one !== kind) : [...kinds, kind];
    const href = personAddress(person.person_id, [...period, ...next.map((one) => pair("kind", one))]);
    return html`<li><a class="filter${isChosen ? " chosen" : ""}" href="${href}"${isChosen ? raw(' aria-current="true"') : ""}>${KIND_WORDS[kind]} ${formatNumber(held.get(kind)!)}</a></li>`;
  };
  return html`<div class="filters">${offered.length === 0 ? "" : html`<ul class="kind-filters" aria-label="Kinds">${offered.map(link)}</ul>`}${
    at === undefined
      ? ""
      : html`<a class="chip" href="${personAddress(
          person.person_id,
          kinds.map((one) => pair("kind", one)),
        )}" aria-label="Remove: ${periodWords(at)}">${periodWords(at)} <span aria-hidden="true">×</span></a>`
  }</div>`;
}

const periodWords = (at: string): string =>
  bucketWords(at.length === 4 ? "year" : at.length === 7 ? "month" : "day", at);

function days({ items, today, at, me, person, kinds }: PersonView, times: Times): Html {
  if (items.length === 0)
    return html`<p class="empty">${kinds.length > 0 || at !== undefined ? "Nothing here. Remove a filter." : "No record with this person has a date."}</p>`;
  const href = (day: string): string =>
    personAddress(person.person_id, [pair("at", day), ...kinds.map((kind) => pair("kind", kind))]);
  return showDays(items, { today, at, href }, { times, me });
}

function pager({ person, next, isFirstPage, at, kinds }: PersonView): Html | "" {
  if (next === undefined && isFirstPage) return "";
  const pairs = [...(at === undefined ? [] : [pair("at", at)]), ...kinds.map((kind) => pair("kind", kind))];
  return html`<nav class="row pager" aria-label="Pages">${isFirstPage ? "" : html`<a class="button" href="${personAddress(person.person_id, pairs)}">Back to the latest</a>`}${next === undefined ? "" : html`<a class="button end" rel="next" href="${personAddress(person.person_id, [...pairs, pair("cursor", next)])}">Earlier</a>`}</nav>`;
}

const TYPE_WORDS = { address: "Email", number: "Phone", handle: "Account", name: "Name" } as const;

function identifiers({ person_id, identifiers: all, other_names, cards }: PersonRead, csrf: string): Html {
  const isSplit = all.length > 1;
  return html`<section aria-labelledby="identifiers"><h2 id="identifiers">Known as</h2>${other_names.length === 0 ? "" : html`<p class="note">Also called ${other_names.map((name, index) => html`${index === 0 ? "" : ", "}<bdi>${name}</bdi>`)}</p>`}
<form method="post" action="${personAddress(person_id)}">${hidden({ csrf })}<ul class="list">${all.map(
    ({ id, type, text }) =>
      html`<li class="row"><span><span class="note">${TYPE_WORDS[type]}</span><br><bdi>${text}</bdi></span>${isSplit ? html`<button class="button small end" name="split" value="${id}">Split off<span class="visually-hidden"> ${text}</span></button>` : ""}</li>`,
  )}</ul></form>${cards.length === 0 ? "" : html`<p>${cards.map((card, index) => cardLink(card, index, cards.length))}</p>`}</section>`;
}

function cardLink(card: string, index: number, count: number): Html | "" {
  const handle = parseHandle(card);
  if (handle.kind !== "record" || handle.connection_id === undefined) return "";
  const { connection_id, stream, id } = handle;
  return html`${index === 0 ? "" : " · "}<a href="${recordAddress({ connection_id, stream, id })}">Contact card${count === 1 ? "" : ` ${index + 1}`}</a>`;
}

function sources({ sources: places }: PersonRead): Html {
  const counts = new Map<string, Bar>();
  for (const { connection_id, display_name, mentions } of places) {
    const bar = counts.get(connection_id) ?? { label: display_name ?? connection_id, value: 0 };
    counts.set(connection_id, { ...bar, value: bar.value + mentions });
  }
  const bars = [...counts.values()].sort((one, other) => other.value - one.value);
  return html`<section aria-labelledby="sources"><h2 id="sources">Mentions by source</h2>${rankBars("Mentions by source", bars)}</section>`;
}

function mergeForm({ person, merge, candidates }: PersonView, csrf: string): Html {
  return html`<section aria-labelledby="merge"><h2 id="merge">Merge</h2><p class="note">Is this person also known by another name or address?</p>
<form class="search-form" action="${personAddress(person.person_id)}#merge" role="search" aria-label="Find the other person"><input type="search" name="merge" value="${merge}" aria-label="The other person" placeholder="A name or an address" autocomplete="off"><button class="button">Find</button></form>
${merge === "" ? "" : candidates.length === 0 ? html`<p class="note">No other person matches <bdi>${merge}</bdi>.</p>` : html`<form method="post" action="${personAddress(person.person_id)}">${hidden({ csrf })}<ul class="list">${candidates.map((other) => candidate(other))}</ul></form>`}</section>`;
}

function candidate(other: PersonRead): Html {
  const label = personLabel(other);
  const reached = other.identifiers.find(({ text }) => text !== label)?.text;
  return html`<li class="row"><span><a href="${personAddress(other.person_id)}"><bdi>${label}</bdi></a>${reached === undefined ? "" : html`<br><span class="note"><bdi>${reached}</bdi></span>`}</span><button class="button small end" name="other" value="${other.person_id}">Merge<span class="visually-hidden"> ${label}</span></button></li>`;
}
