// Finds identical files by the digests computed so far. Digests that no longer match the index are ignored.
import type { DuplicateFiles, Duplicates } from "../../contract/files.ts";
import { DUPLICATE_BYTES_MIN, filesOfSameSize } from "../digest/candidates.ts";
import type { CompleteDigest, DigestRow, DigestStore } from "../digest/digest-store.ts";
import { ROOT_ID } from "../write/tree.ts";
import { linkKey } from "./columns.ts";
import { findNode, type RootNames, shownNode } from "./detail.ts";
import type { IndexReader } from "./index-reader.ts";

const FILES_SHOWN = 20;

export interface DuplicatesQuery {
  limit: number;
  /** How many groups earlier pages have listed. */
  skip: number;
  /** How many files to list per group. The others are only counted. */
  files?: number;
  /** Limits the result to copies below this directory and to files of at least this size. */
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

/** Returns all files that have a copy, by linkKey. */
export function duplicateKeys(reader: IndexReader, store: DigestStore | undefined): Set<number> {
  return new Set(
    currentGroups(reader, store).flatMap(({ members }) => members.map((row) => linkKey(row.dir, row.number))),
  );
}

/** Counts the files that may have a copy, and those that have not been compared in their current state (S-17). */
export function digestsMissing(reader: IndexReader, store: DigestStore | undefined): DigestsMissing {
  const candidates = filesOfSameSize(reader.columns(), DUPLICATE_BYTES_MIN);
  const rows = new Map(store?.all().map((row) => [linkKey(row.dir, row.number), row]));
  const current = candidates.flatMap((one) => {
    const row = rows.get(linkKey(one.dir, one.number));
    return row !== undefined && row.size === one.size && row.time === one.time ? row : [];
  });
  const endsOf = ({ size, partial }: DigestRow): string => `${size} ${Buffer.from(partial).toString("base64")}`;
  const sameEnds = Map.groupBy(current, endsOf);
  // Files with equal ends must be compared in full.
  const half = current.filter((row) => row.whole === null && sameEnds.get(endsOf(row))!.length > 1);
  return { candidates: candidates.length, missing: candidates.length - current.length + half.length };
}

export interface DigestsMissing {
  candidates: number;
  missing: number;
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
  // The rows are ordered by directory, so each directory is unpacked once.
  const current = store.whole().filter((row) => row.size >= minSize && isBelow(row.dir) && isCurrent(reader, row));
  const contentOf = ({ whole, size }: CompleteDigest): string => `${size} ${Buffer.from(whole).toString("latin1")}`;
  const groups = [...Map.groupBy(current, contentOf).values()].filter(({ length }) => length > 1);
  return groups
    .map((members) => ({ whole: members[0]!.whole, size: members[0]!.size, members }))
    .sort(
      (one, other) =>
        other.size * (other.members.length - 1) - one.size * (one.members.length - 1) ||
        Buffer.compare(one.whole, other.whole),
    );
}

/** Returns a test for directories: true for `under` and for everything below it. */
function below(reader: IndexReader, under: number | undefined): (dir: number) => boolean {
  if (under === undefined || under === ROOT_ID) return () => true;
  const known = new Map<number, boolean>([[under, true]]);
  const isBelow = (dir: number): boolean => {
    const visited: number[] = [];
    let at = dir;
    // Parents have smaller ids than their children, so the search can stop once an id is not larger than `under`.
    for (; at > under && !known.has(at); at = reader.dir(at)?.parent ?? ROOT_ID) visited.push(at);
    const found = known.get(at) === true;
    for (const one of visited) known.set(one, found);
    return found;
  };
  return isBelow;
}

export function isCurrent(reader: IndexReader, { dir, number, size, time }: DigestRow): boolean {
  const entries = reader.entries(dir);
  const index = reader.indexOfNumber(entries, number);
  return index !== -1 && entries.sizes[index] === size && entries.times[index] === time;
}
