// The middle of the consent page for the files lens: which roots, and what the app may do there.
import { html } from "hono/html";
import { FILES_STREAM, type FilePower } from "../../../contract/file-access.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { plainLine } from "../../../core/unsafe-characters.ts";
import { countOf } from "../format.ts";
import { attribute, type Html } from "../layout.ts";
import { type ConsentPower, type ConsentRoot, type FilesConsent, streamKey } from "./consent-view.ts";

/** A path is shown in full, unless it is long enough to fill a page. */
const PATH_MAX = 400;

export function rootList({ prefilled, roots }: FilesConsent): Html {
  const none = html`<p class="empty">You have not approved any folders yet. Approve one in a terminal, then reload this page: <code>pdpp files roots add PATH</code></p>`;
  const lead = prefilled
    ? "Folders that you approved, with everything below them. Untick what the app should not see."
    : "It did not ask for anything specific. Tick the folders it may browse, with everything below them.";
  return html`<section class="reads" aria-labelledby="reads">
<h2 id="reads">${prefilled ? "What it would browse" : "Choose what it may browse"}</h2>
<p class="note">${lead}</p>
${roots.length === 0 ? none : html`<div class="source"><ul class="connection">${roots.map(rootRow)}</ul></div>`}
</section>`;
}

function rootRow({ connectionId, path, checked, files, bytes }: ConsentRoot): Html {
  const figures =
    files === undefined || bytes === undefined
      ? html`<span>not counted yet</span>`
      : html`<strong>${countOf(files, "file")}</strong> <span>${formatBytes(bytes)}</span>`;
  return html`<li class="stream"${files === undefined ? "" : html` data-count="${files}"`}><label class="stream-pick"><input type="checkbox" name="stream" value="${streamKey(connectionId, FILES_STREAM)}"${attribute("checked", checked)}>
<span class="stream-title"><span class="name"><bdi>${plainLine(path, PATH_MAX)}</bdi></span></span>
<span class="stream-figures">${figures}</span></label></li>`;
}

/** The effect of each power, and its limits. */
const POWERS: Record<FilePower, { label: string; does: string }> = {
  navigate: {
    label: "Look through them",
    does: "See names, sizes, dates and kinds of files, and reports about them. Not their contents.",
  },
  index: {
    label: "Start scans",
    does: "Have this server scan the folders again for changes. That keeps the disk busy for a while; no file is changed.",
  },
  curate: {
    label: "Collect selections",
    does: "Create and change lists of files and saved searches on this server. The files themselves do not change.",
  },
  download: {
    label: "Download files",
    does: "Copy the contents of files from this server, and find out which files are identical. Downloaded files stay with the app.",
  },
};

export function powerList({ powers, roots }: FilesConsent): Html | "" {
  if (roots.length === 0) return "";
  return html`<section class="reads" aria-labelledby="powers">
<h2 id="powers">What it may do there</h2>
<p class="note">In every folder that you tick.</p>
<div class="source"><ul class="connection">${powers.map(powerRow)}</ul></div>
</section>`;
}

function powerRow({ power, always, checked }: ConsentPower): Html {
  const { label, does } = POWERS[power];
  const box = always
    ? html`<input type="checkbox" checked disabled>`
    : html`<input type="checkbox" name="may" value="${power}"${attribute("checked", checked)}>`;
  return html`<li class="stream"><label class="stream-pick">${box}
<span class="stream-title"><span class="name">${label}</span>${always ? html` <span class="badge">Always</span>` : ""}</span>
<span class="stream-detail">${does}</span></label></li>`;
}
