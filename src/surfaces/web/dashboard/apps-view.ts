// Apps and their grants, for people: what each may read, when it last did, and one button that takes it back.
import { html } from "hono/html";
import { type Html, hidden } from "../layout.ts";
import type { Frame, Shown } from "../owner-page.ts";
import { clientBadge, clientWords, isVerified } from "../pages/client-identity.ts";
import type { ConsentClient } from "../pages/consent-view.ts";
import { type ReadWords, readList } from "../pages/receipt.ts";

export interface AppGrant {
  /** Of the grant, or of the package that was approved together. */
  id: string;
  status: "active" | "revoked" | "expired" | "consumed";
  reads: readonly ReadWords[];
  issuedAt: string;
  expiresAt?: string;
  /** Of one that was ended before its time. */
  endedBy?: "owner" | "app" | "reuse";
  lastUsedAt?: string;
  /** Active, and not used for long. */
  sleeping: boolean;
  /** Newest first, in words: "records of messages: 12 records". */
  recent: readonly { at: string; text: string; whyUrl?: string }[];
}

export interface AppsView {
  apps: readonly {
    clientId: string;
    client: Pick<ConsentClient, "verifiedHost" | "claimedName" | "unverified">;
    grants: readonly AppGrant[];
  }[];
  /** Said once, after a revocation. */
  done?: string;
}

export function showApps({ apps, done }: AppsView, frame: Frame): Shown {
  const empty = html`<p class="empty">No app may read anything. When one asks, you see here what you allowed and what it read.</p>`;
  return {
    title: "Apps",
    width: "middle",
    body: html`<h1>Apps</h1>
<p class="lead">Who may read what, and what they did read. Taking back works from the next request on.</p>
${done === undefined ? "" : html`<div class="alert good" role="status"><p>${done}</p></div>`}
${apps.length === 0 ? empty : apps.map((app) => appCard(app, frame))}`,
  };
}

function appCard({ clientId, client, grants }: AppsView["apps"][number], frame: Frame): Html {
  const active = grants.filter((grant) => grant.status === "active");
  const name = clientWords(client);
  const claimed = isVerified(client)
    ? html`<p class="note">It calls itself <q><bdi>${clientWords({ ...client, unverified: true }).replace(/[“”]/g, "")}</bdi></q>.</p>`
    : "";
  return html`<article class="card app">
<header><h2><bdi>${name}</bdi></h2>${clientBadge(client)}${
    active.length > 1 ? revokeForm(frame, { client_id: clientId }, "Revoke all", name) : ""
  }</header>
${claimed}
${grants.map((grant) => grantBlock(grant, frame, name))}
</article>`;
}

const ENDED_BY = {
  owner: "You took it back.",
  app: "The app gave it back.",
  reuse: "It was ended because one of its tokens was used twice: somebody may have stolen it.",
};
const STATUS = { active: "Active", revoked: "Revoked", expired: "Expired", consumed: "Used up" };

function grantBlock(grant: AppGrant, frame: Frame, name: string): Html {
  const { id, status, reads, issuedAt, expiresAt, lastUsedAt, sleeping, recent, endedBy } = grant;
  const { times } = frame;
  const active = status === "active";
  const mark =
    sleeping && active
      ? html`<span class="badge warn">Sleeping</span>`
      : html`<span class="badge ${active ? "good" : ""}">${STATUS[status]}</span>`;
  const body = html`${readList(reads)}
<dl class="facts across">
<div><dt>Last read</dt><dd>${lastUsedAt === undefined ? "never" : times.instant(lastUsedAt)}</dd></div>
<div><dt>Allowed</dt><dd>${times.instant(issuedAt)}</dd></div>
<div><dt>Until</dt><dd>${expiresAt === undefined ? "you take it back" : times.instant(expiresAt)}</dd></div>
</dl>
${recent.length === 0 ? "" : html`<details class="recent"><summary>What it asked for lately</summary><ol>${recent.map(({ at, text, whyUrl }) => html`<li>${times.instant(at)} <span>${text}</span>${whyUrl === undefined ? "" : html` <a href="${whyUrl}">why?</a>`}</li>`)}</ol></details>`}`;
  return html`<section class="grant ${active ? "" : "over"}" aria-label="Grant ${id}">
<header>${mark}<code>${id}</code>${active ? revokeForm(frame, { id }, "Revoke", name) : ""}</header>
${endedBy === undefined ? "" : html`<p class="${endedBy === "reuse" ? "alert warn" : "note"}">${ENDED_BY[endedBy]}</p>`}
${active ? body : html`<details><summary>What it could read</summary>${body}</details>`}
</section>`;
}

function revokeForm({ csrf }: Frame, what: Record<string, string>, label: string, name: string): Html {
  return html`<form class="revoke" method="post" action="/dashboard/apps">${hidden({ csrf, ...what })}<button class="button danger">${label}<span class="visually-hidden"> what ${name} may read</span></button></form>`;
}
