// The import page: a place to drop files, waiting and earlier imports, and the supported formats with the places where
// people get such exports.
import { html, raw } from "hono/html";
import type { RecognitionRead } from "../../../contract/recognition.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { quote } from "../../../core/shell-quote.ts";
import { importScriptPath } from "../assets.ts";
import { copyable } from "../copyable.ts";
import { countOf } from "../format.ts";
import { attribute, type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { commandAt, curl } from "../snippets.ts";
import { IMPORT, importAddress } from "./import-address.ts";
import { type ImportRow, importTable, statusBadge } from "./import-row.ts";
import { recognitionSection } from "./recognition-view.ts";
import { done } from "./words.ts";

export interface ListedFormat {
  name: string;
  title: string;
  /** The places where people get such an export. */
  from: readonly string[];
}

/** An uploaded import that has not finished. */
export interface WaitingImport {
  importId: string;
  status: "open" | "queued" | "running" | "paused" | "succeeded" | "failed" | "cancelled";
  files: readonly { uploadId: string; name: string; size: number; offset: number }[];
  createdAt: string;
  expiresAt: string;
}

export interface ImportView {
  waiting: readonly WaitingImport[];
  /** Newest first. */
  imports: readonly ImportRow[];
  page: number;
  more: boolean;
  total: number;
  formats: readonly ListedFormat[];
  recognition: RecognitionRead;
  home?: string;
  /** The open import to which more files are added. */
  to?: string;
  discarded?: true;
}

/** The number of file names in one line about an import. */
const NAMES_SHOWN = 3;

export function showImport(view: ImportView, frame: PageFrame): PageContent {
  const { waiting, imports, formats, to, discarded, home } = view;
  const { origin, times } = frame;
  const nothing = waiting.length === 0 && imports.length === 0;
  return {
    title: "Import",
    scripts: [importScriptPath],
    body: html`<h1>Import</h1>
<p class="lead">Drop an export below, exactly as you downloaded it: files, folders or archives. You see what is in it first; nothing is imported until you confirm.</p>
${discarded ? done("Discarded the import and deleted its files.") : ""}
${dropZone(frame, to)}
${waiting.length === 0 ? "" : html`<section><h2>Not finished</h2><ul class="list card" id="waiting"${waiting.some(isBusy) ? raw(' data-live="3000"') : ""}>${waiting.map((one) => waitingLine(one, frame))}</ul></section>`}
${imports.length === 0 ? "" : html`<section><h2>Imports</h2>${importTable(imports, times, { connections: true })}${pages(view)}</section>`}
${recognitionSection(view.recognition, frame)}
<section><details class="card formats" id="formats"${attribute("open", nothing)}><summary><h2>What can be imported, and where to get it</h2></summary>
<ul>${formats.map(({ title, from }) => html`<li><h3>${title}</h3><ul>${from.map((line) => html`<li>${line}</li>`)}</ul></li>`)}</ul></details></section>
${
  home === undefined
    ? ""
    : html`<section><h2>From a terminal</h2>
<p class="note">For large exports on this server’s machine: nothing is copied, and an interrupted import resumes.</p>
${copyable(`pdpp import ~/Downloads/export.zip --home ${quote(home)}`, "import-command")}</section>`
}`,
    snippets: [curl(origin, "/v1/imports"), ...commandAt(home, "import", "list")],
  };
}

/** With JavaScript, a place to drop files. Without it, a form that uploads them. */
function dropZone({ csrf }: PageFrame, to: string | undefined): Html {
  return html`<form id="drop" class="drop" method="post" action="${IMPORT}" enctype="multipart/form-data">
${hidden({ csrf, ...(to === undefined ? {} : { import_id: to }) })}
${to === undefined ? "" : html`<p class="note">Files that you send now are added to <a href="${importAddress(to)}">the import you started</a>.</p>`}
<div class="drop-plain stack"><label>Files<input type="file" name="files" id="files" multiple></label>
<label>Or a folder<input type="file" name="files" id="folder" webkitdirectory></label>
<div><button class="button primary">Send</button></div></div>
<div class="drop-live">${ARROW}<p><strong>Drop files or folders here</strong></p>
<p class="row"><button type="button" class="button" data-pick="files">Choose files</button><button type="button" class="button" data-pick="folder">Choose a folder</button></p></div>
</form>
<div id="sending" class="card sending" hidden>
<div class="row"><strong id="sending-what" role="status"></strong><button type="button" class="button end" id="sending-cancel">Cancel</button></div>
<progress id="sending-bar" aria-labelledby="sending-what" value="0" max="1"></progress>
<p class="note" id="sending-how"></p>
<div class="alert warn" id="sending-trouble" role="alert" hidden></div>
</div>`;
}

const ARROW = raw(
  '<svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true" focusable="false"><path d="M12 4v11m-4-4 4 4 4-4M4 16v4h16v-4"/></svg>',
);

const isBusy = ({ status }: WaitingImport): boolean => status === "queued" || status === "running";

function waitingLine({ importId, status, files, createdAt }: WaitingImport, frame: PageFrame): Html {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const here = files.reduce((sum, file) => sum + file.offset, 0);
  const cut = status === "open" && here < size;
  const names = files.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const more = files.length > NAMES_SHOWN ? ` and ${files.length - NAMES_SHOWN} more` : "";
  return html`<li class="row"><div><a href="${importAddress(importId)}"><bdi>${names.join(", ")}</bdi>${more}</a>
<p class="note">${cut ? html`${formatBytes(here)} of ${formatBytes(size)} received: choose the same files again to continue` : formatBytes(size)} · ${frame.times.ago(createdAt)}</p></div>
<span class="end row">${statusBadge(status)}${status === "open" ? discardForm(importId, frame) : ""}</span></li>`;
}

const discardForm = (importId: string, { csrf }: PageFrame): Html =>
  html`<form method="post" action="${IMPORT}">${hidden({ csrf, id: importId })}<button class="small">Discard</button></form>`;

function pages({ page, more, total }: ImportView): Html | "" {
  if (page === 1 && !more) return "";
  return html`<nav class="row" aria-label="Pages">${page > 1 ? html`<a href="${IMPORT}?page=${page - 1}">Newer</a>` : ""}<span class="note">${countOf(total, "import")}</span>${more ? html`<a href="${IMPORT}?page=${page + 1}">Older</a>` : ""}</nav>`;
}
