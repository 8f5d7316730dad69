// Growth and shrinkage between two scans.
import { html, raw } from "hono/html";
import type { FileScan, GrownDir } from "../../../../contract/files.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import type { PageFrame } from "../../owner-page.ts";
import { indexAddress } from "./addresses.ts";
import { type IndexPanels, type IndexView, viewPairs } from "./index-data.ts";
import { button, icon, nodeAddress, pathFrom, region } from "./pieces.ts";

export function growthView(
  view: IndexView,
  { scans, growth }: NonNullable<IndexPanels["growth"]>,
  frame: PageFrame,
): Html {
  const { indexId } = view.root.index;
  const action = indexAddress(indexId, viewPairs(view));
  if (growth === undefined) {
    return html`<div class="empty"><h2>There is nothing to compare yet</h2><p>Growth is the difference between two scans; this folder has ${scans.length === 1 ? "one" : scans.length}. Scan again at any time: only folders that changed are read.</p>${button(frame.csrf, action, { do: "scan" }, "Scan now", "primary")}</div>`;
  }
  const { from, to, dirs, growth: sum, more } = growth;
  const top = Math.max(1, ...dirs.map((dir) => Math.abs(dir.growth)));
  return html`<form class="row tools" action="${indexAddress(indexId)}">${hidden(Object.fromEntries(viewPairs(view)))}
<label class="row">From<select name="from">${scans.map((scan) => option(scan, from.scan, frame))}</select></label>
<label class="row">to<select name="to">${scans.map((scan) => option(scan, to.scan, frame))}</select></label><button class="button">Compare</button></form>
<p class="lead">${sum === 0 ? "The same total size as before" : html`In total ${signed(sum)}`}, between ${frame.times.instant(from.endedAt)} and ${frame.times.instant(to.endedAt)}.</p>
${
  dirs.length === 0
    ? html`<p class="empty">No folder differs in size between these two scans.</p>`
    : region(
        "Growth",
        html`<table class="listing-files"><thead><tr><th scope="col">Folder</th><th scope="col" class="number">Growth</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th></tr></thead>
<tbody>${dirs.map((dir) => row(view, dir, top))}</tbody></table>`,
      )
}${more ? html`<p class="note pager">There are more folders, with smaller differences.</p>` : ""}`;
}

function option({ scan, endedAt, totals }: FileScan, chosen: number, { times }: PageFrame): Html {
  return html`<option value="${scan}"${scan === chosen ? raw(" selected") : ""}>Scan ${scan} · ${times.day(endedAt)} · ${formatBytes(totals.size)}</option>`;
}

function row(view: IndexView, { nodeId, path, growth, before, after }: GrownDir, top: number): Html {
  const name = html`${icon("dir")}<bdi>${path === view.at.path ? view.at.name : pathFrom(view, path)}</bdi>`;
  const width = Math.round((Math.abs(growth) / top) * 1000) / 10;
  return html`<tr><td>${
    nodeId === undefined
      ? html`<span class="named">${name}</span> <span class="badge">gone</span>`
      : html`<a class="calm named" href="${nodeAddress(view, nodeId)}">${name}</a>${before === undefined ? html` <span class="badge good">new</span>` : ""}`
  }</td><td class="number sized">${signed(growth)}<svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true"><rect class="${growth > 0 ? "value" : "less"}" width="${width}" height="3"/></svg></td>${[before, after].map((sums) => html`<td class="number">${sums === undefined ? "–" : html`<span title="${countOf(sums.files, "file")}">${formatBytes(sums.size)}</span>`}</td>`)}</tr>`;
}

const signed = (bytes: number): string =>
  bytes === 0 ? "0 bytes" : `${bytes > 0 ? "+" : "−"}${formatBytes(Math.abs(bytes))}`;
