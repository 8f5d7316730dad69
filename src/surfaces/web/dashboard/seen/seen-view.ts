// The page of everything that an app saw: bursts of requests, each request in words, with the records it returned
// below.
import { html } from "hono/html";
import { countOf } from "../../format.ts";
import { rows } from "../../kinds/rows.ts";
import type { Html } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { requestAddress } from "../activity-address.ts";
import { APPS, appAddress, whyAddress } from "../app-grants.ts";
import { maySee } from "../grant-words-view.ts";
import { requestSentence, type SeenBurst } from "./bursts.ts";
import type { GotRecords } from "./records.ts";
import type { SeenRequest } from "./requests.ts";
import type { SeenView } from "./seen.ts";
import { seenAddress } from "./seen-address.ts";

export function showSeen(view: SeenView, frame: PageFrame): PageContent {
  const { clientId, name, reads, bursts, nextBefore } = view;
  const more =
    nextBefore === undefined
      ? ""
      : html`<p class="pager"><a class="button" rel="next" href="${seenAddress(clientId)}?before=${nextBefore}">Earlier</a></p>`;
  return {
    title: `What ${name} saw`,
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${APPS}">Apps</a> <span aria-hidden="true">›</span> <a href="${appAddress(clientId)}"><bdi>${name}</bdi></a> <span aria-hidden="true">›</span> <span>What it saw</span></nav>
<h1>What <bdi>${name}</bdi> saw</h1>
${reads.length === 0 ? html`<p class="lead">This app is no longer connected.</p>` : maySee(reads, frame.times.zone)}
${bursts.length === 0 ? html`<div class="empty"><h2>Nothing yet</h2><p>Every request appears here, with the records that the app received.</p></div>` : bursts.map((burst) => burstCard(burst, view, frame))}
${more}`,
    snippets: [
      curl(frame.origin, `/v1/activity?client_id=${encodeURIComponent(clientId)}`),
      command("activity", "--client", clientId, "--server", frame.origin),
    ],
  };
}

/** Shows a line for each burst, without records. */
export const burstList = (bursts: readonly SeenBurst[], { times }: PageFrame): Html =>
  html`<ol class="calls">${bursts.map(
    ({ until, words, requests, records }) =>
      html`<li>${times.instant(until)} <a class="plain" href="${requestAddress(requests.at(-1)!.requestId)}"><bdi>${words}</bdi></a> <span class="note">${[requests.length === 1 ? undefined : countOf(requests.length, "request"), records === 0 ? undefined : countOf(records, "record")].filter(Boolean).join(", ")}</span></li>`,
  )}</ol>`;

function burstCard({ since, until, words, records, requests }: SeenBurst, view: SeenView, frame: PageFrame): Html {
  const { times } = frame;
  const many = requests.length > 1;
  const when = times.instant(since);
  const clock = times.clock(until) === times.clock(since) ? "" : html` – ${times.clock(until)}`;
  return html`<section class="card seen-burst"><header><p class="note">${when}${clock}${many ? ` · ${countOf(requests.length, "request")}` : ""}${records === 0 ? "" : ` · ${countOf(records, "record")}`}</p><h2><bdi>${words}</bdi></h2></header>
${requests.map((request) => requestPart(request, view, frame, many))}</section>`;
}

function requestPart(request: SeenRequest, { got, me }: SeenView, frame: PageFrame, many: boolean): Html {
  const { requestId, outcome } = request;
  const records = got[requestId];
  const why = outcome === "answered" ? "" : html` <a href="${whyAddress(requestId)}">why?</a>`;
  const heading = many
    ? html`<h3><a class="plain" href="${requestAddress(requestId)}"><bdi>${requestSentence(request)}</bdi></a>${why}</h3>`
    : why === ""
      ? ""
      : html`<p>${why}</p>`;
  return html`<div class="seen-request">${heading}${records === undefined ? "" : gotRecords(records, { times: frame.times, me })}${
    records === undefined || records.left === 0
      ? ""
      : html`<p class="note"><a href="${requestAddress(requestId)}">${countOf(records.left, "more record")}</a></p>`
  }</div>`;
}

/** Shows the records that still exist, and how many do not. */
export function gotRecords({ items, gone }: GotRecords, frame: Parameters<typeof rows>[1]): Html {
  return html`${items.length === 0 ? "" : rows(items, frame)}${gone === 0 ? "" : html`<p class="note">${countOf(gone, "record")} no longer ${gone === 1 ? "exists" : "exist"} here.</p>`}`;
}
