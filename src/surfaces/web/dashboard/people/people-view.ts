// The view of people: names, identifiers, the sources that mention them, and boxes to merge two entries for the same
// person.
import { html } from "hono/html";
import type { PersonRead } from "../../../../contract/person.ts";
import { countOf } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import type { Times } from "../../times.ts";
import { pair, withPairs } from "../explore/addresses.ts";
import { done as said } from "../words.ts";
import { PEOPLE, personAddress } from "./addresses.ts";
import { personLabel } from "./person-view.ts";

export interface PeopleView {
  q: string;
  count: number;
  people: readonly PersonRead[];
  /** The owner's identifiers, in lower case. */
  me: readonly string[];
  next?: string;
  done?: string;
}

export function showPeople(
  { q, count, people, me, next, done }: PeopleView,
  { csrf, origin, times, undo }: PageFrame,
): PageContent {
  return {
    title: "People",
    body: html`<h1>People</h1>
${done === undefined ? "" : said(done, undo)}
<form class="search-form" action="${PEOPLE}" role="search"><input type="search" name="q" value="${q}" aria-label="Find people" placeholder="A name, an address or a number" autocomplete="off"><button class="button">Find</button></form>
${people.length === 0 ? empty(q) : peopleForm(people, me, csrf, times)}
${count <= people.length ? "" : html`<p class="note">${countOf(count, "person", "people")} in total</p>`}
${next === undefined ? "" : html`<nav class="row pager" aria-label="Pages"><a class="button end" rel="next" href="${withPairs(PEOPLE, [...(q === "" ? [] : [pair("q", q)]), pair("cursor", next)])}">More</a></nav>`}`,
    snippets: [
      curl(origin, q === "" ? "/v1/people" : `/v1/people?${new URLSearchParams({ q })}`),
      command("people", ...(q === "" ? [] : [q]), "--server", origin),
    ],
  };
}

const empty = (q: string): Html =>
  html`<div class="empty"><h2>${q === "" ? "Your records do not mention any people yet" : "No one has that name"}</h2><p>People come from emails, chats, calendars and address books that you import.</p></div>`;

const peopleForm = (people: readonly PersonRead[], me: readonly string[], csrf: string, times: Times): Html =>
  html`<form method="post" action="${PEOPLE}">${hidden({ csrf })}<section class="card"><ul class="list">${people.map((person) => personItem(person, me, times))}</ul>
<p class="row"><button class="button" name="do" value="merge">Merge the chosen people</button><span class="note">Choose two or more that are the same person.</span></p></section></form>`;

function personItem(person: PersonRead, me: readonly string[], times: Times): Html {
  const { person_id, identifiers, mentions, last_at } = person;
  const label = personLabel(person);
  const reached = identifiers.filter(({ type }) => type !== "name");
  const isMe = identifiers.some(({ text }) => me.includes(text.toLowerCase()));
  return html`<li><div class="row"><input type="checkbox" name="person" value="${person_id}" aria-label="Choose ${label}"> <a href="${personAddress(person_id)}"><bdi>${label}</bdi></a>${isMe ? html` <span class="badge">You</span>` : ""}
<span class="end note">${countOf(mentions, "mention")}</span></div>
<p class="note">${reached.map(({ text }, index) => html`${index === 0 ? "" : ", "}<bdi>${text}</bdi>`)}${last_at === undefined ? "" : html` · last ${times.day(last_at)}`}</p>
${
  identifiers.length < 2
    ? ""
    : html`<details><summary class="note">Not all the same person?<span class="visually-hidden"> ${label}</span></summary><ul class="list">${identifiers.map(
        ({ id, text }) =>
          html`<li class="row"><bdi>${text}</bdi><button class="button small end" name="split" value="${id}">Split off<span class="visually-hidden"> ${text}</span></button></li>`,
      )}</ul></details>`
}</li>`;
}
