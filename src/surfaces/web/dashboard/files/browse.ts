// Reads a folder for its map and list: its largest entries, and the largest entries inside the folders among them.

import type { FileListing, FileNode, FileNodeDetail } from "../../../../contract/files.ts";
import type { OwnerFileLens } from "../../../../contract/owner-file-lens.ts";
import type { BrowsedFolder, MapNode, MapRest } from "./index-data.ts";
import type { IndexState } from "./state.ts";

/** The number of rectangles in a folder. More would be too small to read. */
const DRAWN = { outside: 40, inside: 28 };
/** The number of levels drawn, and the minimum share at which a folder is drawn with its content. */
const LEVELS = 3;
const SHARE_OPENED = 0.012;
/** The number of folders that are read for one map. */
const OPENED = 48;
const ROWS = 50;

export async function browsed(
  ownerLens: OwnerFileLens,
  indexId: string,
  at: FileNodeDetail,
  { sort, cursor }: Pick<IndexState, "sort" | "cursor">,
): Promise<BrowsedFolder> {
  const [largest, page] = await Promise.all([
    ownerLens.children(indexId, at.nodeId, { order: "size", limit: DRAWN.outside }),
    ownerLens.children(indexId, at.nodeId, { order: sort, limit: ROWS, ...(cursor === undefined ? {} : { cursor }) }),
  ]);
  const drawing: TreeDrawing = { ownerLens, indexId, least: at.size * SHARE_OPENED, left: OPENED };
  const { nodes, rest } = await mapOf(largest, at.size, drawing, 1);
  return {
    map: { nodes, ...(rest === undefined ? {} : { rest }) },
    entries: page.entries,
    total: page.total,
    ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
  };
}

interface TreeDrawing {
  ownerLens: OwnerFileLens;
  indexId: string;
  /** The minimum size in bytes of a folder that is read. */
  least: number;
  /** The number of folders that may still be read. */
  left: number;
}

async function mapOf(
  listing: FileListing,
  size: number,
  drawing: TreeDrawing,
  level: number,
): Promise<{ nodes: MapNode[]; rest?: MapRest }> {
  const drawn = listing.entries.filter((one) => one.size > 0);
  const nodes: MapNode[] = [];
  for (const { nodeId, name, kind, size: own, counts } of drawn) {
    const node: MapNode = { nodeId, name, kind, size: own, ...(counts === undefined ? {} : { files: counts.files }) };
    nodes.push(node);
    if (kind !== "dir" || level === LEVELS || own < drawing.least || drawing.left === 0) continue;
    drawing.left--;
    const inside = await drawing.ownerLens.children(drawing.indexId, nodeId, { order: "size", limit: DRAWN.inside });
    const { nodes: inner, rest } = await mapOf(inside, own, drawing, level + 1);
    Object.assign(node, { inside: inner, ...(rest === undefined ? {} : { rest }) });
  }
  const rest = restOf(listing, drawn, size);
  return { nodes, ...(rest === undefined ? {} : { rest }) };
}

/**
 * A file with several names counts once in the folder's size but is listed under each name, so the remaining size can
 * be negative. In that case the remainder is not drawn.
 */
function restOf({ total }: FileListing, drawn: readonly FileNode[], size: number): MapRest | undefined {
  const left = size - drawn.reduce((sum, one) => sum + one.size, 0);
  return total > drawn.length && left > 0 ? { entries: total - drawn.length, size: left } : undefined;
}
