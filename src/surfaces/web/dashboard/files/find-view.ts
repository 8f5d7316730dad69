// Finds files by name, type, size and date; saves the results; and lists saved searches.
import { html, raw } from "hono/html";
import type { FoundNodes } from "../../../../contract/files.ts";
import type { OwnerSavedQuery } from "../../../../contract/owner-file-lens.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf } from "../../format.ts";
import { attribute, type Html, hidden } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { indexAddress } from "./addresses.ts";
import { type IndexPanels, type IndexView, viewPairs } from "./index-data.ts";
import { button, here, nodeLink, pager, region, sizeCell } from "./pieces.ts";
import { dayOf, type FindForm, KINDS, wantedPairs } from "./state.ts";

const TYPES: readonly [value: string, label: string][] = [
  ["image/*", "Pictures"],
  ["video/*", "Videos"],
  ["audio/*", "Audio"],
  ["application/pdf", "PDF"],
  ["text/*", "Text and source code"],
  ["application/zip", "Zip archives"],
];

const KIND_LABELS: Record<string, string> = { file: "Files", dir: "Folders", link: "Links" };

export function findView(
  view: IndexView,
  { found, queries }: NonNullable<IndexPanels["find"]>,
  frame: PageFrame,
): Html {
  return html`${form(view)}
${found === undefined ? "" : results(view, found, frame)}
${saved(view, queries, frame)}`;
}

function form(view: IndexView): Html {
  const { wanted } = view.state;
  const { indexId } = view.root.index;
  const field = (name: keyof FindForm, label: string, type: "text" | "date", rest: Html | "" = ""): Html =>
    html`<label>${label}<input type="${type}" name="${name}" value="${type === "date" ? (dayOf(wanted[name]) ?? "") : wanted[name]}"${rest}></label>`;
  const other =
    TYPES.some(([value]) => value === wanted.type) || wanted.type === "" ? [] : [[wanted.type, wanted.type]];
  return html`<form class="card find-form" action="${indexAddress(indexId)}" role="search">${hidden(Object.fromEntries(viewPairs(view)))}
<div class="filter-grid">${field("name", "Name", "text", html` placeholder="invoice, *.pdf, IMG_????.jpg" autocomplete="off"`)}
<label>Type<select name="type"><option value="">any</option>${[...TYPES, ...other].map(([value, label]) => html`<option value="${value}"${value === wanted.type ? raw(" selected") : ""}>${label}</option>`)}</select></label>
<label>Kind<select name="kind"><option value="">any</option>${KINDS.map((kind) => html`<option value="${kind}"${kind === wanted.kind ? raw(" selected") : ""}>${KIND_LABELS[kind]}</option>`)}</select></label>
<fieldset><legend>Size</legend><div class="pair">${field("min", "at least", "text", html` placeholder="10 MB" autocomplete="off"`)}${field("max", "at most", "text", html` autocomplete="off"`)}</div></fieldset>
<fieldset><legend>Changed</legend><div class="pair">${field("after", "from", "date")}${field("before", "before", "date")}</div></fieldset></div>
<p class="row"><button class="button primary">Find</button>${wantedPairs(wanted).length === 0 ? "" : html`<a href="${here(view)}">Clear</a>`}<span class="note end">in <bdi>${view.at.name}</bdi> and all folders below it</span></p></form>`;
}

function results(view: IndexView, { entries, matches, nextCursor }: FoundNodes, frame: PageFrame): Html {
  const pairs = wantedPairs(view.state.wanted);
  if (matches.nodes === 0)
    return html`<p class="empty">No matches. Remove a condition, or search in a folder above.</p>`;
  const top = Math.max(...entries.map(({ size }) => size));
  return html`<section class="found" aria-labelledby="found"><div class="row"><h2 id="found">${countOf(matches.nodes, "match", "matches")}</h2><span class="note">${formatBytes(matches.size)} in ${countOf(matches.files, "file")}</span>${keepForm(view, frame)}</div>
${region(
  "Matches",
  html`<table class="listing-files"><thead><tr><th scope="col">Name</th><th scope="col" class="number">Size</th><th scope="col">Changed</th></tr></thead>
<tbody>${entries.map((entry) => html`<tr><td>${nodeLink(view, entry)}</td>${sizeCell(entry.size, top)}<td class="nowrap note">${frame.times.day(entry.modifiedAt)}</td></tr>`)}</tbody></table>`,
)}${pager(view, entries.length, nextCursor, pairs, matches.nodes)}</section>`;
}

function keepForm(view: IndexView, { csrf, failed }: PageFrame): Html {
  const { indexId, rootNodeId } = view.root.index;
  const isAll = view.at.nodeId === rootNodeId || view.at.kind !== "dir";
  const under: Record<string, string> = isAll ? {} : { under: view.at.nodeId };
  const fields: Record<string, string> = Object.fromEntries(wantedPairs(view.state.wanted));
  return html`<details class="fold end"${attribute("open", failed !== undefined)}><summary class="button small">Save as a selection</summary>
<form class="row fold-body" method="post" action="${indexAddress(indexId, [...viewPairs(view), ...wantedPairs(view.state.wanted)])}">${hidden({ csrf, do: "keep", ...fields, ...under })}
<label class="row">Name<input type="text" name="called" required maxlength="200" autocomplete="off"></label><button class="button primary">Save</button></form></details>`;
}

function saved(
  view: IndexView,
  queries: readonly (OwnerSavedQuery & { app?: string })[],
  { csrf, times }: PageFrame,
): Html {
  if (queries.length === 0)
    return html`<p class="note found">Searches that you or your apps save appear here, and can be run again.</p>`;
  const action = indexAddress(view.root.index.indexId, viewPairs(view));
  return html`<section class="found" aria-labelledby="saved"><h2 id="saved">Saved searches</h2><ul class="list card">${queries.map(
    ({
      queryId,
      name,
      filterSummary,
      lastExecutedAt,
      selectionId,
      app,
    }) => html`<li class="row"><div><strong><bdi>${name}</bdi></strong>${app === undefined ? "" : html` <span class="badge">by “<bdi>${app}</bdi>”</span>`}
<p class="note"><bdi>${filterSummary}</bdi>${lastExecutedAt === undefined ? "" : html` · last run ${times.ago(lastExecutedAt)}`}${selectionId === undefined ? "" : html` · <a href="${here(view, { tab: "sets" }, [["set", selectionId]])}">its selection</a>`}</p></div>
<span class="end row">${app === undefined ? button(csrf, action, { do: "run", id: queryId }, html`Run<span class="visually-hidden"> ${name}</span>`, "slim") : ""}
<details class="fold" id="delete-${queryId}"><summary class="button small">Delete<span class="visually-hidden"> ${name}</span></summary><div class="fold-body row"><span class="note">Its selection is kept.</span>${button(csrf, action, { do: "delete-query", id: queryId }, "Delete it", "danger")}</div></details></span></li>`,
  )}</ul></section>`;
}
