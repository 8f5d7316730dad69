// The map of a folder, drawn by the server as rectangles in proportion to size. Each rectangle is a link. There are two
// drawings, for wide and for narrow screens.
import { html } from "hono/html";
import { formatBytes } from "../../../../core/format-bytes.ts";
import { countOf } from "../../format.ts";
import type { Html } from "../../layout.ts";
import { type Box, fitted, squarified } from "../../treemap.ts";
import type { BrowsedFolder, MapNode, MapRest } from "./index-data.ts";

type NodeAddress = (nodeId: string) => string;

interface MapSize {
  name: "wide" | "narrow";
  width: number;
  height: number;
}

const DRAWINGS: readonly MapSize[] = [
  { name: "wide", width: 580, height: 520 },
  { name: "narrow", width: 340, height: 440 },
];

const HUES = 8;
/** Font sizes in drawing units, which are roughly pixels. */
const LETTERS = { tile: 11, size: 10 };
/**
 * By level: the gap between tiles, the folder header height, its font size, and the minimum size at which a folder is
 * opened.
 */
const LEVELS = [
  { gap: 2, head: 18, letters: 11.5, width: 46, height: 44 },
  { gap: 1.5, head: 15, letters: 10.5, width: 64, height: 52 },
  { gap: 1, head: 0, letters: 0, width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY },
] as const;
/** Smaller rectangles inside a folder are not drawn. */
const LEAST = 3;

/** `whyEmpty` is shown instead of a map that has nothing to draw. */
export function folderMap(
  label: string,
  { nodes, rest }: BrowsedFolder["map"],
  to: NodeAddress,
  whyEmpty?: string,
): Html {
  if (nodes.length === 0)
    return html`<p class="empty">${whyEmpty ?? "Nothing here takes up space, so there is nothing to draw."}</p>`;
  return html`<figure class="map">${DRAWINGS.map(
    ({ name, width, height }) =>
      html`<svg class="map-${name}" viewBox="0 0 ${width} ${height}" role="group" aria-label="${label}">${tiles(nodes, rest, { x: 0, y: 0, width, height }, to)}</svg>`,
  )}<figcaption class="note">The larger the box, the more space the file or folder takes up. Folders have a frame; click a folder to open it.</figcaption></figure>`;
}

/** Each first-level folder has its own colour, which everything inside it shares. */
function tiles(
  nodes: readonly MapNode[],
  rest: MapRest | undefined,
  box: Box,
  to: NodeAddress,
  level = 0,
): (Html | "")[] {
  const sizes = [...nodes.map(({ size }) => size), ...(rest === undefined ? [] : [rest.size])];
  const order = sizes.map((_, at) => at).sort((one, other) => sizes[other]! - sizes[one]!);
  const boxes = squarified(
    order.map((at) => sizes[at]!),
    box,
  );
  let hue = 0;
  return order.map((at, place) => {
    const own = inset(boxes[place]!, LEVELS[level]!.gap / 2);
    const node = nodes[at];
    if (level > 0 && Math.min(own.width, own.height) < LEAST) return "";
    if (node === undefined) return restTile(rest!, own);
    const drawn = opensIn(node, own, level) ? frame(node, own, to, level) : tile(node, own, to, level);
    return level > 0 ? drawn : html`<g class="${node.kind === "dir" ? `hue-${hue++ % HUES}` : "plain"}">${drawn}</g>`;
  });
}

function opensIn({ inside = [] }: MapNode, { width, height }: Box, level: number): boolean {
  const least = LEVELS[level]!;
  return inside.length > 0 && width >= least.width && height >= least.height;
}

function frame(node: MapNode, box: Box, to: NodeAddress, level: number): Html {
  const { gap, head: headHeight, letters } = LEVELS[level]!;
  const { inside = [], rest } = node;
  const room = {
    x: box.x + gap,
    y: box.y + headHeight,
    width: box.width - 2 * gap,
    height: box.height - headHeight - gap,
  };
  const head = headOf(node, box.width - 12, letters);
  return html`<a href="${to(node.nodeId)}"${reach(level)}><title>${tooltip(node)}</title>${rect(`frame-${level}`, box)}${
    head === undefined
      ? ""
      : html`<text class="head-${level}" x="${fixed(box.x + 5)}" y="${fixed(box.y + headHeight - 5)}">${head.name}${head.size === undefined ? "" : html`<tspan class="soft" dx="5">${head.size}</tspan>`}</text>`
  }</a>${tiles(inside, rest, room, to, level + 1)}`;
}

/**
 * Tiles inside a folder can be reached only with the mouse. With the keyboard, the list or the next level leads to
 * them.
 */
const reach = (level: number): Html | "" => (level === 0 ? "" : html` tabindex="-1"`);

function tile(node: MapNode, box: Box, to: NodeAddress, level: number): Html | "" {
  if (box.width < 1 || box.height < 1) return "";
  const kind = node.kind === "dir" ? "dir" : "file";
  return html`<a href="${to(node.nodeId)}"${reach(level)}><title>${tooltip(node)}</title>${rect(kind, box)}${labels(node, box)}</a>`;
}

function restTile(rest: MapRest, box: Box): Html | "" {
  if (box.width < 1 || box.height < 1) return "";
  const words = `${countOf(rest.entries, "smaller one")}, ${formatBytes(rest.size)}`;
  return html`<g><title>${words}</title>${rect("rest", box)}${labels({ name: `${rest.entries} more`, size: rest.size }, box)}</g>`;
}

function labels({ name, size }: Pick<MapNode, "name" | "size">, { x, y, width, height }: Box): Html | "" {
  const words = height < 17 ? undefined : fitted(name, width - 8, LETTERS.tile);
  if (words === undefined) return "";
  const bytes = height < 30 ? undefined : whole(formatBytes(size), width - 8, LETTERS.size);
  return html`<text x="${fixed(x + 5)}" y="${fixed(y + 13)}">${words}</text>${bytes === undefined ? "" : html`<text class="soft" x="${fixed(x + 5)}" y="${fixed(y + 26)}">${bytes}</text>`}`;
}

/** The name takes precedence over the size if only one fits. */
function headOf({ name, size }: MapNode, width: number, letters: number): { name: string; size?: string } | undefined {
  const bytes = formatBytes(size);
  const beside = width - bytes.length * LETTERS.size * 0.62 - 6;
  if (fitted(name, beside, letters) === name) return { name, size: bytes };
  const alone = fitted(name, width, letters);
  return alone === undefined ? undefined : { name: alone };
}

const whole = (text: string, width: number, size: number): string | undefined =>
  fitted(text, width, size) === text ? text : undefined;

function tooltip({ name, kind, size, files }: MapNode): string {
  const inside = kind === "dir" && files !== undefined ? `, ${countOf(files, "file")}` : "";
  return `${name}: ${formatBytes(size)}${inside}`;
}

const rect = (name: string, { x, y, width, height }: Box): Html =>
  html`<rect class="${name}" x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}" rx="${Math.min(width, height) > 12 ? 3 : 1}"/>`;

const inset = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  width: Math.max(0, width - 2 * by),
  height: Math.max(0, height - 2 * by),
});

const fixed = (value: number): string => String(Math.round(value * 10) / 10);
