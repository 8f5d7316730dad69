// Finds the largest files or directories below a directory. It searches the most promising branch first, so millions of
// nodes cost no more than thousands.
import { firstWhere } from "../../core/binary-search.ts";
import type { NodeRef } from "../handles.ts";
import { TYPE } from "../leaf.ts";
import { ROOT_ID } from "../write/tree.ts";
import type { IndexReader } from "./index-reader.ts";

export interface LargestQuery {
  under: number;
  kind: "file" | "dir";
  limit: number;
  /** How many nodes earlier pages have listed. */
  skip: number;
}

export interface LargestResult {
  refs: NodeRef[];
  more: boolean;
}

/** A result or, if its number is BRANCH, a directory that may contain a node of this size. */
interface SizedNode {
  size: number;
  dir: number;
  number: number;
}

const ITSELF = -1;
const BRANCH = -2;

export function largest(reader: IndexReader, query: LargestQuery): LargestResult {
  return (query.kind === "file" ? listed(reader, query) : undefined) ?? searched(reader, query);
}

/** Uses the list of large files, if it has enough of them below this directory. */
function listed(reader: IndexReader, { under, limit, skip }: LargestQuery): LargestResult | undefined {
  const needed = skip + limit + 1;
  // Searching a small branch is fast, and few of its files are in the list of large files.
  if ((reader.dir(under)?.files ?? 0) < SEARCHED_FILES) return undefined;
  const isInside = under === ROOT_ID ? () => true : insideTest(reader.parents(), under);
  const found: NodeRef[] = [];
  let looked = 0;
  for (const [dir, number] of reader.largeFiles()) {
    if (++looked > LISTED_LOOKS && found.length * 20 < looked) return undefined;
    if (!isInside(dir)) continue;
    found.push({ dir, number });
    if (found.length === needed) return { refs: found.slice(skip, skip + limit), more: true };
  }
  return undefined;
}

const SEARCHED_FILES = 3000;
/** If this many lookups find too few files in this branch, the large files are elsewhere. */
const LISTED_LOOKS = 1000;

/**
 * Returns a test for directories below another one. It stops climbing as early as ids allow, because parents have
 * smaller ids.
 */
function insideTest(parents: Uint32Array, under: number): (dir: number) => boolean {
  return (dir) => {
    let at = dir;
    while (at > under) at = parents[at]!;
    return at === under;
  };
}

function searched(reader: IndexReader, { under, kind, limit, skip }: LargestQuery): LargestResult {
  const column = kind === "file" ? "biggest" : "size";
  const needed = skip + limit + 1;
  const floor = new Floor(needed);
  const queue = new Heap();
  queue.push({ size: Number.POSITIVE_INFINITY, dir: under, number: BRANCH });
  const found: SizedNode[] = [];
  while (found.length < needed) {
    const next = queue.pop();
    if (next === undefined) break;
    if (next.number !== BRANCH) {
      found.push(next);
      continue;
    }
    const entries = reader.entries(next.dir);
    for (const [id, size] of reader.branches(entries.dirIds, column, floor.size)) {
      queue.push({ size, dir: id, number: BRANCH });
      if (kind === "dir" && floor.admits(size)) queue.push({ size, dir: id, number: ITSELF });
    }
    if (kind === "dir") continue;
    for (let index = entries.dirs; index < entries.count; index++) {
      const size = entries.sizes[index]!;
      if ((entries.modes[index]! & TYPE.mask) === TYPE.file && floor.admits(size))
        queue.push({ size, dir: next.dir, number: entries.numbers[index]! });
    }
  }
  return {
    refs: found.slice(skip, skip + limit).map(({ dir, number }) => (number === ITSELF ? { dir } : { dir, number })),
    more: found.length > skip + limit,
  };
}

/** The smallest of the largest sizes so far. Anything smaller can be skipped. */
class Floor {
  readonly #sizes: Float64Array;
  #count = 0;

  constructor(needed: number) {
    this.#sizes = new Float64Array(needed);
  }

  get size(): number {
    return this.#count < this.#sizes.length ? 0 : this.#sizes[this.#count - 1]!;
  }

  /** Admits equal sizes too, so that their order does not depend on the limit. */
  admits(size: number): boolean {
    const sizes = this.#sizes;
    const isFull = this.#count === sizes.length;
    if (isFull && size <= sizes[this.#count - 1]!) return size === sizes[this.#count - 1]!;
    const at = firstWhere(0, this.#count, (position) => size > sizes[position]!);
    sizes.copyWithin(at + 1, at, isFull ? this.#count - 1 : this.#count);
    sizes[at] = size;
    if (!isFull) this.#count++;
    return true;
  }
}

/** Sorts larger nodes first. Among equal sizes, results come before branches, and older nodes before newer ones. */
function comesBefore(one: SizedNode, other: SizedNode): boolean {
  if (one.size !== other.size) return one.size > other.size;
  if ((one.number === BRANCH) !== (other.number === BRANCH)) return other.number === BRANCH;
  return one.dir !== other.dir ? one.dir < other.dir : one.number < other.number;
}

class Heap {
  readonly #items: SizedNode[] = [];

  push(item: SizedNode): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!comesBefore(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): SizedNode | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && comesBefore(items[child + 1]!, items[child]!)) child++;
      if (!comesBefore(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
