// An app that was never approved sent a request that cannot be completed. The owner sees it, and decides whether to go
// to the app.
import { html } from "hono/html";
import { type ClientIdentity, isLoopbackHost } from "../../../auth/client-identity.ts";
import { documentOf } from "../layout.ts";
import { claimSentence, hostWords, nameWarnings } from "./client-identity.ts";
import { technicalDetails } from "./message.ts";
import { safeHref } from "./receipt.ts";

export interface HeldRedirectView {
  client: ClientIdentity;
  /** The app's address with the error, in the form that the app expects. */
  href: string;
  /** The problem with the request as a sentence. May be empty. */
  text: string;
  code: string;
}

export function heldRedirectPage({ client, href, text, code }: HeldRedirectView): string {
  const host = client.redirectHost ?? "";
  const place = isLoopbackHost(host)
    ? html`a program on the computer you are using`
    : html`<strong><bdi>${hostWords(host)}</bdi></strong>`;
  return documentOf({
    title: "This request cannot be completed",
    width: "narrow",
    body: html`<p class="eyebrow">Nothing was shared</p>
<h1>This request cannot be completed</h1>
<p class="lead">An app that you have never approved sent an invalid request. ${text}</p>
<div class="card stack">
<p>The app wants to send you to ${place}. ${claimSentence(client)} Nothing proves this.</p>
${nameWarnings(client)}
<p>If you did not start this yourself, close this page. If you did, go back to the app and connect again.</p>
<p><a class="button" rel="noreferrer" href="${safeHref(href)}">Go back to ${isLoopbackHost(host) ? "the program" : hostWords(host)}</a></p>
</div>
${technicalDetails([code, "status 400"])}`,
  });
}
