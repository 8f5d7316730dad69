// Why a call was denied: what the app asked for, the line of the grant that decided, and what the owner can do (X-08).

import { html } from "hono/html";
import type { Denial } from "../../../contract/activity.ts";
import { isDenial } from "../../../contract/errors.ts";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { sentence } from "../format.ts";
import { type Html, withCode } from "../layout.ts";
import { ownerPage } from "../owner-page.ts";
import { command, curl } from "../snippets.ts";
import type { Times } from "../times.ts";
import { actionWords } from "./action-words.ts";
import { ACTIVITY, requestAddress } from "./activity-address.ts";
import { appAddress, grantAddress } from "./app-grants.ts";

interface WhyView {
  requestId: string;
  denials: readonly Denial[];
  /** Of connections that the denials name, by id. */
  names: Readonly<Record<string, string>>;
}

export const whyPage = ownerPage<WhyView>({
  path: "/dashboard/why/{request_id}",
  under: "activity",
  async load({ params, look }) {
    const [found, connections] = await Promise.all([
      look("why", { request_id: params.request_id! }),
      look("connections", {}),
    ]);
    const text = JSON.stringify(found.data);
    const named = connections.data.filter(({ connection_id }) => text.includes(connection_id));
    return {
      requestId: params.request_id!,
      denials: found.data,
      names: Object.fromEntries(named.map(({ connection_id, display_name }) => [connection_id, display_name])),
    };
  },
  show: ({ requestId, denials, names }, { times, origin }) => ({
    title: titleOf(denials),
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Where this is"><a href="${ACTIVITY}">Activity</a> <span aria-hidden="true">›</span> <a href="${requestAddress(requestId)}">Request</a></nav>
<h1>${titleOf(denials)}</h1>
${denials.map((denial) => denialCard(denial, names, times))}`,
    snippets: [
      curl(origin, `/v1/activity/why?request_id=${encodeURIComponent(requestId)}`),
      command("why", requestId, "--server", origin),
    ],
  }),
});

const titleOf = (denials: readonly Denial[]): string =>
  denials.some(({ call }) => isDenial(call.outcome)) ? "Why it was denied" : "Why it failed";

function denialCard({ call, app, why, grants, next_step }: Denial, names: WhyView["names"], times: Times): Html {
  const lines = why === undefined ? [] : [why, ...(why.closest ?? [])];
  const again = why !== undefined && app !== undefined;
  return html`<section class="card why">
<dl class="facts">
<div><dt>App</dt><dd>${appOf(call, app)}</dd></div>
<div><dt>When</dt><dd>${times.instant(call.at)}</dd></div>
<div><dt>Asked for</dt><dd><bdi>${askedFor(call.action, why?.asked, names)}</bdi></dd></div>
<div><dt>Answer</dt><dd><code>${call.outcome}</code></dd></div>
${grants.map(({ grant_id, status }) => html`<div><dt>Grant</dt><dd><a href="${grantAddress(grant_id)}"><code>${grant_id}</code></a> ${status}</dd></div>`)}
</dl>
<h2>What decided</h2>
${
  lines.length === 0
    ? html`<p>${isDenial(call.outcome) ? "No grant decided this; the request itself was refused." : "No grant decided this. The request had an error in it, or the server could not answer it."}</p>`
    : html`<ul class="read-list">${lines.map(({ decided_by, says }) => html`<li><p class="read-from"><bdi>${sentence(withNames(says, names))}</bdi></p><p class="note">Line <code>${decided_by}</code> of the grant</p></li>`)}</ul>`
}
<h2>What you can do</h2>
${again ? html`<p><a href="/dashboard/connect">Connect the app again</a>, and choose more when it asks. Or leave it: it got nothing.</p>` : ""}
<p${again ? html` class="note"` : ""}>${withCode(next_step)}</p>
</section>`;
}

function appOf({ client_id }: Denial["call"], app: string | undefined): Html {
  if (app === undefined) return html`the owner, or nobody known`;
  const name = html`“<bdi>${cleanDisplayName(app)}</bdi>”`;
  return client_id === undefined ? name : html`<a href="${appAddress(client_id)}">${name}</a>`;
}

/** "Read records: transactions of Liffey Bank"; what the app named and nobody knows stays as it was. */
function askedFor(action: string, asked: NonNullable<Denial["why"]>["asked"], names: WhyView["names"]): string {
  const { stream, field, connection_id } = asked ?? {};
  const what = [field, stream].filter((part) => part !== undefined).join(" of ");
  const from = connection_id === undefined ? "" : (names[connection_id] ?? connection_id);
  const named = [what, from].filter((part) => part !== "").join(" of ");
  return named === "" ? actionWords(action) : `${actionWords(action)}: ${named}`;
}

/** "reads Personal mail (cin_…)" is for programs; people know it by its name. */
function withNames(says: string, names: WhyView["names"]): string {
  let text = says;
  for (const [id, name] of Object.entries(names))
    text = text.replaceAll(` (${id})`, "").replaceAll(id, `“${cleanDisplayName(name)}”`);
  return text;
}
