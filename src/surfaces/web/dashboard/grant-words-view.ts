// Pieces that pages about apps and grants share: the sentence, a grant's state, its buttons, and the effect of a
// change.
import { html } from "hono/html";
import { accessSentence, endSentence } from "../../../core/grant-sentence.ts";
import { countOf } from "../format.ts";
import { type Html, hidden } from "../layout.ts";
import type { PageFrame } from "../owner-page.ts";
import type { ReadWords } from "../pages/receipt.ts";
import { requestAddress } from "./activity-address.ts";
import { type AppGrant, grantAddress, isValid, whyAddress } from "./app-grants.ts";
import type { GrantEffect } from "./grant-acts.ts";
import { requestSentence } from "./seen/bursts.ts";
import type { SeenRequest } from "./seen/requests.ts";

const ENDED_BY = {
  owner: "You revoked this grant.",
  app: "The app ended this grant.",
  reuse: "Revoked because one of its tokens was used twice: it may have been stolen.",
};
const STATUS = { active: "Active", paused: "Paused", revoked: "Revoked", expired: "Expired", consumed: "Used up" };

export function statusBadge({ status, sleeping }: Pick<AppGrant, "status" | "sleeping">): Html {
  if (status === "active" && sleeping) return html`<span class="badge warn">Unused</span>`;
  const tone = { active: "good", paused: "warn" }[status as string] ?? "";
  return html`<span class="badge ${tone}">${STATUS[status]}</span>`;
}

export function endingWords({ endedBy }: Pick<AppGrant, "endedBy">): Html | "" {
  if (endedBy === undefined) return "";
  return html`<p class="${endedBy === "reuse" ? "alert warn" : "note"}">${ENDED_BY[endedBy]}</p>`;
}

/** The sentence (V-05), which follows "May see", or "May" for a file grant. */
export function maySee(reads: readonly ReadWords[], zone: string, tense: "may" | "could" = "may"): Html {
  const label = reads.some(({ may }) => may) ? "" : " see";
  const word = tense === "may" ? "May" : "Could";
  return html`<p class="may"><span class="may-label">${word}${label}</span> <bdi>${accessSentence(reads, zone)}</bdi></p>`;
}

/** Example: "Until you revoke it" */
export function untilWords(
  { accessMode, expiresAt }: Pick<AppGrant, "accessMode" | "expiresAt">,
  zone: string,
): string {
  const end = endSentence({ access_mode: accessMode, expires_at: expiresAt }, zone);
  return end.charAt(0).toUpperCase() + end.slice(1);
}

export function requestList(requests: readonly SeenRequest[], { times }: PageFrame): Html {
  return html`<ol class="calls">${requests.map(
    (request) =>
      html`<li>${times.instant(request.at)} <a class="plain" href="${requestAddress(request.requestId)}"><bdi>${requestSentence(request)}</bdi></a>${request.outcome === "answered" ? "" : html` <a href="${whyAddress(request.requestId)}">why?</a>`}</li>`,
  )}</ol>`;
}

/** Edit, pause or resume, and revoke buttons for an active or paused grant or package. */
export function grantButtons(
  grant: Pick<AppGrant, "id" | "status">,
  name: string,
  back: string,
  frame: PageFrame,
): Html | "" {
  if (!isValid(grant)) return "";
  const { id, status } = grant;
  const of = html`<span class="visually-hidden"> what ${name} may see</span>`;
  const pauses = status === "active";
  return html`<div class="acts"><a class="button" href="${grantAddress(id)}/edit">Edit${of}</a>
${actForm(frame, back, { do: pauses ? "pause" : "resume", id }, html`<button class="button">${pauses ? "Pause" : "Resume"}${of}</button>`)}
${revokeForm(frame, back, { id }, "Revoke", name)}</div>`;
}

const actForm = ({ csrf }: PageFrame, action: string, values: Record<string, string>, button: Html): Html =>
  html`<form method="post" action="${action}">${hidden({ csrf, ...values })}${button}</form>`;

/** Revokes in one step without confirmation, because it can be undone for a minute. */
export const revokeForm = (
  frame: PageFrame,
  action: string,
  which: Record<string, string>,
  label: string,
  name: string,
): Html =>
  actForm(
    frame,
    action,
    { do: "revoke", ...which },
    html`<button class="button danger">${label}<span class="visually-hidden"> what ${name} may see</span></button>`,
  );

const DONE_WORDS: Record<GrantEffect["done"], (name: Html) => Html> = {
  revoked: (name) => html`Revoked. The next request from ${name} under this grant is refused.`,
  paused: (name) => html`Paused. Requests from ${name} under this grant are refused until you resume it.`,
  resumed: (name) => html`Resumed. ${name} can read again without signing in again.`,
  changed: (name) => html`Changed. This takes effect at the next request from ${name}.`,
  restored: (name) => html`Undone. ${name} can read again, as before.`,
};

/** Shows the effect of a change: the access that ended, the access that still works, and Undo while there is time. */
export function effectAlert(effect: GrantEffect | "nothing", back: string, frame: PageFrame): Html {
  if (effect === "nothing")
    return html`<div class="alert good" role="status"><p>There was nothing left to change.</p></div>`;
  const { times, csrf } = frame;
  const { done, name, ids, reads, lastUsedAt, records, undoUntil, still } = effect;
  const undo =
    undoUntil === undefined
      ? ""
      : html`<form method="post" action="${back}">${hidden({ csrf, do: "undo" })}${ids.map((id) => hidden({ id }))}<button class="button">Undo</button> <span class="note">within a minute; until you do, the app has no access</span></form>`;
  const label = done === "revoked" || done === "paused" ? "It no longer sees" : "It sees";
  const read =
    lastUsedAt === undefined
      ? "It never read any of this."
      : html`It last read your data ${times.ago(lastUsedAt)}. It has read ${countOf(records, "record")} in total and may have kept copies.`;
  return html`<div class="alert good ended" role="status"><p>${DONE_WORDS[done](html`<bdi>${name}</bdi>`)}</p>
<div class="effect"><p>${label}: <bdi>${accessSentence(reads, times.zone)}</bdi>.${done === "revoked" ? html` ${read}` : ""}</p>
${stillWorks(still, times.zone)}${undo}</div></div>`;
}

function stillWorks(still: GrantEffect["still"], zone: string): Html | "" {
  if (still.length === 0) return "";
  return html`<p><strong>Still works:</strong></p><ul class="still">${still.map(
    ({ id, name, reads }) =>
      html`<li><bdi>${name}</bdi> still sees: <bdi>${accessSentence(reads, zone)}</bdi>. <a href="${grantAddress(id)}">View the grant</a></li>`,
  )}</ul>`;
}

/** Technical names, collapsed by default. */
export const technical = (
  rows: readonly (readonly [label: string, value: Html | string])[],
  more: Html | "" = "",
): Html =>
  html`<details class="technical"><summary>Technical details</summary><dl class="facts">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>${more}</details>`;
