// Reports on a folder: its largest files, types and ages.
import { html } from "hono/html";
import type { AgeShare, FileNode, TypeShare } from "../../../../contract/files.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf, formatNumber } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import type { Pairs } from "../explore/addresses.ts";
import type { IndexView } from "./index-data.ts";
import { current, here, nodeLink, pager, region, sizeCell } from "./pieces.ts";

const TYPES_SHOWN = 60;
const EXTENSIONS_SHOWN = 6;

export function largestView(
  view: IndexView,
  { entries, nextCursor }: { entries: FileNode[]; nextCursor?: string },
  { times }: PageFrame,
): Html {
  const { dirs } = view.state;
  const of: Pairs = dirs ? [["of", "dirs"]] : [];
  const top = Math.max(0, ...entries.map(({ size }) => size));
  return html`<p class="row tools"><span class="pick"><a href="${here(view)}"${current(!dirs)}>Files</a><a href="${here(view, {}, [["of", "dirs"]])}"${current(dirs)}>Folders</a></span></p>
${
  entries.length === 0
    ? html`<p class="empty">This folder contains ${dirs ? "no folders" : "no files"}.</p>`
    : region(
        dirs ? "The largest folders" : "The largest files",
        html`<table class="listing-files"><thead><tr><th scope="col">${dirs ? "Folder" : "File"}</th><th scope="col" class="number">Size</th>${dirs ? html`<th scope="col" class="number">Files</th>` : ""}<th scope="col">Changed</th></tr></thead>
<tbody>${entries.map(
          (entry) =>
            html`<tr><td>${nodeLink(view, entry)}</td>${sizeCell(entry.size, top)}${dirs ? html`<td class="number">${formatNumber(entry.counts?.files ?? 0)}</td>` : ""}<td class="nowrap note">${times.day(entry.newestAt ?? entry.modifiedAt)}</td></tr>`,
        )}</tbody></table>`,
      )
}${pager(view, entries.length, nextCursor, of)}`;
}

export function typesView(view: IndexView, types: readonly TypeShare[]): Html {
  if (types.length === 0) return html`<p class="empty">This folder contains no files.</p>`;
  const whole = types.reduce((sum, { size }) => sum + size, 0);
  const rows = types.slice(0, TYPES_SHOWN);
  const top = Math.max(...rows.map(({ size }) => size));
  return html`<div class="report">${region(
    "By type",
    html`<table class="listing-files"><thead><tr><th scope="col">Type</th><th scope="col" class="number">Size</th><th scope="col" class="number">Share</th><th scope="col" class="number">Files</th></tr></thead>
<tbody>${rows.map(
      ({ type, extensions, files, size }) =>
        html`<tr><td><a class="calm" href="${here(view, { tab: "find" }, [["type", type]])}"><bdi>${type}</bdi></a> <span class="note"><bdi>${extensionWords(extensions)}</bdi></span></td>${sizeCell(size, top)}<td class="number">${share(size, whole)}</td><td class="number">${formatNumber(files)}</td></tr>`,
    )}</tbody></table>`,
  )}${types.length > rows.length ? html`<p class="note pager">And ${countOf(types.length - rows.length, "smaller one")}.</p>` : ""}</div>`;
}

function extensionWords(extensions: readonly string[]): string {
  const shown = extensions.slice(0, EXTENSIONS_SHOWN).map((one) => `.${one}`);
  return `${shown.join(" ")}${extensions.length > shown.length ? " …" : ""}`;
}

export function agesView(view: IndexView, ages: readonly AgeShare[], { times }: PageFrame): Html {
  const whole = ages.reduce((sum, { size }) => sum + size, 0);
  const top = Math.max(0, ...ages.map(({ size }) => size));
  return html`<div class="report">${region(
    "By age",
    html`<table class="listing-files"><thead><tr><th scope="col">Changed</th><th scope="col" class="number">Size</th><th scope="col" class="number">Share</th><th scope="col" class="number">Files</th></tr></thead>
<tbody>${ages.map(
      ({ label, after, before, files, size }) =>
        html`<tr><td><a class="calm" href="${here(view, { tab: "find" }, [...day("after", after), ...day("before", before), ["kind", "file"]])}">${label}</a> <span class="note">${after === undefined ? (before === undefined ? "" : `before ${times.day(before)}`) : `since ${times.day(after)}`}</span></td>${sizeCell(size, top)}<td class="number">${share(size, whole)}</td><td class="number">${formatNumber(files)}</td></tr>`,
    )}</tbody></table>`,
  )}<p class="note pager">${formatBytes(whole)} in total.</p></div>`;
}

const day = (name: string, at: string | undefined): Pairs => (at === undefined ? [] : [[name, at.slice(0, 10)]]);

const share = (size: number, whole: number): string =>
  whole === 0 ? "–" : `${((size / whole) * 100).toFixed(size / whole < 0.1 ? 1 : 0)} %`;
