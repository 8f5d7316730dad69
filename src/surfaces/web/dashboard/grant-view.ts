// One grant, for people: its terms, each stream with its limits and use, and the receipt in the words agreed to.
import { html } from "hono/html";
import { countOf, formatBytes, formatNumber } from "../format.ts";
import { attribute, type Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { clientBadge, clientWords } from "../pages/client-identity.ts";
import { readList } from "../pages/receipt.ts";
import { command, curl } from "../snippets.ts";
import { activityAddress } from "./activity-address.ts";
import { APPS, appAddress, grantAddress } from "./app-grants.ts";
import type { GrantPart, GrantView } from "./grant.ts";
import { endedAlert, endingWords, recentCalls, revokeForm, statusBadge } from "./grant-words-view.ts";

/** A longer receipt is folded. */
const RECEIPT_OPEN = 12;
/** Ids of single records that are named; the rest is counted. */
const RECORDS_SHOWN = 20;

export function showGrant(view: GrantView, frame: PageFrame): PageContent {
  const { id, isPackage, client, clientId, parts, recent, ended } = view;
  const name = clientWords(client);
  const active = parts.some(({ status }) => status === "active");
  return {
    title: `What ${name} ${active ? "may" : "could"} read`,
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Where this is"><a href="${APPS}">Apps</a> <span aria-hidden="true">›</span> <a href="${appAddress(clientId)}"><bdi>${name}</bdi></a> <span aria-hidden="true">›</span> <span>${isPackage ? "Package" : "Grant"}</span></nav>
<div class="page-head"><h1>What <bdi>${name}</bdi> ${active ? "may" : "could"} read</h1>
${active ? revokeForm(frame, grantAddress(id), { id }, isPackage && parts.length > 1 ? "Revoke all" : "Revoke", name) : ""}</div>
${ended === undefined ? "" : endedAlert(ended, frame)}
${terms(view, frame)}
${granted(view, frame)}
${receipt(view, frame)}
<section><header class="row"><h2>Last calls</h2><a class="end" href="${activityAddress(isPackage ? { client_id: clientId } : { grant_id: id })}">All of them</a></header>
${recent.length === 0 ? html`<p class="note">None yet.</p>` : recentCalls(recent, frame)}</section>`,
    snippets: [
      curl(frame.origin, `/v1/grants/${encodeURIComponent(id)}`),
      command("grants", "show", id, "--server", frame.origin),
    ],
  };
}

function terms(view: GrantView, { times }: PageFrame): Html {
  const { id, isPackage, client, clientId, purpose, accessMode, issuedAt, expiresAt, retention, use, parts } = view;
  const once = accessMode === "single_use" ? "once, " : "";
  const facts: [string, string | Html][] = [
    ["App", html`<a href="${appAddress(clientId)}"><bdi>${clientWords(client)}</bdi></a> ${clientBadge(client)}`],
    [
      isPackage ? "Package" : "Grant",
      html`<code>${id}</code>${isPackage ? `, ${countOf(parts.length, "grant")} together` : ""}`,
    ],
    ["Purpose", html`<bdi>${purposeWords(purpose)}</bdi> <span class="note">${purpose.code}</span>`],
    ["Allowed", times.instant(issuedAt)],
    ["Until", expiresAt === undefined ? `${once}until you revoke it` : html`${once}${times.instant(expiresAt)}`],
    ...(retention === undefined ? [] : ([["Keeps it", html`<code>${retention}</code>`]] as [string, Html][])),
    [
      "Has read",
      `${countOf(use.records, "record")}, ${formatBytes(use.bytes)} in ${countOf(use.calls, "call")}; ${formatNumber(use.denied)} denied`,
    ],
  ];
  return html`<dl class="facts card">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Of an app that gave no words for it, the code's last one. */
function purposeWords({ words, code }: GrantView["purpose"]): string {
  return words === code ? (code.split("/").at(-1) ?? "").replaceAll("_", " ") : words;
}

/** One table: for each connection a line of its own above its streams. */
function granted(view: GrantView, frame: PageFrame): Html {
  return html`<section class="granted"><h2>What it allows</h2><div class="table-room" tabindex="0" role="region" aria-label="What it allows"><table><thead><tr><th scope="col">Stream</th><th scope="col">Fields</th><th scope="col">Limits</th><th scope="col" class="number">Has read</th></tr></thead>
${view.parts.map((part) => partRows(part, view, frame))}</table></div></section>`;
}

function partRows(part: GrantPart, { isPackage, client, id }: GrantView, frame: PageFrame): Html {
  const { times } = frame;
  const { status, endedAt, lastUsedAt, declaration, streams } = part;
  const connections = [...new Set(streams.map(({ connection }) => connection))].join(", ");
  const alone =
    isPackage && status === "active"
      ? revokeForm(frame, grantAddress(id), { id: part.id }, "Revoke", `of ${connections} ${clientWords(client)}`)
      : "";
  return html`<tbody><tr class="of-connection"><th scope="rowgroup" colspan="4"><div class="row"><bdi>${connections}</bdi>${statusBadge(part)}<span class="note">${lastUsedAt === undefined ? "never read" : html`last read ${times.ago(lastUsedAt)}`}${endedAt === undefined ? "" : html` · ended ${times.instant(endedAt)}`}${isPackage ? html` · <a href="${grantAddress(part.id)}">details<span class="visually-hidden"> of ${connections}</span></a>` : ` · declaration ${declaration}`}</span>${alone}</div>${endingWords(part)}</th></tr>
${streams.map((stream) => streamRow(stream, part.id, frame))}</tbody>`;
}

function streamRow(row: GrantPart["streams"][number], grantId: string, { times }: PageFrame): Html {
  const { stream, words, fields, time, records, recordsRead, bytes, lastReadAt } = row;
  const named = words.startsWith("all ")
    ? html`<details><summary>${words}</summary><p class="note">${fields.join(", ")}</p></details>`
    : html`${words}`;
  const limits = [
    ...(time === undefined ? [] : [html`${time}`]),
    ...(records === undefined ? [] : [recordsLimit(records)]),
  ];
  const taken =
    lastReadAt === undefined
      ? html`<span class="note">nothing</span>`
      : html`${countOf(recordsRead, "record")}<br><span class="note">${formatBytes(bytes)}, ${times.ago(lastReadAt)}</span>`;
  return html`<tr><th scope="row" class="nowrap"><a href="${activityAddress({ grant_id: grantId, stream })}">${stream}</a></th><td>${named}</td><td>${limits.length === 0 ? html`<span class="note">any time, every record</span>` : limits.map((limit) => html`<p>${limit}</p>`)}</td><td class="number">${taken}</td></tr>`;
}

function recordsLimit(ids: readonly string[]): Html {
  const more = ids.length - RECORDS_SHOWN;
  return html`<details><summary>only ${countOf(ids.length, "record")}</summary><p class="note"><bdi>${ids.slice(0, RECORDS_SHOWN).join(", ")}</bdi>${more > 0 ? ` and ${formatNumber(more)} more` : ""}</p></details>`;
}

/** The words the owner said yes to. */
function receipt({ receipt: told, issuedAt }: GrantView, { times }: PageFrame): Html {
  if (told === undefined)
    return html`<section><h2>Receipt</h2><p class="note">It was given before receipts were kept. Above stands what it allows, as things are called now.</p></section>`;
  return html`<section><h2>Receipt</h2>
<details class="card receipt"${attribute("open", told.reads.length <= RECEIPT_OPEN)}><summary><span>What you said yes to on ${times.instant(issuedAt)}, in the words of that day</span></summary>
<p class="eyebrow">“<bdi>${told.app}</bdi>” may read</p>
${readList(told.reads)}
<dl class="facts"><div><dt>Until</dt><dd>${told.until}</dd></div><div><dt>Purpose</dt><dd><bdi>${told.purpose}</bdi></dd></div></dl></details></section>`;
}
