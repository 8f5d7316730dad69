// Files that are the same, from the digests that were made: only what the index still says of them counts.
import type { DuplicateFiles, Duplicates } from "../../contract/files.ts";
import type { DigestRow, DigestStore } from "../digest/digest-store.ts";
import { ROOT_ID } from "../write/tree.ts";
import { linkKey } from "./columns.ts";
import { findNode, type RootNames, shownNode } from "./detail.ts";
import type { IndexReader } from "./index-reader.ts";

const FILES_SHOWN = 20;

export interface DuplicatesQuery {
  limit: number;
  /** Groups that pages before have shown. */
  skip: number;
  /** Files of each group; of the others only how many they are. */
  files?: number;
  /** Only copies below this directory, of files that are at least so large. */
  under?: number;
  minSize?: number;
}

export function duplicatesPage(
  reader: IndexReader,
  store: DigestStore | undefined,
  { limit, skip, files: most = FILES_SHOWN, under, minSize }: DuplicatesQuery,
  root: RootNames,
): Omit<Duplicates, "indexId" | "nextCursor"> & { more: boolean } {
  const groups = currentGroups(reader, store, { under, minSize });
  const shown = groups.slice(skip, skip + limit).map(({ whole, size, members }): DuplicateFiles => {
    const files = members.slice(0, most).map((row) => shownNode(reader, findNode(reader, row)!, root));
    return {
      sha256: Buffer.from(whole).toString("hex"),
      size,
      wasted: size * (members.length - 1),
      files,
      more: members.length - files.length,
    };
  });
  const wasted = groups.reduce((sum, { size, members }) => sum + size * (members.length - 1), 0);
  return { groups: shown, total: { groups: groups.length, wasted }, more: groups.length > skip + limit };
}

/** All files that have a copy, by linkKey. */
export function duplicateKeys(reader: IndexReader, store: DigestStore | undefined): Set<number> {
  return new Set(
    currentGroups(reader, store).flatMap(({ members }) => members.map((row) => linkKey(row.dir, row.number))),
  );
}

interface SameContent {
  whole: Uint8Array;
  size: number;
  members: DigestRow[];
}

function currentGroups(
  reader: IndexReader,
  store: DigestStore | undefined,
  { under, minSize = 0 }: Pick<DuplicatesQuery, "under" | "minSize"> = {},
): SameContent[] {
  if (store === undefined) return [];
  const isBelow = below(reader, under);
  return store
    .groups()
    .filter(({ size }) => size >= minSize)
    .map(({ whole, size }) => ({
      whole,
      size,
      members: store.members(whole, size).filter((row) => isBelow(row.dir) && isCurrent(reader, row)),
    }))
    .filter(({ members }) => members.length > 1)
    .sort((one, other) => other.size * (other.members.length - 1) - one.size * (one.members.length - 1));
}

/** Whether a directory is this one or below it. */
function below(reader: IndexReader, under: number | undefined): (dir: number) => boolean {
  if (under === undefined || under === ROOT_ID) return () => true;
  const known = new Map<number, boolean>([[under, true]]);
  const isBelow = (dir: number): boolean => {
    const way: number[] = [];
    let at = dir;
    // A parent's id is smaller.
    for (; at > under && !known.has(at); at = reader.dir(at)?.parent ?? ROOT_ID) way.push(at);
    const found = known.get(at) === true;
    for (const one of way) known.set(one, found);
    return found;
  };
  return isBelow;
}

export function isCurrent(reader: IndexReader, { dir, number, size, time }: DigestRow): boolean {
  const entries = reader.entries(dir);
  const index = reader.indexOfNumber(entries, number);
  return index !== -1 && entries.sizes[index] === size && entries.times[index] === time;
}
