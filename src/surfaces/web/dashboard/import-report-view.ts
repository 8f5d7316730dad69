// A running or finished import: its progress, its actions, and the report of every file.
import { html, raw } from "hono/html";
import type { ImportCounts } from "../../../contract/import.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { countOf, formatNumber, sentence } from "../format.ts";
import { alert, type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { commandAt, curl } from "../snippets.ts";
import { connectionAddress, streamAddress } from "./explore/addresses.ts";
import { IMPORT, importAddress } from "./import-address.ts";
import { leftOutTable } from "./import-left-out.ts";
import type { PartView } from "./import-part.ts";
import { statusBadge } from "./import-row.ts";
import type { OneImportView } from "./one-import-view.ts";
import { done } from "./words.ts";

const COUNTS: readonly (readonly [keyof ImportCounts, string])[] = [
  ["imported", "New"],
  ["changed", "Changed"],
  ["unchanged", "Unchanged"],
  ["skipped", "Skipped"],
  ["failed", "Failed"],
];

const isBusy = ({ status }: OneImportView): boolean => status === "queued" || status === "running";
const isUndone = ({ parts }: OneImportView): boolean => parts.length > 0 && parts.every(({ undone }) => undone);

export function showReport(view: OneImportView, frame: PageFrame): PageContent {
  const { importId, name, parts, createdAt, home } = view;
  const [only] = parts;
  const { origin, times } = frame;
  return {
    title: "Import",
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${IMPORT}">Import</a></nav>
<h1><bdi>${name}</bdi></h1>
<p class="lead">Started ${times.instant(createdAt)}.</p>
<div id="import"${isBusy(view) ? raw(' data-live="1000"') : ""}>${progress(view, frame)}</div>`,
    snippets: [
      curl(origin, `/v1/imports/${encodeURIComponent(importId)}`),
      ...(parts.length === 1 ? commandAt(home, "import", "show", only!.importId) : []),
    ],
  };
}

function progress(view: OneImportView, frame: PageFrame): Html {
  const { status, parts, partsExpected = 0, leftOut, error } = view;
  const sum = (member: keyof ImportCounts): number => parts.reduce((all, { counts }) => all + counts[member], 0);
  const removed = parts.reduce((all, { undone }) => all + (undone?.recordsRemoved ?? 0), 0);
  const kept = parts.reduce((all, { undone }) => all + (undone?.recordsKept ?? 0), 0);
  return html`<div class="row state">${statusBadge(isUndone(view) ? "undone" : wholeVerdict(view))}<span class="note">${words(view)}</span></div>
${isUndone(view) ? done(`Undone. ${countOf(removed, "record")} removed${kept === 0 ? "" : `; kept ${countOf(kept, "record")} that the import had changed but not added`}.`) : ""}
${error === undefined ? "" : alert([sentence(error)])}
${
  parts.length === 0
    ? isBusy(view)
      ? html`<section class="card"><p class="waiting"><span class="pulse"></span>Checking the contents…</p></section>`
      : status === "succeeded"
        ? html`<p class="empty">Nothing was imported. The reasons are below.</p>`
        : ""
    : html`<dl class="tiles">${COUNTS.map(([member, label]) => html`<div class="card tile${member === "failed" && sum(member) > 0 ? " bad" : ""}"><dt>${label}</dt><dd>${formatNumber(sum(member))}</dd></div>`)}</dl>`
}
${parts.map((part) => partCard(part))}
${isBusy(view) && partsExpected > parts.length ? html`<p class="note">${countOf(partsExpected - parts.length, "more import")} to come.</p>` : ""}
${controls(view, frame)}
${leftOutTable(leftOut)}`;
}

/** Describes all parts in one word. The import failed only if every part did. */
function wholeVerdict({ status, parts }: OneImportView): OneImportView["status"] | "incomplete" {
  if (status !== "succeeded" || parts.every(({ verdict }) => verdict === "succeeded")) return status;
  return parts.every(({ verdict }) => verdict === "failed") ? "failed" : "incomplete";
}

/** Explains the state in a sentence. */
function words(view: OneImportView): string {
  const { status, isAlone, parts, leftOut } = view;
  if (isUndone(view)) return "This import was undone. Its records were removed.";
  const left = leftOut.total > 0 || parts.some(({ counts }) => counts.skipped > 0);
  const problems = parts.some(({ counts, status: own }) => counts.failed > 0 || own === "failed");
  return {
    open: "",
    queued: "This import starts when the one before it has finished.",
    running: isAlone ? "The import is running." : "The import is running. You can leave this page.",
    paused: "When you resume it, the import continues where it stopped.",
    succeeded: problems
      ? "Some items could not be read. The reasons are below."
      : parts.some(({ remarks, surprises }) => remarks.length + surprises.length > 0)
        ? "Everything found was imported. Please read the note below."
        : left
          ? "Everything readable was imported. Items that were skipped are listed below."
          : "Everything was imported.",
    failed: "The import failed. Records that were already imported are kept.",
    cancelled: "The import was cancelled. Records that were already imported are kept.",
  }[status];
}

function partCard(part: PartView): Html {
  const {
    importId,
    name,
    source,
    status,
    verdict,
    connectionId,
    connection,
    streams,
    deleted,
    remarks,
    error,
    undone,
  } = part;
  const target =
    connection === undefined
      ? html`<span class="note">into a connection that has been deleted</span>`
      : html`<span>into <a href="${connectionAddress(connectionId)}"><bdi>${connection}</bdi></a></span>`;
  return html`<section class="card part" aria-label="${name}">
<header class="row"><h2><bdi>${name}</bdi></h2><span class="badge"><bdi>${source}</bdi></span>${target}<span class="end">${statusBadge(undone === undefined ? verdict : "undone")}</span></header>
${status === "running" || status === "paused" ? howFar(part) : ""}
<ul class="pills">${streams.map(({ stream, records }) => {
    const label = html`<bdi>${stream}</bdi> <span class="number">${formatNumber(records)}</span>`;
    const href = streamAddress({ connection_id: connectionId, stream });
    return html`<li>${connection === undefined ? html`<span>${label}</span>` : html`<a href="${href}">${label}</a>`}</li>`;
  })}</ul>
${deleted === 0 ? "" : html`<p class="note">Deleted ${countOf(deleted, "record")} that the source no longer has.</p>`}
${error === undefined ? "" : alert([sentence(error)])}
${remarks.map((remark) => html`<p class="note">${sentence(remark)}</p>`)}
${problems(part)}
${surprised(part)}
${canBeUndone(part) ? html`<p class="note"><a href="${importAddress(importId)}/undo">Undo…</a></p>` : ""}
</section>`;
}

const canBeUndone = ({ status, undone, counts }: PartView): boolean =>
  status !== "running" && undone === undefined && counts.imported > 0;

function howFar({ name, bytes, totalBytes, counts, perSecond, secondsLeft, status }: PartView): Html {
  const records = counts.imported + counts.changed + counts.unchanged;
  const pace = status === "running" ? ` · ${formatNumber(perSecond)} a second` : "";
  const left = secondsLeft === undefined ? "" : ` · ${duration(secondsLeft)} left`;
  return html`<progress value="${bytes}" max="${Math.max(1, totalBytes)}" aria-label="Progress of ${name}"></progress>
<p class="note number-line">${countOf(records, "record")} · ${formatBytes(bytes)} of ${formatBytes(totalBytes)}${pace}${left}</p>`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** The number of files listed for one reason. */
const FILES_SHOWN = 100;

/** Failures are shown expanded; skipped files are collapsed. */
function problems({ importId, name, reasons, filesLeftOut }: PartView): Html {
  const failed = reasons.filter((group) => group.failed);
  const skipped = reasons.filter(({ failed: isFailure, count }) => !isFailure && count > 0);
  const notes = reasons.filter(({ failed: isFailure, count }) => !isFailure && count === 0);
  return html`${failed.length === 0 ? "" : reasonTable("Failed", name, failed)}
${failed.length === 0 ? "" : html`<p class="note">To import these items, export them again from their source and import the new export; only missing items are added.</p>`}
${skipped.length === 0 ? "" : html`<details id="files-${importId}"><summary>Skipped</summary>${reasonTable("Skipped", name, skipped)}</details>`}
${notes.length === 0 ? "" : html`<details id="notes-${importId}"><summary>Notes</summary>${reasonTable("File", name, notes)}</details>`}
${reasons.length === 0 || filesLeftOut === 0 ? "" : html`<p class="note">${countOf(filesLeftOut, "more file")} without failures.</p>`}`;
}

const reasonTable = (
  title: string,
  part: string,
  groups: PartView["reasons"],
): Html => html`<div class="table-room listing" tabindex="0" role="region" aria-label="${title}: ${part}"><table>
<thead><tr><th scope="col">${title}</th><th scope="col" class="number">Times</th><th scope="col">Why</th></tr></thead>
<tbody>${groups.map(
  ({ reason, count, files }) =>
    html`<tr><td>${files.slice(0, FILES_SHOWN).map(({ path }) => html`<div><bdi>${path}</bdi></div>`)}${files.length <= FILES_SHOWN ? "" : html`<div class="note">and ${countOf(files.length - FILES_SHOWN, "more file")}</div>`}</td><td class="number">${count === 0 ? "" : formatNumber(count)}</td><td><bdi>${sentence(reason)}</bdi></td></tr>`,
)}</tbody></table></div>`;

/** I-01: lists files that may lack items although the report gives no reason. */
function surprised({ name, surprises }: PartView): Html | "" {
  if (surprises.length === 0) return "";
  const more = surprises.length - FILES_SHOWN;
  return html`<div class="table-room listing" tabindex="0" role="region" aria-label="Not as planned: ${name}"><table>
<thead><tr><th scope="col">Not as planned</th><th scope="col" class="number">Estimated</th><th scope="col" class="number">Found</th></tr></thead>
<tbody>${surprises.slice(0, FILES_SHOWN).map(({ path, planned, found }) => html`<tr><td><bdi>${path}</bdi></td><td class="number">${formatNumber(planned)}</td><td class="number">${formatNumber(found)}</td></tr>`)}</tbody></table></div>
${more > 0 ? html`<p class="note">And ${countOf(more, "more file")}.</p>` : ""}
<p class="note">If items are missing, compare this report with the source.</p>`;
}

/** Finds the stream with the most imported records. */
function largestStream(parts: readonly PartView[]): string | undefined {
  const here = parts.filter(({ undone, connection }) => undone === undefined && connection !== undefined);
  const [most] = here
    .flatMap(({ connectionId, streams }) => streams.map((one) => ({ ...one, connectionId })))
    .filter(({ records }) => records > 0)
    .sort((one, other) => other.records - one.records);
  return most && streamAddress({ connection_id: most.connectionId, stream: most.stream });
}

function controls(view: OneImportView, { csrf }: PageFrame): Html | "" {
  const { importId, status, isAlone, parts } = view;
  const act = (word: string, label: string, kind = ""): Html =>
    html`<button class="button ${kind}" id="do-${word}" name="do" value="${word}">${label}</button>`;
  const buttons = [
    ...(isBusy(view) && !isAlone ? [act("pause", "Pause")] : []),
    ...(status === "paused" && !isAlone ? [act("resume", "Resume", "primary")] : []),
    ...(isBusy(view) || status === "paused" ? [act("cancel", "Cancel import")] : []),
  ];
  if (buttons.length > 0)
    return html`<form class="row controls" method="post" action="${importAddress(importId)}">${hidden({ csrf })}${buttons}</form>`;
  const undoable = parts.filter(canBeUndone).length;
  const place = largestStream(parts);
  return html`<p class="row controls">${place !== undefined ? html`<a class="button primary" href="${place}">Explore it</a><a class="button" href="/dashboard/connect">Connect an AI app</a>` : ""}<a class="button" href="${IMPORT}">Import more</a>${undoable > 1 ? html`<a href="${importAddress(importId)}/undo">Undo everything…</a>` : ""}</p>`;
}
