// A page that says one thing: what went wrong, or what happened, and where to go.
import { html } from "hono/html";
import { documentOf, type Layout, withCode } from "../layout.ts";

export interface MessageView {
  title: string;
  text: string;
  /** HTTP status; 400 and above is told as a failure. */
  status: number;
  /** The typed code, for whoever looks it up. */
  code?: string;
  requestId?: string;
  next?: { label: string; href: string };
  owner?: Layout["owner"];
  nav?: Layout["nav"];
}

export function messagePage({ title, text, status, code, requestId, next, owner, nav }: MessageView): string {
  const facts = [code, status >= 400 ? String(status) : undefined, requestId].filter((fact) => fact !== undefined);
  return documentOf({
    title,
    width: "narrow",
    owner,
    nav,
    body: html`<h1>${title}</h1>
<p class="lead">${withCode(text)}</p>
${next === undefined ? "" : html`<p><a class="button" href="${next.href}">${next.label}</a></p>`}
${facts.length === 0 ? "" : html`<p class="code"><code>${facts.join(" · ")}</code></p>`}`,
  });
}
