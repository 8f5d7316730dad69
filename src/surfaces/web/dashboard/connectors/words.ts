// Connector runs in words: the status, the result, and the form that answers a question.
import { html } from "hono/html";
import type { CollectQuestion, CollectRun } from "../../../../contract/collect.ts";
import { countOf } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { connectorAddress, runAddress } from "./addresses.ts";

/** The prefix of answer fields. */
export const ANSWER = "answer:";

const STATUS: Record<CollectRun["status"], [words: string, tone: string]> = {
  queued: ["waiting to start", ""],
  running: ["running", "good"],
  succeeded: ["succeeded", "good"],
  failed: ["failed", "bad"],
  cancelled: ["stopped", ""],
};

export const isOpen = ({ status }: Pick<CollectRun, "status">): boolean => status === "queued" || status === "running";

export function statusBadge({ status, question }: CollectRun): Html {
  if (question !== undefined) return html`<span class="badge warn">needs an answer</span>`;
  const [words, tone] = STATUS[status];
  return html`<span class="badge ${tone}">${words}</span>`;
}

export function countWords({ counts }: CollectRun): string {
  const { created, changed, deleted, rejected } = counts;
  const parts = [
    created > 0 ? `${countOf(created, "new record")}` : "",
    changed > 0 ? `${changed} changed` : "",
    deleted > 0 ? `${deleted} deleted` : "",
    rejected > 0 ? `${rejected} refused` : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(", ") : "nothing new";
}

export const collectButton = (connectionId: string, frame: PageFrame, isDisabled = false): Html =>
  html`<form method="post" action="${connectorAddress(connectionId)}">${hidden({ csrf: frame.csrf, do: "collect" })}<button class="button primary"${isDisabled ? html` disabled` : ""}>Update now</button></form>`;

/** Shows the connector's question, with a form for the answer. */
export function questionForm({ run_id, question }: CollectRun, frame: PageFrame): Html | "" {
  if (question === undefined) return "";
  const { request_id, message, kind, fields, expires_at } = question;
  return html`<section class="card stack" id="question" aria-labelledby="question-title"><h2 id="question-title">The connector needs an answer</h2>
<p><bdi>${message}</bdi></p>
<form class="stack" method="post" action="${runAddress(run_id)}">${hidden({ csrf: frame.csrf, do: "answer", request_id })}
${fields.map(answerField)}
${kind === "credentials" ? html`<label class="choice"><input type="checkbox" name="remember" value="yes"><span>Store the answer encrypted on this server, so that the connector does not ask again</span></label>` : ""}
<div class="row"><button class="button primary">${fields.length === 0 ? "Done" : "Send"}</button><button class="button" name="refuse" value="yes" formnovalidate>Do not answer</button></div></form>
<p class="note">The connector waits until ${frame.times.instant(expires_at)}. The answer goes to the connector and is not stored${kind === "credentials" ? " unless you tick the box" : ""}.</p></section>`;
}

const answerField = ({ name, title, required, secret }: CollectQuestion["fields"][number]): Html =>
  html`<label>${title}<input type="${secret ? "password" : "text"}" name="${ANSWER}${name}" autocomplete="off"${required ? html` required` : ""}></label>`;
