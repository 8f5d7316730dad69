// The settings page of one folder: its records and their text, a thorough scan, and removal.

import { html } from "hono/html";
import { countOf, formatNumber } from "../../format.ts";
import { attribute, type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { clientBadge, clientWords } from "../../pages/client-identity.ts";
import { appAddress } from "../app-grants.ts";
import { connectionAddress, streamAddress } from "../explore/addresses.ts";
import { done } from "../words.ts";
import { FILES, indexAddress, rootAddress } from "./addresses.ts";
import type { FolderView } from "./folder.ts";
import { isInProgress, jobStrip, live } from "./job-view.ts";
import { button } from "./pieces.ts";

const DONE: Record<string, string> = {
  text: "The text of its files is being read in the background, and appears here as it is found.",
  mounts: "Other disks inside this folder are now scanned too, starting with the scan that has just begun.",
  "no-mounts": "Other disks inside this folder are now skipped, starting with the scan that has just begun.",
  "no-text": "The text of its files is being removed from this server.",
};

export function showFolder(view: FolderView, frame: PageFrame): PageContent {
  const { folder } = view;
  const { name, path, index, jobs, rootId } = folder;
  return {
    title: `${name} · Settings`,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${FILES}">Files</a>${index === undefined ? "" : html` <span aria-hidden="true">›</span> <a href="${indexAddress(index.indexId)}"><bdi>${name}</bdi></a>`}</nav>
<h1>Settings for <bdi>${name}</bdi></h1>
<p class="note"><code>${path}</code></p>
${view.done !== undefined && Object.hasOwn(DONE, view.done) ? done(DONE[view.done]!) : ""}
<div id="jobs"${live([jobs.index, jobs.records])}>${jobStrip(jobs.index, frame.csrf, rootAddress(rootId))}${jobStrip(jobs.records, frame.csrf, rootAddress(rootId))}</div>
<div class="columns">${records(view, frame)}${text(view, frame)}${scanning(view, frame)}${mounts(view, frame)}${removal(view, frame)}</div>`,
  };
}

function records({ folder, records: held, apps }: FolderView, { csrf, times }: PageFrame): Html {
  const { connectionId, jobs, rootId, index } = folder;
  const last = jobs.records?.status === "succeeded" ? jobs.records.updatedAt : undefined;
  const stream = (name: string, label: string, count: number): Html =>
    html`<li class="row"><a href="${streamAddress({ connection_id: connectionId, stream: name })}">${label}</a><span class="end number">${formatNumber(count)}</span></li>`;
  return html`<section class="card" aria-labelledby="records"><h2 id="records">As records</h2>
<div class="record-counts" id="record-counts"${live([jobs.records])}><p>Every file and folder is also stored as a record. Apps with a grant for these records can query, count and search them, like the records of any other source. Records are updated after each scan.</p>
<ul class="list">${stream("files", "Files", held.files)}${stream("file_text", "Text of files", held.text)}</ul>
<p class="note">${last === undefined ? "" : html`Updated ${times.ago(last)}. `}${apps.length === 0 ? "No app may read them." : html`Apps that may read them: ${apps.map(({ clientId, client }, place) => html`${place === 0 ? "" : ", "}<a href="${appAddress(clientId)}"><bdi>${clientWords(client)}</bdi></a> ${clientBadge(client)}`)}.`}</p></div>
<div class="row">${index === undefined || isInProgress(jobs.records) ? "" : button(csrf, rootAddress(rootId), { do: "records" }, "Update now", "slim")}<a href="${connectionAddress(connectionId)}">Open the connection</a></div></section>`;
}

function text({ folder }: FolderView, { csrf }: PageFrame): Html {
  const { rootId, text: wish, recognition } = folder;
  const on = wish !== false;
  return html`<section class="card" aria-labelledby="text"><h2 id="text">Text of files</h2>
<p>${
    on
      ? "Postern reads plain text, Markdown, source code, CSV, JSON, PDF and Office documents, up to a megabyte of each. Apps need a grant for “Text of files” to see it."
      : "The text is not read. Postern stores only names, sizes and dates."
  }</p>
<p class="note">${recognition}${wish === "photos" ? " Photos are read as well." : ""}</p>
${
  on
    ? html`${wish === "photos" ? button(csrf, rootAddress(rootId), { do: "text", text: "yes" }, "Skip photos", "slim") : button(csrf, rootAddress(rootId), { do: "text", text: "photos" }, "Recognise text in photos as well", "slim")}
${button(csrf, rootAddress(rootId), { do: "text", text: "no" }, "Stop, and remove the text")}`
    : button(csrf, rootAddress(rootId), { do: "text", text: "yes" }, "Read the text of files")
}</section>`;
}

function scanning({ folder }: FolderView, { csrf, times }: PageFrame): Html {
  const { rootId, index, jobs } = folder;
  return html`<section class="card" aria-labelledby="scan"><h2 id="scan">Scanning</h2>
<p>${index?.scannedAt === undefined ? "This folder has not been scanned yet." : html`${countOf(index.scans, "scan")}, the last ${times.ago(index.scannedAt)}.`} A normal scan reads only folders that changed. A full check also finds files that changed without their folder changing.</p>
${isInProgress(jobs.index) ? "" : button(csrf, rootAddress(rootId), { do: "verify" }, index === undefined ? "Scan now" : "Check every file")}</section>`;
}

function mounts({ folder }: FolderView, { csrf }: PageFrame): Html {
  const { rootId, crossMounts: on } = folder;
  return html`<section class="card" aria-labelledby="mounts"><h2 id="mounts">Other disks</h2>
<p>${
    on
      ? "Other disks and network drives that are mounted inside this folder are scanned too, and apps with access to the folder can see them."
      : "Other disks and network drives that are mounted inside this folder are skipped."
  } Apps cannot change this.</p>
${
  on
    ? button(csrf, rootAddress(rootId), { do: "mounts", mounts: "no" }, "Skip other disks")
    : button(csrf, rootAddress(rootId), { do: "mounts", mounts: "yes" }, "Scan other disks too")
}</section>`;
}

function removal({ folder, records: held, sets, queries, apps }: FolderView, { csrf, failed }: PageFrame): Html {
  const { rootId, name } = folder;
  return html`<section class="card" aria-labelledby="remove"><h2 id="remove">Remove this folder</h2>
<p>This deletes its index, ${countOf(held.files + held.text, "record")}, ${countOf(sets, "selection")} and ${countOf(queries, "saved search", "saved searches")}. The files themselves are not changed.${apps.length === 0 ? "" : " Apps lose access to it at their next request."}</p>
<details class="fold" id="forget"${attribute("open", failed !== undefined)}><summary class="button danger">Remove…</summary>
<form class="stack fold-body" method="post" action="${rootAddress(rootId)}">${hidden({ csrf, do: "remove" })}
<label class="choice"><input type="checkbox" name="sure" value="yes" required><span>I am sure: remove <bdi>${name}</bdi> and everything that Postern stores about it.</span></label>
<div><button class="button danger">Remove it</button></div></form></details></section>`;
}
