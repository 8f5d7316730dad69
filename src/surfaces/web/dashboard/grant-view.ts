// The page of one grant: its sentence, when it ends, what was read under it, and what was agreed. Technical names are
// collapsed.
import { html } from "hono/html";
import { formatBytes } from "../../../core/format-bytes.ts";
import { accessSentence, readSentence } from "../../../core/grant-sentence.ts";
import { mayWords } from "../../../core/grant-words.ts";
import { countOf, formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { clientBadge } from "../pages/client-identity.ts";
import { command, curl } from "../snippets.ts";
import { activityAddress } from "./activity-address.ts";
import { APPS, appAddress, grantAddress, isValid } from "./app-grants.ts";
import type { GrantPart, GrantView } from "./grant.ts";
import {
  effectAlert,
  endingWords,
  grantButtons,
  maySee,
  requestList,
  revokeForm,
  statusBadge,
  technical,
  untilWords,
} from "./grant-words-view.ts";

/** The number of individual record ids that are listed. The rest are only counted. */
const RECORDS_SHOWN = 20;

export function showGrant(view: GrantView, frame: PageFrame): PageContent {
  const { id, name, client, clientId, requests, effect, isPackage, reads } = view;
  const { zone } = frame.times;
  const tense = isValid(view) ? "may" : "could";
  return {
    title: `What ${name} ${tense} see`,
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${APPS}">Apps</a> <span aria-hidden="true">›</span> <a href="${appAddress(clientId)}"><bdi>${name}</bdi></a> <span aria-hidden="true">›</span> <span>Grant</span></nav>
<h1>What <bdi>${name}</bdi> ${tense} see</h1>
${effect === undefined ? "" : effectAlert(effect, grantAddress(id), frame)}
<section class="card grant-head"><p class="row">${statusBadge(view)}${clientBadge(client)}</p>
${maySee(reads, zone, tense)}
${terms(view, frame)}
${grantButtons(view, name, grantAddress(id), frame)}</section>
${allowed(view, frame)}
<section><header class="row"><h2>What it asked for</h2><a class="end" href="${activityAddress(isPackage ? { client_id: clientId } : { grant_id: id })}">All requests</a></header>
${requests.length === 0 ? html`<p class="note">Nothing yet.</p>` : requestList(requests, frame)}</section>
${details(view, frame)}`,
    snippets: [
      curl(frame.origin, `/v1/grants/${encodeURIComponent(id)}`),
      command("grants", "show", id, "--server", frame.origin),
    ],
  };
}

function terms(view: GrantView, { times }: PageFrame): Html {
  const { purpose, issuedAt, changedAt, use, agreed, parts } = view;
  const ended = parts.length === 1 ? parts[0]!.endedAt : undefined;
  const facts: [string, string | Html][] = [
    ...(isValid(view) ? [["Ends", untilWords(view, times.zone)] satisfies [string, string]] : []),
    ["Allowed", times.instant(issuedAt)],
    ...(changedAt === undefined ? [] : [["Changed", times.instant(changedAt)] satisfies [string, Html]]),
    ...(ended === undefined ? [] : [["Ended", times.instant(ended)] satisfies [string, Html]]),
    ["Purpose", html`<bdi>${purposeWords(purpose)}</bdi>`],
    ...(agreed === undefined
      ? []
      : [["You agreed to", html`<bdi>${accessSentence(agreed, times.zone)}</bdi>`] satisfies [string, Html]]),
    [
      "Has seen",
      `${countOf(use.records, "record")} in ${countOf(use.calls, "request")}; ${formatNumber(use.denied)} refused`,
    ],
  ];
  return html`<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>${parts.length === 1 ? endingWords(parts[0]!) : ""}`;
}

/** If an app did not describe its purpose in words, it gave a code whose last part is a word. */
function purposeWords({ words, code }: GrantView["purpose"]): string {
  return words === code ? (code.split("/").at(-1) ?? "").replaceAll("_", " ") : words;
}

/** Shows what the app may see in each connection and how much it has read. */
function allowed(view: GrantView, frame: PageFrame): Html {
  return html`<section class="granted"><h2>In detail</h2>${view.parts.map((part) => partCard(part, view, frame))}</section>`;
}

function partCard(part: GrantPart, { isPackage, name, id, status: whole }: GrantView, frame: PageFrame): Html {
  const { times } = frame;
  const { status, endedAt, streams } = part;
  const connections = [...new Set(streams.map(({ read }) => read.connection))].join(", ");
  const alone =
    isPackage && isValid(part)
      ? html`<span class="end">${revokeForm(frame, grantAddress(id), { id: part.id }, "Revoke", `of ${connections} ${name}`)}</span>`
      : "";
  const state = status === whole ? "" : statusBadge(part);
  return html`<div class="card grant-part"><header class="row"><h3><bdi>${connections}</bdi></h3>${state}${endedAt === undefined || status !== "revoked" ? "" : html`<span class="note">ended ${times.instant(endedAt)}</span>`}${alone}</header>
<ul class="seen-lines">${streams.map((stream) => streamLine(stream, part.id, frame))}</ul></div>`;
}

function streamLine(row: GrantPart["streams"][number], grantId: string, { times }: PageFrame): Html {
  const { read, recordsRead, lastReadAt } = row;
  const words = read.may === undefined ? readSentence(read, times.zone) : mayWords(read.may, "it");
  const seen =
    lastReadAt === undefined
      ? html`<span class="note">not read yet</span>`
      : html`<a href="${activityAddress({ grant_id: grantId, stream: read.stream })}">${countOf(recordsRead, "record")} seen</a> <span class="note">${times.ago(lastReadAt)}</span>`;
  return html`<li><span><bdi>${words}</bdi></span><span class="seen-count">${seen}</span></li>`;
}

function details(view: GrantView, { times }: PageFrame): Html {
  const { id, isPackage, parts, purpose, retention, use } = view;
  return technical(
    [
      [
        isPackage ? "Package" : "Grant",
        html`<code>${id}</code>${isPackage ? `, ${countOf(parts.length, "grant")} together` : ""}`,
      ],
      ["Client", html`<code>${view.clientId}</code>`],
      ["Purpose", html`<code>${purpose.code}</code>`],
      ...(retention === undefined ? [] : [["Retention", html`<code>${retention}</code>`] as const]),
      ["Data", formatBytes(use.bytes)],
    ],
    html`<div class="table-room" tabindex="0" role="region" aria-label="Fields"><table><thead><tr><th scope="col">Stream</th><th scope="col">Fields</th><th scope="col">Limits</th></tr></thead>
${parts.map((part) => html`<tbody><tr class="of-connection"><th scope="rowgroup" colspan="3"><a href="${grantAddress(part.id)}"><code>${part.id}</code></a> <span class="note">declaration ${part.declaration}${part.lastUsedAt === undefined ? "" : html`, last used ${times.instant(part.lastUsedAt)}`}</span></th></tr>${part.streams.map(fieldRow)}</tbody>`)}</table></div>`,
  );
}

function fieldRow({ read, words, fields, records }: GrantPart["streams"][number]): Html {
  const named = words.startsWith("all ")
    ? html`${words}: <span class="note">${fields.join(", ")}</span>`
    : html`${words}`;
  const limits = [
    ...(read.time === undefined ? [] : [html`${read.time}`]),
    ...(read.filter === undefined ? [] : [html`<bdi>${read.filter}</bdi>`]),
    ...(records === undefined ? [] : [recordsLimit(records)]),
  ];
  return html`<tr><th scope="row" class="nowrap">${read.stream}</th><td>${named}</td><td>${limits.map((limit) => html`<p>${limit}</p>`)}</td></tr>`;
}

function recordsLimit(ids: readonly string[]): Html {
  const more = ids.length - RECORDS_SHOWN;
  return html`only ${countOf(ids.length, "record")}: <bdi>${ids.slice(0, RECORDS_SHOWN).join(", ")}</bdi>${more > 0 ? ` and ${formatNumber(more)} more` : ""}`;
}
