// Identical files, found by comparing them byte for byte, shown group by group.
import { html } from "hono/html";
import type { DuplicateFiles, Duplicates } from "../../../../contract/files.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { indexAddress } from "./addresses.ts";
import { type IndexView, viewPairs } from "./index-data.ts";
import { isOpen, jobStrip } from "./job-view.ts";
import { button, nodeLink, pager } from "./pieces.ts";

export function copiesView(view: IndexView, { groups, total, nextCursor }: Duplicates, frame: PageFrame): Html {
  const { root } = view;
  const action = indexAddress(root.index.indexId, viewPairs(view));
  const job = root.jobs.digest;
  const look = isOpen(job)
    ? ""
    : button(
        frame.csrf,
        action,
        { do: "copies" },
        job === undefined ? "Look for copies" : "Look again",
        job === undefined ? "primary" : "",
      );
  const strip = html`<div class="tools">${jobStrip(job, frame.csrf, action)}</div>`;
  if (groups.length === 0) {
    const words =
      job === undefined
        ? html`<h2>Not searched yet</h2><p>Files of the same size are compared in the background: first their beginnings and ends, then every byte. Files under 4 KB are skipped: deleting them would save little space. Nothing is deleted.</p>`
        : isOpen(job)
          ? html`<h2>Searching…</h2><p>Groups appear here as they are found.</p>`
          : html`<h2>No copies</h2><p>No two files of 4 KB or more are the same.</p>`;
    return html`${strip}<div class="empty">${words}${look}</div>`;
  }
  return html`${strip}<div class="row tools"><p class="lead">${formatBytes(total.wasted)} can be freed by deleting copies, in ${countOf(total.groups, "group")}.</p><span class="end">${look}</span></div>
<p class="note">All duplicates in this index, the largest savings first. Postern never deletes files; to free the space, delete copies yourself.</p>
<ul class="copies">${groups.map((group) => copies(view, group))}</ul>${pager(view, groups.length, nextCursor)}`;
}

function copies(view: IndexView, { sha256, size, wasted, files, more }: DuplicateFiles): Html {
  return html`<li class="card"><header class="row"><strong>${countOf(files.length + more, "copy", "copies")} of ${formatBytes(size)}</strong><span class="note">${formatBytes(wasted)} can be freed</span><code class="end note" title="SHA-256">${sha256.slice(0, 12)}…</code></header>
<ul>${files.map((file) => html`<li>${nodeLink(view, file)}</li>`)}</ul>${more === 0 ? "" : html`<p class="note">and ${countOf(more, "other")}</p>`}</li>`;
}
