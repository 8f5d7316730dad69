// Converts rows and leaves to the nodes of the contract.
import type { DirState, FileNode, NodeKind } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import { nodeHandle } from "../handles.ts";
import { type NumberedEntries, nameAt, TYPE } from "../leaf.ts";
import { isPlain, printable } from "../printable.ts";
import { STATE } from "../scan/messages.ts";
import type { DirRow, IndexReader } from "./index-reader.ts";

const KINDS: ReadonlyMap<number, NodeKind> = new Map([
  [TYPE.directory, "dir"],
  [TYPE.file, "file"],
  [TYPE.link, "link"],
  [TYPE.fifo, "fifo"],
  [TYPE.socket, "socket"],
  [TYPE.blockDevice, "block_device"],
  [TYPE.characterDevice, "character_device"],
]);

export const kindOf = (mode: number): NodeKind => KINDS.get(mode & TYPE.mask) ?? "other";

const STATES: Record<number, DirState> = {
  [STATE.read]: "read",
  [STATE.unreadable]: "unreadable",
  [STATE.tooDeep]: "too_deep",
  [STATE.mount]: "mount",
  [STATE.home]: "home",
};

/** Times outside this range come from broken clocks. */
const TIME_MAX = Date.UTC(9999, 11, 31);
export const timeText = (milliseconds: number): string => formatInstant(Math.max(0, Math.min(TIME_MAX, milliseconds)));

/** `rows` contains the rows of the directories among the entries. */
export function entryNode(
  reader: IndexReader,
  parent: number,
  entries: NumberedEntries,
  index: number,
  rows: ReadonlyMap<number, DirRow>,
): FileNode {
  const bytes = nameAt(entries, index);
  const name = printable(bytes);
  const isDir = index < entries.dirs;
  const row = isDir ? rows.get(entries.dirIds[index]!) : undefined;
  const number = entries.numbers[index]!;
  const node: FileNode = {
    // A directory gets a row when it is first read. Until then it is only an entry in its parent.
    nodeId: nodeHandle(reader.no, row === undefined ? { dir: parent, number } : { dir: row.id }),
    parentId: nodeHandle(reader.no, { dir: parent }),
    name,
    ...(isPlain(bytes, name) ? {} : { nameBytes: Buffer.from(bytes).toString("base64") }),
    kind: kindOf(entries.modes[index]!),
    size: entries.sizes[index]!,
    allocated: entries.blocks[index]! * 512,
    modifiedAt: timeText(entries.times[index]!),
  };
  if (isDir) Object.assign(node, dirFacts(reader, row));
  else if (node.kind === "link") {
    const target = reader.target(parent, number);
    if (target !== undefined) node.targetId = nodeHandle(reader.no, { dir: target });
  }
  return node;
}

function dirFacts(reader: IndexReader, row: DirRow | undefined): Partial<FileNode> {
  if (row === undefined) {
    const counts = { entries: 0, files: 0, dirs: 0 };
    return { size: 0, allocated: 0, counts, state: "unread", atLeast: true };
  }
  const state = STATES[row.state]!;
  return {
    size: row.size,
    allocated: row.allocated,
    counts: { entries: row.own_files + row.own_dirs, files: row.files, dirs: row.dirs },
    ...(row.newest === 0 ? {} : { newestAt: timeText(row.newest) }),
    ...(state === "read" ? {} : { state }),
    ...(state === "read" && !reader.unread().isPartial(row.id) ? {} : { atLeast: true }),
  };
}

/** The root is not an entry of any directory. */
export function rootNode(reader: IndexReader, row: DirRow | undefined, name: string): FileNode {
  return {
    nodeId: nodeHandle(reader.no, { dir: 1 }),
    name,
    kind: "dir",
    size: 0,
    allocated: 0,
    modifiedAt: timeText(reader.root.modified),
    ...dirFacts(reader, row),
  };
}
