// The folder list: each folder with its size, and a form that approves another folder and explains what that means.
import { html } from "hono/html";
import type { OwnerRoot } from "../../../../contract/owner-file-lens.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf } from "../../format.ts";
import { attribute, type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { commandAt, curl } from "../../snippets.ts";
import { done } from "../words.ts";
import { FILES, indexAddress, rootAddress } from "./addresses.ts";
import type { FoldersView } from "./folders.ts";
import { jobStrip, live } from "./job-view.ts";
import { button, icon } from "./pieces.ts";

export function showFolders({ folders, removedRecords, home }: FoldersView, frame: PageFrame): PageContent {
  const none = folders.length === 0;
  return {
    title: "Files",
    body: html`<h1>Files</h1>
<p class="lead">${none ? "See what takes up space on a disk, which files are duplicates, and what has grown. Apps that you allow can browse it too." : summary(folders)}</p>
${removedRecords === undefined ? "" : done(`Removed, with its index and ${countOf(removedRecords, "record")}. The files themselves were not changed.`)}
${none ? "" : html`<ul class="holdings">${folders.map((folder) => card(folder, frame))}</ul>`}
<section aria-labelledby="add">${addForm(none, frame)}</section>`,
    snippets: [curl(frame.origin, "/api/roots"), ...commandAt(home, "files", "roots")],
  };
}

function summary(folders: readonly OwnerRoot[]): string {
  const totals = folders.flatMap(({ index }) => index?.totals ?? []);
  const files = totals.reduce((sum, one) => sum + one.files, 0);
  const size = totals.reduce((sum, one) => sum + one.size, 0);
  return `${formatBytes(size)} in ${countOf(files, "file")} of ${countOf(folders.length, "folder")}.`;
}

function card(folder: OwnerRoot, { times, csrf }: PageFrame): Html {
  const { rootId, path, name, index, jobs, available, text } = folder;
  const totals = index?.totals;
  const title = html`${icon("dir")}<bdi>${name}</bdi>`;
  const facts = [
    ...(totals === undefined ? [] : [countOf(totals.files, "file"), countOf(totals.dirs, "folder")]),
    ...(text ? ["with the text of files"] : []),
  ].join(" · ");
  return html`<li class="card" id="${rootId}"${live([jobs.index, jobs.records], 1500)}>
<header class="row"><h2>${index === undefined ? html`<span class="named">${title}</span>` : html`<a class="named" href="${indexAddress(index.indexId)}">${title}</a>`}</h2>${available ? "" : html`<span class="badge warn">not available now</span>`}<span class="end number">${totals === undefined ? "" : formatBytes(totals.size)}</span></header>
<p class="note"><code>${path}</code></p>
<div class="row"><p class="note">${facts}${facts === "" ? "" : " · "}${index?.scannedAt === undefined ? "not completely scanned yet" : html`scanned ${times.ago(index.scannedAt)}`}</p><span class="end row">${index === undefined ? button(csrf, FILES, { do: "scan", id: rootId }, "Scan now", "slim") : ""}<a href="${rootAddress(rootId)}">Settings<span class="visually-hidden"> of ${name}</span></a></span></div>
${jobStrip(jobs.index, csrf, FILES)}${jobStrip(jobs.records, csrf, FILES)}</li>`;
}

function addForm(isFirst: boolean, { csrf, failed }: PageFrame): Html {
  const form = html`<form class="card stack add-folder" method="post" action="${FILES}">${hidden({ csrf, do: "add" })}
<label>Folder on the computer this server runs on<input type="text" name="path" required placeholder="/home/me/Photos" autocomplete="off" spellcheck="false" maxlength="4096"></label>
<label class="choice"><input type="checkbox" name="text" value="yes"><span>Also read the text of the documents in this folder, so that you can search it: plain text, Markdown, source code, CSV, JSON, Office. You can change that later.</span></label>
<div class="alert warn"><p><strong>What this means.</strong> Postern lists every file and folder inside this folder: names, sizes, dates. It never changes, moves or deletes any of them. No app sees any of it until you allow that app.</p></div>
<p><button class="button primary">Add and scan</button></p></form>`;
  if (isFirst) return html`<h2 id="add">Add a folder</h2>${form}`;
  return html`<details class="fold" id="add-folder"${attribute("open", failed !== undefined)}><summary class="button"><span id="add">Add a folder</span></summary><div class="fold-body">${form}</div></details>`;
}
