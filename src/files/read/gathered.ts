// Totals of a selection in the current index: node counts, bytes counted once, and the number of nodes that no longer
// exist (S-18).
import type { FileNode } from "../../contract/files.ts";
import type { NodeRef } from "../handles.ts";
import { ROOT_ID } from "../write/tree.ts";
import { findNode, type RootNames, shownNode } from "./detail.ts";
import type { IndexReader } from "./index-reader.ts";

export interface GatheredTotals {
  files: number;
  dirs: number;
  /** The number of selected nodes that no longer exist. */
  missing: number;
  size: number;
}

export interface Gathered {
  totals: GatheredTotals;
  /** In the requested order, with null for deleted nodes. */
  nodes: (FileNode | null)[];
}

/** `shown` lists the nodes to return, from the same snapshot as the totals. */
export function gathered(
  reader: IndexReader,
  { refs, shown }: { refs: readonly NodeRef[]; shown: readonly NodeRef[] },
  root: RootNames,
): Gathered {
  return { totals: totalsOf(reader, refs), nodes: nodesAt(reader, shown, root) };
}

export function nodesAt(reader: IndexReader, refs: readonly NodeRef[], root: RootNames): (FileNode | null)[] {
  return refs.map((ref) => {
    const found = findNode(reader, ref);
    return found === undefined ? null : shownNode(reader, found, root);
  });
}

interface GatheredFile {
  parent: number;
  number: number;
  size: number;
}

function totalsOf(reader: IndexReader, refs: readonly NodeRef[]): GatheredTotals {
  const dirs = new Set<number>();
  const files: GatheredFile[] = [];
  let missing = 0;
  // Process one directory after another, so that each is unpacked once.
  for (const ref of [...refs].sort((one, other) => one.dir - other.dir)) {
    const found = findNode(reader, ref);
    if (found === undefined) missing++;
    else if ("root" in found) dirs.add(ROOT_ID);
    else if (found.index < found.entries.dirs) dirs.add(found.entries.dirIds[found.index]!);
    else {
      const { parent, entries, index } = found;
      files.push({ parent, number: entries.numbers[index]!, size: entries.sizes[index]! });
    }
  }
  return { files: files.length, dirs: dirs.size, missing, size: bytesOnce(reader, dirs, files) };
}

/** A file in a selected directory is counted with that directory, and a file with several names is counted once. */
function bytesOnce(reader: IndexReader, dirs: ReadonlySet<number>, files: readonly GatheredFile[]): number {
  const isInside = insideOf(reader, dirs);
  let size = 0;
  for (const dir of dirs) {
    const row = reader.dir(dir);
    if (row !== undefined && (dir === ROOT_ID || !isInside(row.parent))) size += row.size;
  }
  const counted = new Set<string>();
  let several: { parent: number; names: Map<number, [dir: number, number: number]> } | undefined;
  for (const { parent, number, size: bytes } of files) {
    if (isInside(parent)) continue;
    if (several?.parent !== parent) several = { parent, names: reader.severalIn(parent) };
    const [dir, first] = several.names.get(number) ?? [parent, number];
    const key = `${dir}.${first}`;
    if (counted.has(key) || isInside(dir)) continue;
    counted.add(key);
    size += bytes;
  }
  return size;
}

/** Returns a test for directories: true for these and for everything inside them. */
function insideOf(reader: IndexReader, dirs: ReadonlySet<number>): (dir: number) => boolean {
  if (dirs.size === 0) return () => false;
  const known = new Map<number, boolean>();
  return (dir) => {
    const visited: number[] = [];
    let at = dir;
    while (!known.has(at) && !dirs.has(at) && at !== ROOT_ID) {
      visited.push(at);
      at = reader.dir(at)?.parent ?? ROOT_ID;
    }
    const found = dirs.has(at) || known.get(at) === true;
    for (const one of visited) known.set(one, found);
    return found;
  };
}
