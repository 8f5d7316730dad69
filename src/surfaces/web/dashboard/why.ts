// Why a call was denied: what the app asked for, the line of the grant that decided, and what the owner can do (X-08).
import { html } from "hono/html";
import type { Denial } from "../../../contract/activity.ts";
import type { List } from "../../../contract/answers.ts";
import { type Html, withCode } from "../layout.ts";
import { ownerPage } from "../owner-page.ts";
import { command, curl } from "../snippets.ts";
import type { Times } from "../times.ts";

interface WhyView {
  requestId: string;
  denials: readonly Denial[];
}

export const whyPage = ownerPage<WhyView>({
  path: "/dashboard/why/{request_id}",
  under: "activity",
  async load({ params, look }) {
    const found = await look<List<Denial>>("why", { request_id: params.request_id });
    return { requestId: params.request_id!, denials: found.data };
  },
  show: ({ requestId, denials }, { times, origin }) => ({
    title: "Why it was denied",
    width: "middle",
    body: html`<p class="eyebrow">Request <code>${requestId}</code></p>
<h1>Why it was denied</h1>
${denials.map((denial) => denialCard(denial, times))}`,
    snippets: [curl(origin, `/v1/activity/why?request_id=${encodeURIComponent(requestId)}`), command("why", requestId)],
  }),
});

function denialCard({ call, app, why, grants, next_step }: Denial, times: Times): Html {
  const asked = [call.action, why?.asked?.stream, why?.asked?.field, why?.asked?.connection_id].filter(
    (part) => part !== undefined,
  );
  const lines = why === undefined ? [] : [why, ...(why.closest ?? [])];
  return html`<section class="card why">
<dl class="facts">
<div><dt>App</dt><dd><bdi>${app === undefined ? "the owner, or nobody known" : `“${app}”`}</bdi></dd></div>
<div><dt>When</dt><dd>${times.instant(call.at)}</dd></div>
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
