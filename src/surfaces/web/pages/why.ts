// Why a call was denied: what the app asked for, the line of the grant that decided, and what the owner can do (X-08).
import { html } from "hono/html";
import type { Denial } from "../../../contract/activity.ts";
import { formatInstant } from "../format.ts";
import { documentOf, type Html, type Layout, withCode } from "../layout.ts";

export interface WhyView {
  requestId: string;
  denials: readonly Denial[];
  owner?: Layout["owner"];
  nav?: Layout["nav"];
}

export function whyPage({ requestId, denials, owner, nav }: WhyView): string {
  return documentOf({
    title: "Why it was denied",
    width: "narrow",
    owner,
    nav,
    body: html`<p class="eyebrow">Request <code>${requestId}</code></p>
<h1>Why it was denied</h1>
${denials.map(denialCard)}`,
  });
}

function denialCard({ call, app, why, grants, next_step }: Denial): Html {
  const asked = [call.action, why?.asked?.stream, why?.asked?.field, why?.asked?.connection_id].filter(
    (part) => part !== undefined,
  );
  const lines = why === undefined ? [] : [why, ...(why.closest ?? [])];
  return html`<section class="card why">
<dl class="facts">
<div><dt>App</dt><dd><bdi>${app === undefined ? "the owner, or nobody known" : `“${app}”`}</bdi></dd></div>
<div><dt>When</dt><dd><time datetime="${call.at}">${formatInstant(call.at)}</time></dd></div>
<div><dt>Asked for</dt><dd><bdi>${asked.join(" · ")}</bdi></dd></div>
<div><dt>Answer</dt><dd><code>${call.outcome}</code></dd></div>
${grants.map(({ grant_id, status }) => html`<div><dt>Grant</dt><dd><code>${grant_id}</code> ${status}</dd></div>`)}
</dl>
<h2>What decided</h2>
${
  lines.length === 0
    ? html`<p>No grant decided this; the request itself was refused.</p>`
    : html`<ul class="read-list">${lines.map(({ decided_by, says }) => html`<li><p class="read-from"><code>${decided_by}</code></p><p><bdi>${says}</bdi></p></li>`)}</ul>`
}
<h2>What you can do</h2>
<p>${withCode(next_step)}</p>
${why === undefined || app === undefined ? "" : html`<p class="note">Or connect the app again, and choose more when it asks.</p>`}
</section>`;
}
