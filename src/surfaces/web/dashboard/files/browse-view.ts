// Shows a folder as a map with a list next to it, or a file with its metadata.
import { html, raw } from "hono/html";
import { type FileNode, type ListingOrder, NOT_READ } from "../../../../contract/files.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf, formatNumber } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { streamAddress } from "../explore/addresses.ts";
import { downloadAddress } from "./addresses.ts";
import type { BrowsedFolder, IndexView } from "./index-data.ts";
import { isOpen, progressSentence } from "./job-view.ts";
import { folderMap } from "./map-view.ts";
import { here, nodeAddress, nodeLink, pager, region, sizeCell } from "./pieces.ts";

export function browseView(
  view: IndexView,
  { map, entries, total, nextCursor }: BrowsedFolder,
  frame: PageFrame,
): Html {
  const { at, state, root } = view;
  const sorted = state.sort === "size" ? [] : ([["sort", state.sort]] as [string, string][]);
  return html`<div class="atlas"><section aria-label="Map">${folderMap(`What takes up space in ${at.name}`, map, (nodeId) => nodeAddress(view, nodeId), emptyMapWords(view))}</section>
<section aria-label="List">${listing(view, entries, frame)}${pager(view, entries.length, nextCursor, sorted, total)}
${problems(view)}
<p class="note">These files are also records: <a href="${streamAddress({ connection_id: root.connectionId, stream: "files" })}">explore them</a>.</p></section></div>`;
}

/** Says why the map is empty. Returns undefined if the reason is that nothing here takes up space. */
export function emptyMapWords({ at, root }: Pick<IndexView, "at" | "root">): string | undefined {
  const { index, jobs } = root;
  if (isOpen(jobs.index))
    return index.status === "complete"
      ? `At the last scan, nothing here took up space. ${progressSentence(jobs.index)}`
      : `${progressSentence(jobs.index)} The map appears as soon as the scan has found something here.`;
  if (at.state !== undefined && at.state !== "unread") return notReadSentence(at.state);
  return index.status === "complete" ? undefined : "The last scan did not finish. Scan again to see sizes.";
}

const COLUMNS: readonly { order: ListingOrder; label: string; number?: true }[] = [
  { order: "name", label: "Name" },
  { order: "size", label: "Size", number: true },
  { order: "time", label: "Changed" },
];

function listing(view: IndexView, entries: readonly FileNode[], { times }: PageFrame): Html {
  const { state, at } = view;
  if (entries.length === 0) return html`<p class="empty">${emptyWords(view)}</p>`;
  const top = Math.max(...entries.map(({ size }) => size));
  return region(
    `In ${at.name}`,
    html`<table class="listing-files"><thead><tr>${COLUMNS.map(({ order, label, number }) => {
      const is = state.sort === order;
      const sort = is ? raw(` aria-sort="${order === "name" ? "ascending" : "descending"}"`) : "";
      return html`<th scope="col"${number ? raw(' class="number"') : ""}${sort}><a class="calm quiet" href="${here(view, { sort: order === "size" ? null : order })}">${label}${is ? html` <span aria-hidden="true">${order === "name" ? "↑" : "↓"}</span>` : ""}</a></th>`;
    })}</tr></thead>
<tbody>${entries.map(
      (entry) =>
        html`<tr><td>${nodeLink(view, entry)}</td>${sizeCell(entry.size, top, entry)}<td class="nowrap note">${times.day(entry.modifiedAt)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function emptyWords({ at, root }: IndexView): string {
  if (at.state === "unread" || root.index.status === "empty") return "The scan has not reached this folder yet.";
  return at.state === undefined ? "This folder is empty." : notReadSentence(at.state);
}

const notReadSentence = (state: keyof typeof NOT_READ): string =>
  `This folder ${state === "unreadable" ? "" : "is "}${NOT_READ[state]}.`;

function problems({ at, root }: IndexView): Html | "" {
  const { problems: texts = [] } = at;
  const count = root.index.totals?.problems ?? 0;
  if (texts.length > 0)
    return html`<details class="fold"><summary>Could not be read here</summary><ul class="list">${texts.map((text) => html`<li><bdi>${text}</bdi></li>`)}</ul></details>`;
  if (at.nodeId !== root.index.rootNodeId || count === 0) return "";
  return html`<p class="note">${countOf(count, "place")} could not be read.</p>`;
}

export function fileView(view: IndexView, { times }: PageFrame): Html {
  const { at, root, file } = view;
  const { indexId } = root.index;
  const facts: [string, Html | string][] = [
    ["Path", html`<code>${at.path}</code>`],
    ["Size", `${formatBytes(at.size)} (${countOf(at.size, "byte")}), ${formatBytes(at.allocated)} on disk`],
    ["Changed", times.instant(at.modifiedAt)],
    ...(at.mimeType === undefined ? [] : ([["Type", at.mimeType]] as [string, string][])),
    ["Permissions", html`<code>${at.permissions}</code>, owner ${String(at.uid)}, group ${String(at.gid)}`],
    ...(at.names === undefined ? [] : ([["Names", `${formatNumber(at.names)} in this index`]] as [string, string][])),
    ...(file?.sha256 === undefined ? [] : ([["SHA-256", html`<code>${file.sha256}</code>`]] as [string, Html][])),
    ["nodeId", html`<code>${at.nodeId}</code>`],
  ];
  return html`<section class="card one-file"><dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
<p class="row">${at.kind === "file" ? html`<a class="button primary" href="${downloadAddress(indexId, at.nodeId)}" download>Download</a>` : ""}${
    at.targetId === undefined
      ? ""
      : html`<a class="button" href="${nodeAddress(view, at.targetId)}">Open the target</a>`
  }${at.parentId === undefined ? "" : html`<a href="${nodeAddress(view, at.parentId)}">Open the containing folder</a>`}</p></section>`;
}
