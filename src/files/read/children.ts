// Lists one directory by name, size or time, page by page. Each page starts at a key, not at an offset.
import type { FileNode, ListingOrder } from "../../contract/files.ts";
import { firstWhere } from "../../core/binary-search.ts";
import { type NumberedEntries, nameAt } from "../leaf.ts";
import type { DirRow, IndexReader } from "./index-reader.ts";
import { entryNode } from "./node-view.ts";

/** The last entry of the previous page: its key, and its name with one character per byte. */
export type ListingPosition = [key: number, name: string];

export interface ChildrenQuery {
  order: ListingOrder;
  descending: boolean;
  limit: number;
  after?: ListingPosition;
}

export interface ChildrenPage {
  entries: FileNode[];
  total: number;
  next?: ListingPosition;
}

export function childrenPage(reader: IndexReader, dir: number, query: ChildrenQuery): ChildrenPage {
  const entries = reader.entries(dir);
  const { order, limit } = query;
  // Sorting by size needs the totals of all directories here. Other orders need only those of the directories on the
  // page.
  const allRows = order === "size" ? reader.dirs(entries.dirIds) : undefined;
  const keys = keysOf(entries, order, allRows);
  const page = pageOf(entries, keys, query);
  const shown = page.slice(0, limit);
  const ids = shown.filter((index) => index < entries.dirs).map((index) => entries.dirIds[index]!);
  const rows = allRows ?? reader.dirs(ids.sort((a, b) => a - b));
  const last = shown.at(-1);
  return {
    entries: shown.map((index) => entryNode(reader, dir, entries, index, rows)),
    total: entries.count,
    ...(page.length > limit && last !== undefined ? { next: [keys?.[last] ?? 0, latin1(entries, last)] } : {}),
  };
}

function keysOf(
  entries: NumberedEntries,
  order: ListingOrder,
  rows: ReadonlyMap<number, DirRow> | undefined,
): Float64Array | undefined {
  if (order === "name") return undefined;
  if (order === "time") return entries.times;
  const keys = entries.sizes.slice();
  for (let index = 0; index < entries.dirs; index++) keys[index] = rows!.get(entries.dirIds[index]!)?.size ?? 0;
  return keys;
}

/** Returns one entry more than requested, if there are more. */
function pageOf(entries: NumberedEntries, keys: Float64Array | undefined, query: ChildrenQuery): number[] {
  const { descending, limit, after } = query;
  const sign = descending ? -1 : 1;
  const name = after === undefined ? undefined : Buffer.from(after[1], "latin1");
  if (keys === undefined) {
    const isAfter = (index: number): boolean =>
      name === undefined || sign * Buffer.compare(nameAt(entries, index), name) > 0;
    const compare = (one: number, other: number): number =>
      sign * Buffer.compare(nameAt(entries, one), nameAt(entries, other));
    return byNamePage(entries, isAfter, compare, limit + 1, descending);
  }
  // Entries with equal values are ordered by ascending name. Names are compared by rank, because a directory with many
  // equal values compares them often.
  const ranks = nameRanks(entries);
  const from = name === undefined ? 0 : namesUpTo(entries, name);
  const isAfter = (index: number): boolean => {
    if (after === undefined) return true;
    const difference = sign * (keys[index]! - after[0]);
    return difference > 0 || (difference === 0 && ranks[index]! >= from);
  };
  const compare = (one: number, other: number): number =>
    sign * (keys[one]! - keys[other]!) || ranks[one]! - ranks[other]!;
  return firstFew(entries.count, isAfter, compare, limit + 1);
}

/** Returns the rank of each entry among all names in the directory. */
function nameRanks(entries: NumberedEntries): Uint32Array {
  const ranks = new Uint32Array(entries.count);
  let [dir, other] = [0, entries.dirs];
  for (let rank = 0; rank < entries.count; rank++) {
    const isDirNext =
      dir < entries.dirs &&
      (other === entries.count || Buffer.compare(nameAt(entries, dir), nameAt(entries, other)) < 0);
    ranks[isDirNext ? dir++ : other++] = rank;
  }
  return ranks;
}

/** Counts the names that are equal to this one or sort before it. */
function namesUpTo(entries: NumberedEntries, name: Uint8Array): number {
  const isAfter = (index: number): boolean => Buffer.compare(nameAt(entries, index), name) > 0;
  const others = firstWhere(entries.dirs, entries.count, isAfter) - entries.dirs;
  return firstWhere(0, entries.dirs, isAfter) + others;
}

/** Directories and other entries are each sorted by name, so merge them from where the page starts. */
function byNamePage(
  entries: NumberedEntries,
  isAfter: (index: number) => boolean,
  compare: (one: number, other: number) => number,
  wanted: number,
  descending: boolean,
): number[] {
  const runs = [run(0, entries.dirs), run(entries.dirs, entries.count)];
  const step = descending ? -1 : 1;
  const page: number[] = [];
  while (page.length < wanted) {
    const open = runs.filter(({ left }) => left > 0);
    if (open.length === 0) break;
    const next = open.length === 1 || compare(open[0]!.at, open[1]!.at) < 0 ? open[0]! : open[1]!;
    page.push(next.at);
    next.at += step;
    next.left--;
  }
  return page;

  function run(from: number, to: number): { at: number; left: number } {
    const indexAt = (position: number): number => (descending ? to - 1 - position : from + position);
    const first = firstWhere(0, to - from, (position) => isAfter(indexAt(position)));
    return { at: indexAt(first), left: to - from - first };
  }
}

/**
 * Returns the first few entries in the given order without sorting the rest, using a heap with the last of them on top.
 */
function firstFew(
  count: number,
  isWanted: (index: number) => boolean,
  compare: (one: number, other: number) => number,
  wanted: number,
): number[] {
  const heap: number[] = [];
  for (let index = 0; index < count; index++) {
    if (!isWanted(index)) continue;
    if (heap.length < wanted) {
      let at = heap.length;
      heap.push(index);
      for (let parent = (at - 1) >>> 1; at > 0 && compare(index, heap[parent]!) > 0; parent = (at - 1) >>> 1) {
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = index;
    } else if (compare(index, heap[0]!) < 0) sinkTop(heap, index, compare);
  }
  return heap.sort(compare);
}

function sinkTop(heap: number[], index: number, compare: (one: number, other: number) => number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = at * 2 + 1) {
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++;
    if (compare(heap[child]!, index) <= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = index;
}

const latin1 = (entries: NumberedEntries, index: number): string =>
  Buffer.from(nameAt(entries, index)).toString("latin1");
