// The page of one subscription: its state, its log, and its actions.
import { html, raw } from "hono/html";
import { countOf } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { appAddress, grantAddress } from "../app-grants.ts";
import { done as said } from "../words.ts";
import type { DeliveryRow, SubscriptionView } from "./subscription.ts";
import {
  aboutWords,
  EVENTS_PAGE,
  subscriptionAddress,
  subscriptionBadge,
  subscriptionState,
} from "./subscription-words.ts";

const LIVE_MS = 1000;

export function showSubscription(view: SubscriptionView, frame: PageFrame): PageContent {
  const { subscription: row, done } = view;
  const { subscriptionId: id, app, clientId, grantId, url, createdAt, verifiedAt, reason } = row;
  const { times } = frame;
  return {
    title: `Events for ${app}`,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/dashboard/settings">Settings</a> <span aria-hidden="true">›</span> <a href="${EVENTS_PAGE}">Events</a> <span aria-hidden="true">›</span> <span><bdi>${app}</bdi></span></nav>
<div class="page-head"><div class="who"><h1>Events for <bdi>${app}</bdi></h1>${subscriptionBadge(row)}</div></div>
${done === undefined ? "" : said(done, frame.undo)}
${reason === undefined ? "" : html`<div class="alert warn"><p><bdi>${reason}</bdi></p></div>`}
<section class="card" aria-label="Status"><dl class="facts">
<div><dt>Notified of</dt><dd>${aboutWords(row)}</dd></div>
<div><dt>Address</dt><dd><code>${url}</code></dd></div>
<div><dt>Verified</dt><dd>${verifiedAt === undefined ? "not yet: the address must answer the challenge before anything else is sent" : times.instant(verifiedAt)}</dd></div>
<div><dt>Status</dt><dd>${subscriptionState({ ...row, reason: undefined }, frame)}</dd></div>
<div><dt>Since</dt><dd>${times.instant(createdAt)}, under <a href="${grantAddress(grantId)}">its grant</a>${clientId === undefined ? "" : html` · <a href="${appAddress(clientId)}">the app</a>`}</dd></div>
</dl>${buttons(view, frame)}</section>
${log(view, frame)}`,
    snippets: [
      curl(frame.origin, `/v1/event-subscriptions/${encodeURIComponent(id)}/deliveries`),
      command("events", "log", id, "--server", frame.origin),
    ],
  };
}

function buttons({ subscription: { subscriptionId: id, status } }: SubscriptionView, { csrf }: PageFrame): Html {
  const act = (what: string, label: string, kind = ""): Html =>
    html`<form method="post" action="${subscriptionAddress(id)}">${hidden({ csrf, do: what })}<button class="button ${kind}">${label}</button></form>`;
  return html`<div class="row">${status === "active" ? act("test", "Send a test event") : ""}${status === "pending" ? act("verify", "Verify again") : ""}${status === "active" || status === "pending" ? act("pause", "Pause") : ""}${status === "paused" || status === "disabled" ? act("resume", "Resume") : ""}${act("delete", "Delete", "danger")}</div>`;
}

function log({ subscription, deliveries, cursor }: SubscriptionView, frame: PageFrame): Html {
  const { subscriptionId: id, waiting } = subscription;
  const live = waiting > 0 && subscription.status !== "paused";
  return html`<section id="log"${live ? raw(` data-live="${LIVE_MS}"`) : ""}><h2>Log</h2>
${
  deliveries.length === 0
    ? html`<p class="note">Nothing yet.</p>`
    : html`<div class="table-room" tabindex="0" role="region" aria-label="Log"><table><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Outcome</th><th scope="col" class="number">Attempts</th><th scope="col">Event</th></tr></thead>
<tbody>${deliveries.map((one) => delivery(one, id, frame))}</tbody></table></div>`
}
${cursor === undefined ? "" : html`<p class="pager"><a href="${subscriptionAddress(id)}?cursor=${cursor}#log">Earlier</a></p>`}</section>`;
}

const KINDS: Readonly<Record<string, string>> = {
  "dev.pdpp.subscription.challenge": "Challenge",
  "dev.pdpp.subscription.test": "Test",
};

function delivery(one: DeliveryRow, id: string, frame: PageFrame): Html {
  const { eventId, type, stream, connection, tries, createdAt } = one;
  const what = KINDS[type] ?? html`${stream} <span class="note">of <bdi>${connection}</bdi></span>`;
  const again =
    one.status === "waiting" || KINDS[type] !== undefined
      ? ""
      : html` <form class="inline" method="post" action="${subscriptionAddress(id)}">${hidden({ csrf: frame.csrf, do: "replay", event: eventId })}<button class="button small">Send again<span class="visually-hidden"> ${eventId}</span></button></form>`;
  return html`<tr><th scope="row" class="nowrap">${frame.times.instant(createdAt)}</th><td>${what}</td><td>${outcome(one, frame)}</td><td class="number">${tries}</td><td><code>${eventId}</code>${again}</td></tr>`;
}

function outcome({ status, lastTry, nextTryAt, tries }: DeliveryRow, { times }: PageFrame): Html {
  const words =
    lastTry === undefined
      ? ""
      : html` <bdi>${lastTry.error ?? `${lastTry.status} in ${countOf(lastTry.milliseconds, "ms", "ms")}`}</bdi>`;
  if (status === "delivered") return html`<span class="badge good">Delivered</span>${words}`;
  if (status === "failed") return html`<span class="badge bad">Not delivered</span>${words}`;
  const next =
    nextTryAt === undefined
      ? ""
      : html`<span class="note">${tries === 0 ? "on its way" : html`next attempt ${times.ago(nextTryAt)}`}</span>`;
  return html`<span class="badge warn">Waiting</span>${words} ${next}`;
}
