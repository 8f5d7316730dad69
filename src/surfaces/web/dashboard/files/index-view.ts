// The view of an indexed folder: its path, running jobs, and the selected tab.
import { html } from "hono/html";
import type { FileJob } from "../../../../contract/files.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { commandAt, curl } from "../../snippets.ts";
import { done } from "../words.ts";
import { FILES, indexAddress, rootAddress } from "./addresses.ts";
import { browseView, fileView } from "./browse-view.ts";
import { copiesView } from "./copies-view.ts";
import { findView } from "./find-view.ts";
import { growthView } from "./growth-view.ts";
import { type IndexView, viewPairs } from "./index-data.ts";
import { isOpen, jobStrip, live } from "./job-view.ts";
import { button, current, here, nodeAddress } from "./pieces.ts";
import { agesView, largestView, typesView } from "./report-views.ts";
import { setsView } from "./sets-view.ts";
import { TAB_LABELS, TABS, type Tab } from "./state.ts";

const DONE: Record<string, string> = {
  kept: "The search was saved, and its matches were saved as a selection.",
  ran: "Searched again; the selection now contains the current matches.",
  "query-deleted": "Deleted the saved search. Its selection is kept.",
  "set-deleted": "Deleted the selection. Its files are unchanged.",
};

/** Tabs that refresh while a job runs. Tabs with a form that is being filled in do not. */
const FOLLOWED: Partial<Record<Tab, (jobs: IndexView["root"]["jobs"]) => FileJob | undefined>> = {
  browse: ({ index }) => index,
  copies: ({ digest }) => digest,
};

export function showIndex(view: IndexView, frame: PageFrame): PageContent {
  const { root, at } = view;
  const { index, jobs } = root;
  const action = indexAddress(index.indexId, viewPairs(view));
  const isFolder = at.kind === "dir";
  const api = `/api/indexes/${index.indexId}/nodes/${at.nodeId}`;
  return {
    title: `${at.name} · Files`,
    body: html`${crumbs(view)}
<div class="page-head"><div><h1><bdi>${at.name}</bdi></h1><div id="sums"${live([jobs.index], 2000)}>${lead(view, frame)}</div></div>
<div class="row" id="actions"${live([jobs.index], 2000)}>${isOpen(jobs.index) ? "" : button(frame.csrf, action, { do: "scan" }, "Scan now")}<a class="button" href="${rootAddress(root.rootId)}">Settings</a></div></div>
${view.done !== undefined && Object.hasOwn(DONE, view.done) ? done(DONE[view.done]!) : ""}
${view.notes.length === 0 ? "" : html`<div class="alert warn" role="status">${view.notes.map((note) => html`<p><bdi>${note}</bdi></p>`)}</div>`}
<div id="scan"${live([jobs.index])}>${root.available ? "" : html`<p class="alert warn">This folder is not available right now. This page shows how it was ${index.scannedAt === undefined ? "before" : frame.times.ago(index.scannedAt)}.</p>`}${jobStrip(jobs.index, frame.csrf, action)}</div>
<nav class="tabs" aria-label="What to show"><span class="pick">${TABS.map((tab) => html`<a href="${here(view, { tab: tab === "browse" ? null : tab })}"${current(view.tab === tab)}>${TAB_LABELS[tab]}</a>`)}</span></nav>
<div id="shown"${live([FOLLOWED[view.tab]?.(jobs)], 2000)}>${shown(view, frame)}</div>`,
    snippets: [
      curl(frame.origin, isFolder ? `/api/indexes/${index.indexId}/tree?parent=${at.nodeId}` : api),
      ...(isFolder ? commandAt(view.home, "files", "ls", at.path, "--sort", "size") : []),
    ],
  };
}

function crumbs(view: IndexView): Html {
  const { root, at } = view;
  const above = at.breadcrumb.slice(0, -1);
  return html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${FILES}">Files</a>${above.map(
    ({ nodeId, name }, place) =>
      html` <span aria-hidden="true">›</span> <a href="${nodeAddress(view, nodeId)}"><bdi>${place === 0 ? root.path : name}</bdi></a>`,
  )}</nav>`;
}

function lead({ at, root }: IndexView, { times }: PageFrame): Html {
  const isRoot = at.nodeId === root.index.rootNodeId;
  const { scannedAt } = root.index;
  const parts: (Html | string)[] =
    at.kind === "dir"
      ? [formatBytes(at.size), countOf(at.counts?.files ?? 0, "file"), countOf(at.counts?.dirs ?? 0, "folder")]
      : [formatBytes(at.size), html`changed ${times.ago(at.modifiedAt)}`];
  if (isRoot && scannedAt !== undefined) parts.push(html`scanned ${times.ago(scannedAt)}`);
  return html`<p class="lead">${parts.map((part, place) => html`${place === 0 ? "" : " · "}${part}`)}</p>${isRoot ? html`<p class="note"><code>${root.path}</code></p>` : ""}`;
}

function shown(view: IndexView, frame: PageFrame): Html | "" {
  switch (view.tab) {
    case "browse":
      return view.browse === undefined ? fileView(view, frame) : browseView(view, view.browse, frame);
    case "largest":
      return largestView(view, view.largest!, frame);
    case "types":
      return typesView(view, view.types!);
    case "ages":
      return agesView(view, view.ages!, frame);
    case "growth":
      return growthView(view, view.growth!, frame);
    case "copies":
      return copiesView(view, view.copies!, frame);
    case "find":
      return findView(view, view.find!, frame);
    case "sets":
      return setsView(view, view.sets!, frame);
  }
}
