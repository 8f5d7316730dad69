// Explains why a call was denied: what the app requested, what it may see, which line of the grant caused the refusal,
// and what the owner can do (X-08).
import { html } from "hono/html";
import type { Denial } from "../../../contract/activity.ts";
import { isDenial, PdppError } from "../../../contract/errors.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import { type Html, withCode } from "../layout.ts";
import { ownerPage, type PageFrame, type Visit } from "../owner-page.ts";
import { command, curl } from "../snippets.ts";
import { ACTIVITY, requestAddress } from "./activity-address.ts";
import { appAddress, appNames, grantAddress, grantsOf, isValid } from "./app-grants.ts";
import { maySee, technical } from "./grant-words-view.ts";
import { type SeenRequest, seenRequests } from "./seen/requests.ts";
import { decidedWords } from "./why-words.ts";

interface ShownDenial extends Denial {
  /** Absent if no app made the request. */
  request?: SeenRequest;
  /** The app's name. */
  name?: string;
  /** The current state of the request's grants. */
  held: readonly GrantSummary[];
}

interface WhyView {
  requestId: string;
  denials: readonly ShownDenial[];
}

export const whyPage = ownerPage<WhyView>({
  path: "/dashboard/why/{request_id}",
  under: "activity",
  async load(visit) {
    const requestId = visit.params.request_id!;
    const [found, grants] = await Promise.all([foundBy(visit, requestId), grantsOf(visit)]);
    const names = appNames(grants);
    const requests = await seenRequests(
      visit,
      found.map(({ call }) => call).filter(({ client_id }) => client_id !== undefined),
    );
    return {
      requestId,
      denials: found.map((denial): ShownDenial => {
        const { call } = denial;
        const request = requests.find(({ clientId, at }) => clientId === call.client_id && at === call.at);
        const name = names.get(call.client_id ?? "");
        const ids = new Set(denial.grants.map(({ grant_id }) => grant_id));
        return {
          ...denial,
          ...(request === undefined ? {} : { request }),
          ...(name === undefined ? {} : { name }),
          held: grants.filter(({ grant }) => ids.has(grant.grant_id)),
        };
      }),
    };
  },
  show: ({ requestId, denials }, frame) => ({
    title: titleOf(denials),
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${ACTIVITY}">Activity</a> <span aria-hidden="true">›</span> <a href="${requestAddress(requestId)}">Request</a></nav>
<h1>${titleOf(denials)}</h1>
${denials.map((denial) => denialCard(denial, frame))}`,
    snippets: [
      curl(frame.origin, `/v1/activity/why?request_id=${encodeURIComponent(requestId)}`),
      command("why", requestId, "--server", frame.origin),
    ],
  }),
});

async function foundBy({ look }: Pick<Visit, "look">, requestId: string): Promise<Denial[]> {
  try {
    return (await look("why", { request_id: requestId })).data;
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "not_found") throw error;
    throw new PdppError("not_found", "no refused request matches this link", {
      next_step: "Activity lists the requests that were refused.",
    });
  }
}

const titleOf = (denials: readonly Denial[]): string =>
  denials.some(({ call }) => isDenial(call.outcome)) ? "Why it was refused" : "Why it failed";

function denialCard(denial: ShownDenial, { times }: PageFrame): Html {
  const { call, name, request, held, why } = denial;
  const valid = held.filter(isValid);
  const shown = valid.length === 0 ? held : valid;
  return html`<section class="card why">
<dl class="facts">
<div><dt>App</dt><dd>${appOf(call, name)}</dd></div>
<div><dt>When</dt><dd>${times.instant(call.at)}</dd></div>
<div><dt>Request</dt><dd><bdi>${request?.words ?? "It did not ask for anything specific"}</bdi></dd></div>
</dl>
<h2>Reason</h2>
<p><bdi>${decidedWords(denial, held, times)}</bdi></p>
${
  shown.length === 0
    ? ""
    : maySee(
        shown.flatMap(({ words }) => words.reads),
        times.zone,
        valid.length === 0 ? "could" : "may",
      )
}
<h2>What you can do</h2>
${remedy(denial, valid)}
${technical([
  ["Answer", html`<code>${call.outcome}</code>`],
  ...held.map(
    ({ grant, status }) =>
      ["Grant", html`<a href="${grantAddress(grant.grant_id)}"><code>${grant.grant_id}</code></a> ${status}`] as const,
  ),
  ...[...(why === undefined ? [] : [why]), ...(why?.closest ?? [])].map(
    ({ decided_by, says }) => ["Decided by", html`<code>${decided_by}</code>: <bdi>${says}</bdi>`] as const,
  ),
  ["Next step", withCode(denial.next_step)],
])}
</section>`;
}

function remedy({ why, name, call }: ShownDenial, valid: readonly GrantSummary[]): Html {
  const [first] = valid;
  if (why === undefined || name === undefined)
    return isDenial(call.outcome)
      ? html`<p>Nothing: none of your grants caused this.</p>`
      : html`<p>Nothing in a grant needs to change. The app has to change its request, or try again later.</p>`;
  if (first === undefined)
    return html`<p><a href="/dashboard/connect">Connect the app again</a>, if you still want it. Or do nothing: it got no data.</p>`;
  const id = first.grant_package_id ?? first.grant.grant_id;
  const paused = first.status === "paused";
  return html`<p><a href="${grantAddress(id)}${paused ? "" : "/edit"}">${paused ? "Resume it" : "Let it see more"}</a>, or do nothing: it got no data.</p>`;
}

function appOf({ client_id }: Denial["call"], name: string | undefined): Html {
  if (name === undefined || client_id === undefined) return html`you, or an unknown app`;
  return html`<a href="${appAddress(client_id)}"><bdi>${name}</bdi></a>`;
}
