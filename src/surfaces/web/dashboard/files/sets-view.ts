// Selections made by the owner and by apps, and the content of one selection.
import { html } from "hono/html";
import type { OwnerSet, OwnerSetEntry } from "../../../../contract/owner-file-lens.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { indexAddress, setExportAddress } from "./addresses.ts";
import { type IndexPanels, type IndexView, viewPairs } from "./index-data.ts";
import { button, here, icon, nodeLink, pager, region, sizeCell } from "./pieces.ts";

type Listed = NonNullable<IndexPanels["sets"]>;

export function setsView(view: IndexView, { sets, open }: Listed, frame: PageFrame): Html {
  if (open !== undefined) return oneSet(view, open, frame);
  if (sets.length === 0)
    return html`<div class="empty"><h2>No selections yet</h2><p>A selection is a saved list of files. Search for files and save the result; selections made by apps appear here too.</p><p><a class="button primary" href="${here(view, { tab: "find" })}">Find files</a></p></div>`;
  return html`<div class="report">${region(
    "Selections",
    html`<table class="listing-files"><thead><tr><th scope="col">Selection</th><th scope="col" class="number">Entries</th><th scope="col" class="number">Size</th><th scope="col">Created</th></tr></thead>
<tbody>${sets.map(
      ({ selectionId, name, counts, totalSize, createdAt, app }) =>
        html`<tr><td><a class="calm" href="${here(view, {}, [["set", selectionId]])}"><bdi>${name}</bdi></a>${app === undefined ? "" : html` <span class="badge">by “<bdi>${app}</bdi>”</span>`}</td><td class="number">${countWords(counts)}</td><td class="number">${formatBytes(totalSize)}</td><td class="nowrap note">${frame.times.ago(createdAt)}</td></tr>`,
    )}</tbody></table>`,
  )}</div>`;
}

function oneSet(view: IndexView, { set, entries, nextCursor }: NonNullable<Listed["open"]>, frame: PageFrame): Html {
  const { selectionId, name, counts, totalSize } = set;
  const action = indexAddress(view.root.index.indexId, viewPairs(view));
  const top = Math.max(0, ...entries.map(({ size }) => size));
  return html`<section class="found" aria-labelledby="set"><p class="note"><a href="${here(view)}">All selections</a></p>
<div class="row"><h2 id="set"><bdi>${name}</bdi></h2><span class="note">${countOf(counts.entries, "entry", "entries")} · ${formatBytes(totalSize)}</span><span class="end note">Export <a href="${setExportAddress(selectionId, "csv")}" download>CSV</a> · <a href="${setExportAddress(selectionId, "jsonl")}" download>JSON lines</a></span></div>
${
  entries.length === 0
    ? html`<p class="empty">This selection is empty.</p>`
    : region(
        name,
        html`<table class="listing-files"><thead><tr><th scope="col">Name</th><th scope="col" class="number">Size</th></tr></thead><tbody>${entries.map((entry) => html`<tr><td>${member(view, entry)}</td>${sizeCell(entry.size, top)}</tr>`)}</tbody></table>`,
      )
}${pager(view, entries.length, nextCursor, [["set", selectionId]], counts.entries)}
<details class="fold tools" id="delete-set"><summary class="button small">Delete this selection</summary><div class="fold-body row"><p>The list of ${countOf(counts.entries, "entry", "entries")} is deleted; the files are not changed.</p>${button(frame.csrf, action, { do: "delete-set", id: selectionId }, "Delete it", "danger")}</div></details></section>`;
}

const member = (view: IndexView, entry: OwnerSetEntry): Html =>
  "missing" in entry
    ? html`<span class="named">${icon(entry.kind)}<code>${entry.nodeId}</code></span> <span class="badge warn">gone</span>`
    : nodeLink(view, entry);

const countWords = ({ files, dirs }: OwnerSet["counts"]): string =>
  [...(files > 0 || dirs === 0 ? [countOf(files, "file")] : []), ...(dirs > 0 ? [countOf(dirs, "folder")] : [])].join(
    ", ",
  );
