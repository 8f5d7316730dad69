// The page after the decision: the sentence that describes what was allowed, until when, and the way back to the app.
import { html } from "hono/html";
import type { GrantWords } from "../../../contract/grant.ts";
import { accessSentence, endSentence } from "../../../core/grant-sentence.ts";
import { mayWords } from "../../../core/grant-words.ts";
import { spokenTime } from "../../../core/spoken-time.ts";
import { goingBackScriptPath } from "../assets.ts";
import { documentOf, type Html, type Layout } from "../layout.ts";
import { clientBadge, clientWords, type NamedClient } from "./client-identity.ts";

/** The link back to the app. Following it gives the app its response. */
export interface Continue {
  href: string;
}

/** The readable part of one stream, in words. Also used in the list of apps. */
export type ReadWords = GrantWords["reads"][number];

export interface ReceiptView {
  client: NamedClient;
  reads: readonly ReadWords[];
  grantIds: readonly string[];
  packageId?: string;
  /** If absent, the grant is valid until it is revoked. */
  expiresAt?: string;
  once?: boolean;
  issuedAt: string;
  /** The owner's time zone, which determines days and times. */
  zone: string;
  /** The number of earlier grants of the app that this one replaced. */
  replaced?: number;
  continue?: Continue;
  /** The page where the grant can be revoked. */
  appsUrl?: string;
  owner?: Layout["owner"];
}

export function receiptPage(view: ReceiptView): string {
  const { zone, issuedAt, expiresAt, once, replaced = 0 } = view;
  const id = view.packageId ?? view.grantIds[0];
  const files = view.reads.some((read) => read.may);
  const end = endSentence(
    { access_mode: once ? "single_use" : "continuous", ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) },
    zone,
  );
  return documentOf({
    title: "Allowed",
    owner: view.owner,
    ...(view.continue === undefined ? {} : { scripts: [goingBackScriptPath] }),
    width: "narrow",
    body: html`<p class="eyebrow">Allowed</p>
<div class="who"><h1><bdi>${clientWords(view.client)}</bdi> may now ${files ? "browse" : "see"} this</h1>${clientBadge(view.client)}</div>
<div class="card receipt">
<p class="may"><bdi>${accessSentence(view.reads, zone)}</bdi></p>
<dl class="facts">
<div><dt>Ends</dt><dd>${end.charAt(0).toUpperCase()}${end.slice(1)}</dd></div>
<div><dt>Allowed</dt><dd><time datetime="${issuedAt}">${spokenTime(issuedAt, zone)}</time></dd></div>
${replaced === 0 ? "" : html`<div><dt>Replaced</dt><dd>This app’s earlier access was revoked.</dd></div>`}
</dl>
<details class="technical"><summary>Technical details</summary>${readList(view.reads)}
<dl class="facts"><div><dt>${view.grantIds.length === 1 ? "Grant" : "Grants"}</dt><dd>${view.grantIds.map((grant) => html`<code>${grant}</code> `)}</dd></div>
<div><dt>Revoke it</dt><dd><code>pdpp grants revoke ${id ?? ""}</code></dd></div></dl></details>
</div>
${view.continue === undefined ? html`<p class="lead">You can close this page and go back to your device.</p>` : goOn(view.continue, view.client)}
<p class="note">You can change, pause or revoke this access at any time${view.appsUrl === undefined ? "" : html` under <a href="${view.appsUrl}">Apps</a>`}. Changes take effect at the next request.</p>`,
  });
}

export function deniedPage({
  client,
  continue: next,
  owner,
}: Pick<ReceiptView, "client" | "continue" | "owner">): string {
  return documentOf({
    title: "Denied",
    owner,
    ...(next === undefined ? {} : { scripts: [goingBackScriptPath] }),
    width: "narrow",
    body: html`<p class="eyebrow">Denied</p>
<h1><bdi>${clientWords(client)}</bdi> gets nothing</h1>
<p class="lead">It learns that you denied the request, and nothing about your data.</p>
${next === undefined ? "" : goOn(next, client)}`,
  });
}

/** Lists streams with their field names, for programmers, grouped by connection in the given order. */
function readList(reads: readonly ReadWords[]): Html {
  const groups = [...Map.groupBy(reads, (read) => read.connection)];
  return html`<ul class="read-list">${groups.map(
    ([connection, streams]) =>
      html`<li><p class="read-from"><bdi>${connection}</bdi></p><ul>${streams.map((read) => html`<li><strong>${read.stream}</strong> <span>${fieldWords(read)}</span></li>`)}</ul></li>`,
  )}</ul>`;
}

function fieldWords({ fields, time, filter, records, may }: ReadWords): string {
  if (may !== undefined) return `may ${mayWords(may, "it")}`;
  return [fields, time, filter, records].filter((part) => part !== undefined).join("; ");
}

/** The app is waiting for this step. A script continues automatically after a moment. */
function goOn({ href }: Continue, client: NamedClient): Html {
  return html`<p class="going-back" role="status">One step is left: go back, so that the app can continue.</p>
<p><a class="button primary wide" data-going-back href="${safeHref(href)}">Back to ${clientWords(client)}</a></p>`;
}

/** Native apps have their own URL schemes. Schemes that run code in a page are refused. */
export function safeHref(href: string): string {
  return /^\s*(?:javascript|data|vbscript|blob|file):/i.test(href) ? "#" : href;
}
