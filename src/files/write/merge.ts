// Merges a directory with its previous version. Entries that keep their name keep their number, and directories keep
// their id.
import { leafCount, leafDirs, nameAt } from "../leaf.ts";
import { decodeLeaves, numberingOf, sameLeaf } from "../leaf-decode.ts";
import { withNumbering } from "../leaf-encode.ts";

export interface Merge {
  before: Buffer[];
  after: Buffer[];
  /** How many numbers have been assigned so far. */
  numbered: number;
  /** Assigns consecutive ids to new directories and returns the first. */
  adopt: (names: Buffer[]) => number;
}

export interface MergedDirectory {
  /** Undefined if the leaves are unchanged. */
  leaves: Buffer[] | undefined;
  numbers: Uint32Array;
  dirIds: Uint32Array;
  numbered: number;
  /** Directories that no longer exist. */
  gone: number[];
  /** Files whose size or time has changed. */
  changed: PastFile[];
}

/** The earlier state of a file. Size and time are null if it did not exist. */
export interface PastFile {
  number: number;
  size: number | null;
  time: number | null;
}

export function mergeLeaves({ before, after, numbered, adopt }: Merge): MergedDirectory {
  if (before.length === after.length && before.every((leaf, index) => sameLeaf(leaf, after[index]!)))
    return { ...numberingOf(before), leaves: undefined, numbered, gone: [], changed: [] };
  const old = decodeLeaves(before);
  const places = new Map<string, number>();
  for (let index = 0; index < old.count; index++) places.set(latin1(nameAt(old, index)), index);
  const now = decodeLeaves(after);
  const numbers = new Uint32Array(now.count);
  const dirIds = new Uint32Array(now.dirs);
  const newDirs: { index: number; name: Buffer }[] = [];
  const kept = new Set<number>();
  const changed: PastFile[] = [];
  let next = numbered;
  for (let index = 0; index < now.count; index++) {
    const name = nameAt(now, index);
    const place = places.get(latin1(name));
    numbers[index] = place === undefined ? next++ : old.numbers[place]!;
    if (index >= now.dirs) {
      const isSame =
        place !== undefined && old.sizes[place] === now.sizes[index] && old.times[place] === now.times[index];
      const [size, time] = place === undefined ? [null, null] : [old.sizes[place]!, old.times[place]!];
      if (!isSame) changed.push({ number: numbers[index]!, size, time });
      continue;
    }
    if (place !== undefined && place < old.dirs) {
      dirIds[index] = old.dirIds[place]!;
      kept.add(dirIds[index]!);
    } else newDirs.push({ index, name: Buffer.from(name) });
  }
  const first = adopt(newDirs.map(({ name }) => name));
  for (const [offset, { index }] of newDirs.entries()) dirIds[index] = first + offset;
  return {
    leaves: numberedLeaves(after, numbers, dirIds),
    numbers,
    dirIds,
    numbered: next,
    gone: [...old.dirIds].filter((id) => !kept.has(id)),
    changed,
  };
}

function numberedLeaves(leaves: readonly Buffer[], numbers: Uint32Array, dirIds: Uint32Array): Buffer[] {
  let [entry, dir] = [0, 0];
  return leaves.map((leaf) => {
    const [entries, dirs] = [leafCount(leaf), leafDirs(leaf)];
    const numbering = { numbers: numbers.subarray(entry, entry + entries), dirIds: dirIds.subarray(dir, dir + dirs) };
    entry += entries;
    dir += dirs;
    return withNumbering(leaf, numbering);
  });
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
