// Finds a node by handle or by path, and returns everything that the index has about it.
import type { FileNode, FileNodeDetail } from "../../contract/files.ts";
import { type NodeRef, nodeHandle } from "../handles.ts";
import type { NumberedEntries } from "../leaf.ts";
import { typeOfName } from "../mime.ts";
import { printable, unprintable } from "../printable.ts";
import { ROOT_ID } from "../write/tree.ts";
import type { DirRow, IndexReader } from "./index-reader.ts";
import { entryNode, rootNode } from "./node-view.ts";

/** The location of a node: entry `index` of `parent`, or the root. */
export type NodeLocation = { root: true } | { parent: number; entries: NumberedEntries; index: number };

export function findNode(reader: IndexReader, { dir, number }: NodeRef): NodeLocation | undefined {
  if (dir === ROOT_ID && number === undefined) return { root: true };
  if (number === undefined) return findDir(reader, dir);
  const entries = reader.entries(dir);
  const index = reader.indexOfNumber(entries, number);
  return index === -1 ? undefined : { parent: dir, entries, index };
}

function findDir(reader: IndexReader, id: number): NodeLocation | undefined {
  const parent = reader.dir(id)?.parent;
  if (parent === undefined) return undefined;
  const entries = reader.entries(parent);
  const index = reader.indexOfDir(entries, id);
  return index === -1 ? undefined : { parent, entries, index };
}

/**
 * Descends from the root, name by name. Names may be printed or raw, and also match if only the Unicode form of their
 * accents differs.
 */
export function findPath(reader: IndexReader, names: readonly string[]): NodeRef | undefined {
  let at: NodeRef = { dir: ROOT_ID };
  for (const name of names) {
    if (at.number !== undefined) return undefined;
    const entries = reader.entries(at.dir);
    const index = indexOfText(reader, entries, name);
    if (index === -1) return undefined;
    at = refOf(reader, at.dir, entries, index);
  }
  return at;
}

/** Refers to directories by id, and to followed links by the id of their target. */
function refOf(reader: IndexReader, parent: number, entries: NumberedEntries, index: number): NodeRef {
  if (index < entries.dirs) return { dir: entries.dirIds[index]! };
  const number = entries.numbers[index]!;
  const target = reader.target(parent, number);
  return target === undefined ? { dir: parent, number } : { dir: target };
}

function indexOfText(reader: IndexReader, entries: NumberedEntries, name: string): number {
  // Try the printed form first. A caller that copied a name from a listing means that entry, even if another entry has
  // that text as its raw name.
  if (name.includes("\\")) {
    const escaped = reader.indexOfName(entries, unprintable(name));
    if (escaped !== -1) return escaped;
  }
  const exact = reader.indexOfName(entries, Buffer.from(name));
  if (exact !== -1) return exact;
  for (const form of ["NFC", "NFD"] as const) {
    const other = reader.indexOfName(entries, Buffer.from(name.normalize(form)));
    if (other !== -1) return other;
  }
  return -1;
}

/** The printed path and name of the root. */
export interface RootNames {
  path: string;
  name: string;
}

export function nodeOf(reader: IndexReader, found: NodeLocation, root: RootNames): FileNode {
  if ("root" in found) return rootNode(reader, reader.dir(ROOT_ID), root.name);
  const { parent, entries, index } = found;
  return entryNode(reader, parent, entries, index, rowsFor(reader, entries, index));
}

/** Returns a node with its path, as in whole-tree lists. */
export function shownNode(reader: IndexReader, found: NodeLocation, root: RootNames): FileNode {
  const node = nodeOf(reader, found, root);
  if ("root" in found) return { ...node, path: root.path };
  const above = reader.pathText(found.parent);
  return { ...node, path: pathText(root.path, above === "" ? [node.name] : [above, node.name]) };
}

function rowsFor(reader: IndexReader, entries: NumberedEntries, index: number): Map<number, DirRow> {
  return reader.dirs(index < entries.dirs ? [entries.dirIds[index]!] : []);
}

export function detailOf(reader: IndexReader, found: NodeLocation, root: RootNames): FileNodeDetail {
  const node = nodeOf(reader, found, root);
  const isRoot = "root" in found;
  const ancestors = isRoot ? [] : reader.ancestors(found.parent).slice(1);
  const names = ancestors.map(({ name }) => printable(name));
  const breadcrumb = [
    { nodeId: nodeHandle(reader.no, { dir: ROOT_ID }), name: root.name },
    ...ancestors.map(({ id }, index) => ({ nodeId: nodeHandle(reader.no, { dir: id }), name: names[index]! })),
    ...(isRoot ? [] : [{ nodeId: node.nodeId, name: node.name }]),
  ];
  const mode = isRoot ? reader.root.mode : found.entries.modes[found.index]!;
  const isDir = node.kind === "dir";
  const problems = isDir ? reader.problems(isRoot ? ROOT_ID : found.entries.dirIds[found.index]!) : [];
  const severalNames = isRoot || isDir ? 0 : reader.nameCount(found.parent, found.entries.numbers[found.index]!);
  return {
    ...node,
    indexId: `ix${reader.no}`,
    path: pathText(root.path, isRoot ? [] : [...names, node.name]),
    breadcrumb,
    depth: breadcrumb.length - 1,
    permissions: permissionsOf(mode),
    mode: mode & 0o7777,
    uid: isRoot ? reader.root.uid : found.entries.uids[found.index]!,
    gid: isRoot ? reader.root.gid : found.entries.gids[found.index]!,
    ...(node.kind === "file" ? { mimeType: typeOfName(node.name) } : {}),
    ...(problems.length === 0 ? {} : { problems }),
    ...(severalNames === 0 ? {} : { names: severalNames }),
  };
}

export const pathText = (root: string, names: readonly string[]): string =>
  names.length === 0 ? root : `${root === "/" ? "" : root}/${names.join("/")}`;

export function permissionsOf(mode: number): string {
  const letters = "rwxrwxrwx";
  const bits = [...letters].map((letter, index) => ((mode >> (8 - index)) & 1 ? letter : "-"));
  for (const [at, bit, plain, special] of [
    [2, 0o4000, "S", "s"],
    [5, 0o2000, "S", "s"],
    [8, 0o1000, "T", "t"],
  ] as const) {
    if ((mode & bit) !== 0) bits[at] = bits[at] === "x" ? special : plain;
  }
  return bits.join("");
}
