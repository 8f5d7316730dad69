// The apps page: a card for each app, with a sentence for each grant and the buttons that change it.
import { html } from "hono/html";
import { countOf } from "../format.ts";
import { attribute, type Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { claimSentence, clientBadge } from "../pages/client-identity.ts";
import { command, curl } from "../snippets.ts";
import { requestAddress } from "./activity-address.ts";
import { APPS, type App, type AppGrant, appAddress, grantAddress, isValid, whyAddress } from "./app-grants.ts";
import type { GrantEffect } from "./grant-acts.ts";
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
import { requestSentence } from "./seen/bursts.ts";
import type { SeenRequest } from "./seen/requests.ts";
import { seenAddress } from "./seen/seen-address.ts";

/** An app with its last request. */
export type ShownApp = App & { last?: SeenRequest };

export interface AppsView {
  apps: readonly ShownApp[];
  /** Shown once, after a change. */
  effect?: GrantEffect | "nothing";
}

export function showApps({ apps, effect }: AppsView, frame: PageFrame): PageContent {
  const connected = apps.filter((app) => app.connected);
  const over = apps.filter((app) => !app.connected);
  return {
    title: "Apps",
    width: "middle",
    body: html`<div class="page-head"><div><h1>Apps</h1>
<p class="lead">What each app may see, and what it saw last. Every change takes effect at the next request.</p></div>
${connected.length === 0 ? "" : html`<a class="button" href="/dashboard/connect">Connect an AI app</a>`}</div>
${effect === undefined ? "" : effectAlert(effect, APPS, frame)}
${connected.length === 0 ? nothing(over.length > 0) : connected.map((app) => appCard(app, frame))}
${over.length === 0 ? "" : html`<details class="ended-apps"${attribute("open", effect !== undefined && effect !== "nothing" && effect.done === "revoked")}><summary><h2>No longer connected</h2> <span class="note">${countOf(over.length, "app")}</span></summary>${over.map((app) => appCard(app, frame))}</details>`}`,
    snippets: [curl(frame.origin, "/v1/grants"), command("grants", "list", "--server", frame.origin)],
  };
}

const nothing = (before: boolean): Html =>
  html`<div class="empty"><h2>No app may see anything${before ? " any more" : ""}</h2><p>When an app asks for access, you choose what it may see. This page then shows what it saw.</p><p><a class="button primary" href="/dashboard/connect">Connect an AI app</a></p></div>`;

function appCard(app: ShownApp, frame: PageFrame): Html {
  const { clientId, client, grants, name } = app;
  const valid = grants.filter(isValid);
  const over = grants.filter((grant) => !isValid(grant));
  return html`<article class="card app">
<header><h2><a href="${appAddress(clientId)}"><bdi>${name}</bdi></a></h2>${clientBadge(client)}${valid.length === 1 ? statusBadge(valid[0]!) : ""}${
    valid.length > 1
      ? html`<span class="end">${revokeForm(frame, APPS, { client_id: clientId }, "Revoke all", name)}</span>`
      : ""
  }</header>
${client.verifiedHost === undefined && client.claimedHost === undefined ? "" : html`<p class="note">${claimSentence(client)}</p>`}
${valid.map((grant) => grantBlock(grant, app, frame, valid.length > 1))}
${app.connected ? lastSeen(app, frame) : over.map((grant) => endedBlock(grant, frame))}
${!app.connected || over.length === 0 ? "" : html`<details class="earlier"><summary>${countOf(over.length, "earlier grant")}</summary>${over.map((grant) => endedBlock(grant, frame))}</details>`}
${technical([
  ["Client id", html`<code>${clientId}</code>`],
  ["Grants", html`${grants.map(({ id }) => html`<a href="${grantAddress(id)}"><code>${id}</code></a> `)}`],
])}
</article>`;
}

function grantBlock(grant: AppGrant, { name }: ShownApp, frame: PageFrame, several: boolean): Html {
  const { times } = frame;
  return html`<div class="grant">${several ? html`<p class="row">${statusBadge(grant)}</p>` : ""}
${maySee(grant.reads, times.zone)}
<p class="note">${untilWords(grant, times.zone)} · allowed ${times.instant(grant.issuedAt)} · <a href="${grantAddress(grant.id)}">Details</a></p>
${grantButtons(grant, name, APPS, frame)}</div>`;
}

function endedBlock(grant: AppGrant, { times }: PageFrame): Html {
  return html`<div class="grant over"><p class="row">${statusBadge(grant)}<a href="${grantAddress(grant.id)}">Allowed ${times.day(grant.issuedAt)}</a></p>
${endingWords(grant)}${maySee(grant.reads, times.zone, "could")}</div>`;
}

/** Describes the app's last request in words, with a link to all of them. */
function lastSeen(
  { last, lastUsedAt, clientId, records, namesakes, firstAllowedAt }: ShownApp,
  { times }: PageFrame,
): Html {
  const same =
    namesakes === 0
      ? ""
      : html` ${countOf(namesakes, "other app uses", "other apps use")} this name; this one was first allowed ${times.instant(firstAllowedAt)}.`;
  if (last === undefined)
    return html`<p class="last-seen note">${lastUsedAt === undefined ? "It has not asked for anything yet." : html`Last request ${times.ago(lastUsedAt)}.`}${same}</p>`;
  return html`<p class="last-seen"><span class="may-label">Last</span> <a class="plain" href="${requestAddress(last.requestId)}"><bdi>${requestSentence(last)}</bdi></a>${last.outcome === "answered" ? "" : html` <a href="${whyAddress(last.requestId)}">why?</a>`} <span class="note">${times.ago(last.at)} · ${countOf(records, "record")} in total · <a href="${seenAddress(clientId)}">What it saw</a>${same}</span></p>`;
}
