// The page of one app: what it may see, what it saw, and a chart, with days and streams below.
import { html } from "hono/html";
import { formatBytes } from "../../../core/format-bytes.ts";
import { timeBars } from "../charts.ts";
import { countOf, formatNumber } from "../format.ts";
import type { Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { claimSentence, clientBadge } from "../pages/client-identity.ts";
import { command, curl } from "../snippets.ts";
import { activityAddress } from "./activity-address.ts";
import type { AppView } from "./app.ts";
import { APPS, type App, type AppGrant, appAddress, grantAddress, isValid } from "./app-grants.ts";
import {
  aboutWords,
  EVENTS_PAGE,
  subscriptionAddress,
  subscriptionBadge,
  subscriptionState,
} from "./events/subscription-words.ts";
import { bucketWords } from "./explore/local-days.ts";
import {
  effectAlert,
  endingWords,
  grantButtons,
  maySee,
  revokeForm,
  statusBadge,
  technical,
  untilWords,
} from "./grant-words-view.ts";
import { seenAddress } from "./seen/seen-address.ts";
import { burstList } from "./seen/seen-view.ts";

/** The number of streams listed for one day. */
const STREAMS_SHOWN = 4;

export function showApp(view: AppView, frame: PageFrame): PageContent {
  const { app, effect } = view;
  const { clientId, client, name } = app;
  const id = encodeURIComponent(clientId);
  const valid = app.grants.filter(isValid);
  const over = app.grants.filter((grant) => !isValid(grant));
  return {
    title: name,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${APPS}">Apps</a> <span aria-hidden="true">›</span> <span><bdi>${name}</bdi></span></nav>
<div class="page-head"><div class="who"><h1><bdi>${name}</bdi></h1>${clientBadge(client)}</div>
${app.connected ? (valid.length > 1 ? revokeForm(frame, appAddress(clientId), { client_id: clientId }, "Revoke all", name) : "") : html`<span class="badge">No longer connected</span>`}</div>
${identity(app, frame)}
${effect === undefined ? "" : effectAlert(effect, appAddress(clientId), frame)}
${valid.map((grant) => grantCard(grant, name, clientId, frame))}
${figures(app, frame)}
<section class="card"><header class="row"><h2>What it saw</h2><a class="end" href="${seenAddress(clientId)}">All requests, with the records</a></header>
${view.seen.length === 0 ? html`<p class="note">Nothing yet.</p>` : burstList(view.seen, frame)}</section>
${timeline(view, frame)}
${events(view, frame)}
${streams(view, frame)}
${over.length === 0 ? "" : html`<section><h2>Earlier grants</h2><ul class="list">${over.map((grant) => endedRow(grant, frame))}</ul></section>`}
${technical([
  ["Client id", html`<code>${clientId}</code>`],
  [
    "Grants",
    html`${app.grants.map((grant) => html`<a href="${grantAddress(grant.id)}"><code>${grant.id}</code></a> `)}`,
  ],
])}`,
    snippets: [
      curl(frame.origin, `/v1/activity/days?client_id=${id}&time_zone=${encodeURIComponent(frame.times.zone)}`),
      command("grants", "list", "--client", clientId, "--server", frame.origin),
    ],
  };
}

function grantCard(grant: AppGrant, name: string, clientId: string, frame: PageFrame): Html {
  const { times } = frame;
  return html`<div class="card grant-head"><p class="row">${statusBadge(grant)}</p>
${maySee(grant.reads, times.zone)}
<p class="note">${untilWords(grant, times.zone)} · allowed ${times.instant(grant.issuedAt)} · <a href="${grantAddress(grant.id)}">Details</a></p>
${grantButtons(grant, name, appAddress(clientId), frame)}</div>`;
}

function identity({ client, namesakes, firstAllowedAt }: App, { times }: PageFrame): Html {
  const said =
    client.verifiedHost === undefined
      ? html`${claimSentence(client)} Nothing proves this.`
      : html`${claimSentence(client)} Your approval went to an address that this host lists as its own.`;
  const same =
    namesakes === 0
      ? ""
      : html` <a href="${APPS}">${countOf(namesakes, "other app uses", "other apps use")}</a> this name; this one was first allowed ${times.instant(firstAllowedAt)}.`;
  return html`<p class="note">${said}${same}</p>`;
}

function figures({ lastUsedAt, calls, denied, records, bytes, clientId }: App, { times }: PageFrame): Html {
  const tiles: [string, string | Html][] = [
    ["Last read", lastUsedAt === undefined ? "never" : times.ago(lastUsedAt)],
    ["Records read", formatNumber(records)],
    ["Data", formatBytes(bytes)],
    ["Requests", formatNumber(calls)],
    [
      "Refused",
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
    return html`<section><h2>Records read, day by day</h2><p class="note">It made no requests in the last ${days.length} days.</p></section>`;
  return html`<section class="days"><h2>Records read, day by day</h2>
${timeBars(
  `Records read per day, last ${days.length} days`,
  days.map(({ day, records, calls, denied }) => ({
    label: bucketWords("day", day),
    value: records,
    ...(calls + denied === 0 ? {} : { href: of(day) }),
  })),
)}
${countedFrom === undefined ? "" : html`<p class="note">Counts start at ${times.instant(countedFrom)}; earlier requests are not included.</p>`}
<div class="table-room" tabindex="0" role="region" aria-label="Days"><table><thead><tr><th scope="col">Day</th><th scope="col">What it read</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Records</th><th scope="col" class="number">Data</th><th scope="col" class="number">Refused</th></tr></thead>
<tbody>${used.map(
    (day) =>
      html`<tr><th scope="row" class="nowrap"><a href="${of(day.day)}">${bucketWords("day", day.day)}</a></th><td>${streamNames(day.streams)}</td><td class="number">${formatNumber(day.calls)}</td><td class="number">${formatNumber(day.records)}</td><td class="number">${formatBytes(day.bytes)}</td><td class="number">${formatNumber(day.denied)}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function streamNames(streams: AppView["days"][number]["streams"]): Html {
  if (streams.length === 0) return html`<span class="note">no records</span>`;
  const shown = streams.slice(0, STREAMS_SHOWN);
  return html`${shown.map(({ what, connection }, index) => html`${index === 0 ? "" : ", "}${what} <span class="note">of <bdi>${connection}</bdi></span>`)}${streams.length > shown.length ? html` <span class="note">and ${streams.length - shown.length} more</span>` : ""}`;
}

function endedRow(grant: AppGrant, { times }: PageFrame): Html {
  return html`<li><div class="row">${statusBadge(grant)}<a href="${grantAddress(grant.id)}">Allowed ${times.day(grant.issuedAt)}</a>${grant.endedAt === undefined ? "" : html`<span class="note">ended ${times.instant(grant.endedAt)}</span>`}</div>
${maySee(grant.reads, times.zone, "could")}${endingWords(grant)}</li>`;
}

/** Lists where the app gets change notifications, if it subscribed to any. */
function events({ events: found }: AppView, frame: PageFrame): Html | "" {
  if (found.length === 0) return "";
  return html`<section class="card" id="events"><header class="row"><h2>Change notifications</h2><a class="end" href="${EVENTS_PAGE}">All events</a></header>
<ul class="list">${found.map(
    (row) =>
      html`<li><div class="row">${subscriptionBadge(row)}<a href="${subscriptionAddress(row.subscriptionId)}">${aboutWords(row)}</a></div><p class="note"><code>${row.url}</code> · ${subscriptionState(row, frame)}</p></li>`,
  )}</ul></section>`;
}

function streams({ streams: found, app }: AppView, { times }: PageFrame): Html | "" {
  if (found.length === 0) return "";
  return html`<section><h2>Totals</h2>
<div class="table-room" tabindex="0" role="region" aria-label="Totals"><table><thead><tr><th scope="col">What</th><th scope="col">Connection</th><th scope="col" class="number">Reads</th><th scope="col" class="number">Records</th><th scope="col" class="number">Data</th><th scope="col">Last</th></tr></thead>
<tbody>${found.map(
    ({ connectionId, connection, stream, what, calls, records, bytes, lastReadAt }) =>
      html`<tr><th scope="row" class="nowrap"><a href="${activityAddress({ client_id: app.clientId, connection_id: connectionId, stream })}">${what}</a></th><td><bdi>${connection}</bdi></td><td class="number">${formatNumber(calls)}</td><td class="number">${formatNumber(records)}</td><td class="number">${formatBytes(bytes)}</td><td>${lastReadAt === undefined ? "" : times.ago(lastReadAt)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
