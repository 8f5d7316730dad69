// The quick check of a rescan finds the known directories that have changed. Only those are read again.
import { isAscii } from "node:buffer";
import { lstatSync, type Stats } from "node:fs";
import type { ByteText } from "../scan/messages.ts";
import { diskName } from "../scan/place.ts";
import { ROOT_ID, type Tree } from "./tree.ts";

/** The dev and ino of the directory that is now at this path. ino is -1 if the path was too long to check. */
export interface ChangedDir {
  id: number;
  dev: number;
  ino: number;
}

const LSTAT = { throwIfNoEntry: false } as const;
/** How many checks run between two pauses for messages. */
const SLICE = 4096;

/**
 * Checks full paths. A symbolic link in the path could lead a check elsewhere. The check then sees a different
 * directory and reports a change, and a changed directory is entered one name at a time, with each step verified. A
 * deleted directory need not be reported, because its parent has changed.
 */
export async function changedDirs(
  tree: Tree,
  root: ByteText,
  onSlice: (checked: number) => Promise<void>,
): Promise<ChangedDir[]> {
  const { first, next } = childLists(tree);
  const { nameEnd } = tree;
  // One long string, because decoding each name on its own takes a tenth of the whole check.
  const allNames = tree.names.subarray(0, nameEnd[tree.next - 1]);
  const names = allNames.toString("latin1");
  const look = isAscii(allNames) && isAscii(Buffer.from(root, "latin1")) ? lookAt : lookAtBytes;
  const changed: ChangedDir[] = [];
  const stack = [{ id: ROOT_ID, prefix: root === "/" ? root : `${root}/` }];
  let looked = 0;
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (let id = first[at.id]!; id !== 0; id = next[id]!) {
      const path = at.prefix + names.slice(nameEnd[id - 1], nameEnd[id]);
      if (first[id] !== 0) stack.push({ id, prefix: `${path}/` });
      const facts = look(path);
      if (facts === "too long") changed.push({ id, dev: 0, ino: -1 });
      else if (facts?.isDirectory() && !isSame(tree, id, facts)) changed.push({ id, dev: facts.dev, ino: facts.ino });
      if (++looked % SLICE === 0) await onSlice(SLICE);
    }
  }
  await onSlice(looked % SLICE);
  return changed;
}

export function isSame({ ino, mtime, ctime }: Tree, id: number, facts: Stats): boolean {
  return facts.ino === ino[id] && facts.mtimeMs === mtime[id] && facts.ctimeMs === ctime[id];
}

function lookAtBytes(path: ByteText): Stats | "too long" | undefined {
  return lookAt(diskName(path));
}

function lookAt(path: string | Buffer): Stats | "too long" | undefined {
  try {
    return lstatSync(path, LSTAT);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENAMETOOLONG" ? "too long" : undefined;
  }
}

/** Linked lists of children in two columns: the first child of each parent, and the next sibling of each child. */
function childLists(tree: Tree): { first: Uint32Array; next: Uint32Array } {
  const first = new Uint32Array(tree.next);
  const next = new Uint32Array(tree.next);
  for (let id = tree.next - 1; id > ROOT_ID; id--) {
    if (tree.state[id] === 0) continue;
    const parent = tree.parent[id]!;
    next[id] = first[parent]!;
    first[parent] = id;
  }
  return { first, next };
}
