// Apps and their grants, for people: what each may read, when it last did, and one button that revokes it.
import { html } from "hono/html";
import { countOf } from "../format.ts";
import { attribute, type Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { claimSentence, clientBadge, clientWords } from "../pages/client-identity.ts";
import { command, curl } from "../snippets.ts";
import { APPS, type App, type AppGrant, appAddress, type EndedApp, grantAddress } from "./app-grants.ts";
import { endedAlert, endingWords, readFold, recentCalls, revokeForm, statusBadge, usage } from "./grant-words-view.ts";

export interface AppsView {
  apps: readonly App[];
  /** Said once, after a revocation. */
  ended?: EndedApp | "nothing";
}

export function showApps({ apps, ended }: AppsView, frame: PageFrame): PageContent {
  const active = apps.filter((app) => app.active);
  const over = apps.filter((app) => !app.active);
  return {
    title: "Apps",
    width: "middle",
    body: html`<div class="page-head"><div><h1>Apps</h1>
<p class="lead">Who may read what, and what they did read. Taking back works from the next request on.</p></div>
${active.length === 0 ? "" : html`<a class="button" href="/dashboard/connect">Connect an AI app</a>`}</div>
${ended === undefined ? "" : endedAlert(ended, frame)}
${active.length === 0 ? nothing(over.length > 0) : active.map((app) => appCard(app, frame))}
${over.length === 0 ? "" : html`<details class="ended-apps"${attribute("open", ended !== undefined)}><summary><h2>No longer reading</h2> <span class="note">${countOf(over.length, "app")}</span></summary>${over.map((app) => appCard(app, frame))}</details>`}`,
    snippets: [curl(frame.origin, "/v1/grants"), command("grants", "list", "--server", frame.origin)],
  };
}

const nothing = (before: boolean): Html =>
  html`<div class="empty"><h2>No app may read anything${before ? " now" : ""}</h2><p>When one asks, you choose what it reads, and see here what it did.</p><p><a class="button primary" href="/dashboard/connect">Connect an AI app</a></p></div>`;

function appCard(app: App, frame: PageFrame): Html {
  const { clientId, client, grants } = app;
  const active = grants.filter(({ status }) => status === "active");
  const over = grants.filter(({ status }) => status !== "active");
  const name = clientWords(client);
  return html`<article class="card app">
<header><h2><a href="${appAddress(clientId)}"><bdi>${name}</bdi></a></h2>${clientBadge(client)}${
    active.length > 1 ? revokeForm(frame, APPS, { client_id: clientId }, "Revoke all", name) : ""
  }</header>
${client.verifiedHost === undefined && client.claimedHost === undefined ? "" : html`<p class="note">${claimSentence(client)}</p>`}
<p class="note">${usage(app, frame)}</p>
${active.map((grant) => grantBlock(grant, frame, name, grants.length === 1))}
${over.length === 0 || !app.active ? over.map((grant) => grantBlock(grant, frame, name, grants.length === 1)) : html`<details class="earlier"><summary>${countOf(over.length, "earlier grant")}</summary>${over.map((grant) => grantBlock(grant, frame, name, grants.length === 1))}</details>`}
</article>`;
}

/** Alone, it has no figures of its own besides those of the app. */
function grantBlock(grant: AppGrant, frame: PageFrame, name: string, alone: boolean): Html {
  const { id, status, reads, issuedAt, expiresAt, recent } = grant;
  const { times } = frame;
  const active = status === "active";
  const body = html`${readFold(reads)}
<p class="note">${alone ? "" : html`Allowed ${times.instant(issuedAt)}, ${grant.lastUsedAt === undefined ? "never read" : html`last read ${times.ago(grant.lastUsedAt)}`}. `}Until ${expiresAt === undefined ? "you revoke it" : times.instant(expiresAt)}.</p>
${recent.length === 0 ? "" : html`<details class="recent"><summary>What it asked for lately</summary>${recentCalls(recent, frame)}</details>`}`;
  return html`<section class="grant ${active ? "" : "over"}" aria-label="Grant ${id}">
<header>${statusBadge(grant)}<a href="${grantAddress(id)}">Details<span class="visually-hidden"> of ${id}</span></a>${active ? revokeForm(frame, APPS, { id }, "Revoke", name) : ""}</header>
${endingWords(grant)}
${active ? body : html`<details><summary>What it could read</summary>${body}</details>`}
</section>`;
}
