// Pieces that pages about apps and grants share: what is read in words, how a grant stands, and the button that ends it.
import { html } from "hono/html";
import { mayWords } from "../../../core/grant-words.ts";
import { countOf, formatBytes, formatNumber } from "../format.ts";
import { type Html, hidden } from "../layout.ts";
import type { PageFrame } from "../owner-page.ts";
import { clientWords } from "../pages/client-identity.ts";
import type { ReadWords } from "../pages/receipt.ts";
import { requestAddress } from "./activity-address.ts";
import { type App, type AppGrant, type EndedApp, whyAddress } from "./app-grants.ts";

const ENDED_BY = {
  owner: "You revoked it.",
  app: "The app ended it.",
  reuse: "It was ended because one of its tokens was used twice: somebody may have stolen it.",
};
/** A list of more connections is folded. */
const OPEN_MAX = 8;
const STATUS = { active: "Active", paused: "Paused", revoked: "Revoked", expired: "Expired", consumed: "Used up" };

export function statusBadge({ status, sleeping }: Pick<AppGrant, "status" | "sleeping">): Html {
  if (status === "active" && sleeping) return html`<span class="badge warn">Sleeping</span>`;
  return html`<span class="badge ${status === "active" ? "good" : ""}">${STATUS[status]}</span>`;
}

export function endingWords({ endedBy }: Pick<AppGrant, "endedBy">): Html | "" {
  if (endedBy === undefined) return "";
  return html`<p class="${endedBy === "reuse" ? "alert warn" : "note"}">${ENDED_BY[endedBy]}</p>`;
}

/** One line for each connection: "Personal mail: messages (3 of 13 fields), threads". */
function readBrief(reads: readonly ReadWords[]): Html {
  const groups = [...Map.groupBy(reads, (read) => read.connection)];
  return html`<ul class="read-brief">${groups.map(
    ([connection, streams]) =>
      html`<li><span class="read-from"><bdi>${connection}</bdi></span> <span>${streams.map((read, index) => html`${index === 0 ? "" : ", "}${read.may === undefined ? html`${read.stream}${limits(read)}` : mayWords(read.may, "it")}`)}</span></li>`,
  )}</ul>`;
}

/** The same, folded where it is long. */
export function readFold(reads: readonly ReadWords[]): Html {
  const from = new Set(reads.map(({ connection }) => connection)).size;
  if (from <= OPEN_MAX) return readBrief(reads);
  return html`<details class="read-fold"><summary>${countOf(reads.length, "stream")} of ${countOf(from, "connection")}</summary>${readBrief(reads)}</details>`;
}

function limits({ fields, time, records }: ReadWords): Html | "" {
  const some = /\((\d+ of \d+)\)$/.exec(fields)?.[1];
  const parts = [some === undefined ? undefined : `${some} fields`, time, records].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : html` <span class="note">(${parts.join(", ")})</span>`;
}

/** First allowed, last read, how much, and the id that tells it from others of its name. */
export function usage(app: App, { times }: PageFrame): Html {
  const { firstAllowedAt, lastUsedAt, records, bytes, shortId, namesakes } = app;
  const read =
    lastUsedAt === undefined
      ? html`never read`
      : html`last read ${times.ago(lastUsedAt)} · ${countOf(records, "record")}, ${formatBytes(bytes)} in all`;
  const same = namesakes === 0 ? "" : html`<br>${countOf(namesakes, "other app goes", "other apps go")} by this name.`;
  return html`First allowed ${times.instant(firstAllowedAt)} · ${read} · <code>${shortId}</code>${same}`;
}

export function recentCalls(recent: AppGrant["recent"], { times }: PageFrame): Html {
  return html`<ol class="calls">${recent.map(
    ({ at, text, requestId, denied }) =>
      html`<li>${times.instant(at)} <a class="plain" href="${requestAddress(requestId)}"><bdi>${text}</bdi></a>${denied ? html` <a href="${whyAddress(requestId)}">why?</a>` : ""}</li>`,
  )}</ol>`;
}

/** One step: what it ends is shown after it. */
export function revokeForm(
  { csrf }: PageFrame,
  action: string,
  what: Record<string, string>,
  label: string,
  name: string,
): Html {
  return html`<form class="revoke end" method="post" action="${action}">${hidden({ csrf, ...what })}<button class="button danger">${label}<span class="visually-hidden"> what ${name} may read</span></button></form>`;
}

/** The effect of a revocation: what stopped, and when it was last read. */
export function endedAlert(ended: EndedApp | "nothing", { times }: PageFrame): Html {
  if (ended === "nothing")
    return html`<div class="alert good" role="status"><p>There was nothing left to revoke.</p></div>`;
  const { client, reads, lastUsedAt, records } = ended;
  const last =
    lastUsedAt === undefined
      ? "It never read any of it."
      : html`It last read ${times.ago(lastUsedAt)}, and took ${formatNumber(records)} ${records === 1 ? "record" : "records"} in all. What it took stays with it.`;
  return html`<div class="alert good ended" role="status"><p>Revoked. The next request of <bdi>${clientWords(client)}</bdi> is refused.</p>
<div class="effect"><p>${last} It reads no more:</p>${readFold(reads)}</div></div>`;
}
