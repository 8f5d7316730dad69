// Pieces that the files pages share: names with icons, sizes with their share, and paging.
import { html, raw } from "hono/html";
import { type FileNode, NOT_READ, type NodeKind } from "../../../../contract/files.ts";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { formatNumber } from "../../format.ts";
import { type Html, hidden } from "../../layout.ts";
import { changed, type Pairs } from "../explore/addresses.ts";
import { indexAddress } from "./addresses.ts";
import { type IndexView, viewPairs } from "./index-data.ts";

const ICONS: Partial<Record<NodeKind, string>> = {
  dir: "M1.500 13V3.500h4.500l1.500 2h7V13z",
  file: "M3.500 1.500h6l3 3v10h-9zM9.500 1.500v3h3",
  link: "M6.500 9.500l3-3M5 7.500 3.500 9a2.500 2.500 0 0 0 3.500 3.500L8.500 11M11 8.500 12.500 7A2.500 2.500 0 0 0 9 3.500L7.500 5",
};

export const icon = (kind: NodeKind): Html =>
  html`<svg class="kind ${kind}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d="${ICONS[kind] ?? "M8 3v6m0 3v.500"}"/></svg>`;

/** The address of the same page with some choices changed. */
export const here = (view: IndexView, changes: Record<string, string | null> = {}, more: Pairs = []): string =>
  indexAddress(view.root.index.indexId, [...changed(viewPairs(view), changes), ...more]);

export const nodeAddress = (view: IndexView, nodeId: string): string =>
  here(view, { at: nodeId === view.root.index.rootNodeId ? null : nodeId, tab: null });

/** Returns the path relative to the current folder, because the part above it adds nothing. */
export function pathFrom({ at }: IndexView, path: string): string {
  return path.startsWith(`${at.path}/`) ? path.slice(at.path.length + 1) : path;
}

export function nodeLink(view: IndexView, { nodeId, kind, name, path, state }: FileNode): Html {
  const words = path === undefined ? name : pathFrom(view, path);
  return html`<a class="calm named" href="${nodeAddress(view, nodeId)}">${icon(kind)}<bdi>${words}</bdi></a>${state === undefined ? "" : html` <span class="badge warn">${NOT_READ[state]}</span>`}`;
}

/**
 * Shows a size, with a bar for its share of the largest. For a folder that was not read in full, shows what is known.
 */
export function sizeCell(size: number, top: number, { state, atLeast }: Partial<FileNode> = {}): Html {
  const share = top === 0 ? 0 : (size / top) * 100;
  const words = state === undefined ? `${atLeast ? "at least " : ""}${formatBytes(size)}` : "unknown";
  return html`<td class="number sized">${words}<svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true"><rect class="value" width="${Math.round(share * 10) / 10}" height="3"/></svg></td>`;
}

export const region = (label: string, table: Html, name = ""): Html =>
  html`<div class="table-room ${name}" tabindex="0" role="region" aria-label="${label}">${table}</div>`;

export function pager(
  view: IndexView,
  shown: number,
  next: string | undefined,
  pairs: Pairs = [],
  total?: number,
): Html | "" {
  const { cursor } = view.state;
  if (cursor === undefined && next === undefined) return "";
  const words = total === undefined ? formatNumber(shown) : `${formatNumber(shown)} of ${formatNumber(total)}`;
  return html`<nav class="row pager" aria-label="Pages"><span class="note">${words}</span><span class="end row">${
    cursor === undefined ? "" : html`<a class="button" href="${here(view, {}, pairs)}">First page</a>`
  }${next === undefined ? "" : html`<a class="button" rel="next" href="${here(view, {}, [...pairs, ["cursor", next]])}">Next page</a>`}</span></nav>`;
}

export const current = (is: boolean): Html | "" => (is ? raw(' aria-current="page"') : "");

/** A form with a single button. */
export function button(
  csrf: string,
  action: string,
  fields: Record<string, string>,
  label: Html | string,
  kind = "",
): Html {
  return html`<form method="post" action="${action}">${hidden({ csrf, ...fields })}<button class="button ${kind}">${label}</button></form>`;
}
