// The event subscriptions page: which app is notified of what, where, and whether notifications arrive.
import { html } from "hono/html";
import { type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { appAddress } from "../app-grants.ts";
import { done as said } from "../words.ts";
import type { EventsView } from "./events.ts";
import {
  aboutWords,
  EVENTS_PAGE,
  type SubscriptionRow,
  subscriptionAddress,
  subscriptionBadge,
  subscriptionState,
} from "./subscription-words.ts";

export function showEvents(view: EventsView, frame: PageFrame): PageContent {
  const { subscriptions, done } = view;
  return {
    title: "Events",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/dashboard/settings">Settings</a> <span aria-hidden="true">›</span> <span>Events</span></nav>
<h1>Change notifications</h1>
<p class="lead">An app with access can ask to be notified of changes to the data that it may read. It learns which stream changed, never the content.</p>
${done === undefined ? "" : said(done, frame.undo)}
${
  subscriptions.length === 0
    ? html`<div class="empty"><h2>No subscriptions</h2><p>Apps can subscribe under the grants that you gave them (<a href="/v1/event-subscriptions/capabilities">details for developers</a>). You see every subscription here, and can stop it.</p></div>`
    : html`<ul class="holdings">${subscriptions.map((row) => card(row, frame))}</ul>`
}
${view.hosts === undefined ? "" : hosts(view.hosts, view.apps, frame)}`,
    snippets: [curl(frame.origin, "/v1/event-subscriptions"), command("events", "list", "--server", frame.origin)],
  };
}

function card(row: SubscriptionRow, frame: PageFrame): Html {
  const { subscriptionId, clientId, app, url } = row;
  return html`<li class="card"><header class="row"><h2><a href="${subscriptionAddress(subscriptionId)}"><bdi>${app}</bdi><span class="visually-hidden">, ${subscriptionId}</span></a></h2>${subscriptionBadge(row)}${clientId === undefined ? "" : html`<a class="end" href="${appAddress(clientId)}">The app</a>`}</header>
<p>Notified of ${aboutWords(row)}, at <code>${url}</code></p>
<p class="note">${subscriptionState(row, frame)}</p></li>`;
}

function hosts(allowed: NonNullable<EventsView["hosts"]>, apps: EventsView["apps"], { csrf, times }: PageFrame): Html {
  const remove = (host: string, client_id: string, app: string): Html =>
    html`<form class="end" method="post" action="${EVENTS_PAGE}">${hidden({ csrf, do: "disallow", host, client_id })}<button class="button danger">Remove<span class="visually-hidden"> ${host} for ${app}</span></button></form>`;
  return html`<section class="card" id="hosts" aria-label="Private addresses"><h2>Private addresses</h2>
<p>Events are sent to https addresses on the public internet. To send events to a computer on your own network, or to this one, allow its address for an app here. The app can then have this server send requests to that address, and to no other.</p>
${
  allowed.length === 0
    ? html`<p class="note">No private address is allowed.</p>`
    : html`<ul class="list">${allowed.map(
        ({ host, clientId, app, allowedAt }) =>
          html`<li class="row"><div><code>${host}</code> for <a href="${appAddress(clientId)}"><bdi>${app}</bdi></a><p class="note">since ${times.day(allowedAt)}</p></div>${remove(host, clientId, app)}</li>`,
      )}</ul>`
}
${
  apps.length === 0
    ? html`<p class="note">No app has access now, so there is no app to allow.</p>`
    : html`<form class="row" method="post" action="${EVENTS_PAGE}">${hidden({ csrf, do: "allow" })}<label>App<select name="client_id" required>${apps.map(({ clientId, name }) => html`<option value="${clientId}">${name}</option>`)}</select></label><label>Host and port<input type="text" name="host" required maxlength="300" placeholder="192.168.1.20:8123" autocapitalize="none" spellcheck="false"></label><button class="button">Allow</button></form>`
}</section>`;
}
