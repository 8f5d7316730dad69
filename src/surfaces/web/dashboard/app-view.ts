// One app, for people: a chart of what it read, days and streams beneath, its grants, and one button that ends them all.
import { html } from "hono/html";
import { timeBars } from "../charts.ts";
import { countOf, formatBytes, formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { claimSentence, clientBadge, clientWords } from "../pages/client-identity.ts";
import { command, curl } from "../snippets.ts";
import { activityAddress } from "./activity-address.ts";
import type { AppView } from "./app.ts";
import { APPS, type App, appAddress, grantAddress } from "./app-grants.ts";
import {
  aboutWords,
  EVENTS_PAGE,
  howItGoes,
  subscriptionAddress,
  subscriptionBadge,
} from "./events/subscription-words.ts";
import { bucketWords } from "./explore/local-days.ts";
import { endedAlert, endingWords, readFold, recentCalls, revokeForm, statusBadge } from "./grant-words-view.ts";

/** Streams named for one day. */
const STREAMS_SHOWN = 4;

export function showApp(view: AppView, frame: PageFrame): PageContent {
  const { app, ended } = view;
  const { clientId, client } = app;
  const name = clientWords(client);
  const id = encodeURIComponent(clientId);
  return {
    title: name,
    body: html`<nav class="crumbs" aria-label="Where this is"><a href="${APPS}">Apps</a> <span aria-hidden="true">›</span> <span><bdi>${name}</bdi></span></nav>
<div class="page-head"><div class="who"><h1><bdi>${name}</bdi></h1>${clientBadge(client)}</div>
${app.active ? revokeForm(frame, appAddress(clientId), { client_id: clientId }, "Revoke all", name) : html`<span class="badge">Reads no more</span>`}</div>
${identity(app, frame)}
${ended === undefined ? "" : endedAlert(ended, frame)}
${figures(app, frame)}
${timeline(view, frame)}
<div class="columns">
<section class="card"><h2>What it was given</h2><ul class="list">${app.grants.map((grant) => grantRow(grant, frame))}</ul></section>
<section class="card"><header class="row"><h2>What it asked for lately</h2><a class="end" href="${activityAddress({ client_id: clientId })}">All of it</a></header>
${view.recent.length === 0 ? html`<p class="note">Nothing yet.</p>` : recentCalls(view.recent.slice(0, 10), frame)}</section>
</div>
${events(view, frame)}
${streams(view, frame)}`,
    snippets: [
      curl(frame.origin, `/v1/activity/days?client_id=${id}&time_zone=${encodeURIComponent(frame.times.zone)}`),
      command("grants", "list", "--client", clientId, "--server", frame.origin),
    ],
  };
}

function identity({ client, clientId, namesakes, firstAllowedAt }: App, { times }: PageFrame): Html {
  const said =
    client.verifiedHost === undefined
      ? html`${claimSentence(client)} Nothing proves this.`
      : html`${claimSentence(client)} Your approval went to an address that this host names as its own.`;
  const same =
    namesakes === 0
      ? ""
      : html` <a href="${APPS}">${countOf(namesakes, "other app goes", "other apps go")}</a> by this name; this is the one first allowed ${times.instant(firstAllowedAt)}.`;
  return html`<p class="note">${said}${same} <code>${clientId}</code></p>`;
}

function figures({ lastUsedAt, calls, denied, records, bytes, clientId }: App, { times }: PageFrame): Html {
  const tiles: [string, string | Html][] = [
    ["Last read", lastUsedAt === undefined ? "never" : times.ago(lastUsedAt)],
    ["Records read", formatNumber(records)],
    ["Data", formatBytes(bytes)],
    ["Calls", formatNumber(calls)],
    [
      "Denied",
      denied === 0
        ? "0"
        : html`<a href="${activityAddress({ client_id: clientId, outcome: "denied" })}">${formatNumber(denied)}</a>`,
    ],
  ];
  return html`<dl class="tiles">${tiles.map(([label, value]) => html`<div class="card tile"><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function timeline({ app, days, countedFrom }: AppView, { times }: PageFrame): Html {
  const { clientId } = app;
  const used = days.filter(({ calls, denied }) => calls + denied > 0).reverse();
  const of = (day: string): string => activityAddress({ client_id: clientId, since: day, until: day });
  if (used.length === 0)
    return html`<section><h2>Records read, day by day</h2><p class="note">It asked for nothing in the last ${days.length} days.</p></section>`;
  return html`<section class="days"><h2>Records read, day by day</h2>
${timeBars(
  `Records read a day, last ${days.length} days`,
  days.map(({ day, records, calls, denied }) => ({
    label: bucketWords("day", day),
    value: records,
    ...(calls + denied === 0 ? {} : { href: of(day) }),
  })),
)}
${countedFrom === undefined ? "" : html`<p class="note">Counted from ${times.instant(countedFrom)} on; there was more before.</p>`}
<div class="table-room" tabindex="0" role="region" aria-label="Days"><table><thead><tr><th scope="col">Day</th><th scope="col">What it read</th><th scope="col" class="number">Calls</th><th scope="col" class="number">Records</th><th scope="col" class="number">Data</th><th scope="col" class="number">Denied</th></tr></thead>
<tbody>${used.map(
    (day) =>
      html`<tr><th scope="row" class="nowrap"><a href="${of(day.day)}">${bucketWords("day", day.day)}</a></th><td>${streamNames(day.streams)}</td><td class="number">${formatNumber(day.calls)}</td><td class="number">${formatNumber(day.records)}</td><td class="number">${formatBytes(day.bytes)}</td><td class="number">${formatNumber(day.denied)}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function streamNames(streams: AppView["days"][number]["streams"]): Html {
  if (streams.length === 0) return html`<span class="note">no records</span>`;
  const shown = streams.slice(0, STREAMS_SHOWN);
  return html`${shown.map(({ stream, connection }, index) => html`${index === 0 ? "" : ", "}${stream} <span class="note">of <bdi>${connection}</bdi></span>`)}${streams.length > shown.length ? html` <span class="note">and ${streams.length - shown.length} more</span>` : ""}`;
}

function grantRow(grant: App["grants"][number], { times }: PageFrame): Html {
  const { id, issuedAt, expiresAt, endedAt, status, reads } = grant;
  const until =
    status === "active"
      ? expiresAt === undefined
        ? "until you revoke it"
        : html`until ${times.instant(expiresAt)}`
      : endedAt === undefined
        ? ""
        : html`ended ${times.instant(endedAt)}`;
  return html`<li><div class="row">${statusBadge(grant)}<a href="${grantAddress(id)}">Allowed ${times.day(issuedAt)}<span class="visually-hidden">, ${id}</span></a></div>
${readFold(reads)}<p class="note">${until}</p>${endingWords(grant)}</li>`;
}

/** Where it is told of changes, if it asked. */
function events({ events: found }: AppView, frame: PageFrame): Html | "" {
  if (found.length === 0) return "";
  return html`<section class="card" id="events"><header class="row"><h2>Told of changes</h2><a class="end" href="${EVENTS_PAGE}">All events</a></header>
<ul class="list">${found.map(
    (row) =>
      html`<li><div class="row">${subscriptionBadge(row)}<a href="${subscriptionAddress(row.subscriptionId)}">${aboutWords(row)}<span class="visually-hidden">, ${row.subscriptionId}</span></a></div><p class="note"><code>${row.url}</code> · ${howItGoes(row, frame)}</p></li>`,
  )}</ul></section>`;
}

function streams({ streams: found, app }: AppView, { times }: PageFrame): Html | "" {
  if (found.length === 0) return "";
  return html`<section><h2>By stream, in all</h2>
<div class="table-room" tabindex="0" role="region" aria-label="Streams"><table><thead><tr><th scope="col">Stream</th><th scope="col">Connection</th><th scope="col" class="number">Reads</th><th scope="col" class="number">Records</th><th scope="col" class="number">Data</th><th scope="col">Last</th></tr></thead>
<tbody>${found.map(
    ({ connectionId, connection, stream, calls, records, bytes, lastReadAt }) =>
      html`<tr><th scope="row" class="nowrap"><a href="${activityAddress({ client_id: app.clientId, connection_id: connectionId, stream })}">${stream}</a></th><td><bdi>${connection}</bdi></td><td class="number">${formatNumber(calls)}</td><td class="number">${formatNumber(records)}</td><td class="number">${formatBytes(bytes)}</td><td>${lastReadAt === undefined ? "" : times.ago(lastReadAt)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
