// A page with one message: what went wrong or what happened, and where to go next.
import { html } from "hono/html";
import { documentOf, type Html, type Layout, withCode } from "../layout.ts";

export interface MessageView {
  title: string;
  text: string;
  /** The HTTP status. 400 and above is shown as a failure. */
  status: number;
  /** The error code, for looking it up. */
  code?: string;
  requestId?: string;
  next?: { label: string; href: string };
  owner?: Layout["owner"];
  nav?: Layout["nav"];
}

export function messagePage({ title, text, status, code, requestId, next, owner, nav }: MessageView): string {
  const facts = [code, status >= 400 ? `status ${status}` : undefined, requestId].filter((fact) => fact !== undefined);
  return documentOf({
    title,
    width: "narrow",
    owner,
    nav,
    body: html`<h1>${title}</h1>
<p class="lead">${withCode(text)}</p>
${next === undefined ? "" : html`<p><a class="button" href="${next.href}">${next.label}</a></p>`}
${technicalDetails(facts)}`,
  });
}

/** For people who look up or report the code. Collapsed by default. */
export const technicalDetails = (facts: readonly string[]): Html | "" =>
  facts.length === 0
    ? ""
    : html`<details><summary>Technical details</summary><p class="code"><code>${facts.join(" · ")}</code></p></details>`;
