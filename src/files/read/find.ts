// Whole-tree queries over columns. They return the matches of a filter in ordered pages, or all at once as columns.
import { DIRECTORY, type FindOrder, type FoundNodes, type SelectedNodes } from "../../contract/files.ts";
import { firstWhere } from "../../core/binary-search.ts";
import { TYPE } from "../leaf.ts";
import { ROOT_ID } from "../write/tree.ts";
import { dirOfLink, type EntryBlock, type IndexColumns, insideOf, linkKey, nameOf } from "./columns.ts";
import { type CompiledFilter, dirPaths, type FilterContext } from "./filter.ts";

export interface FindRequest {
  filter?: CompiledFilter;
  under?: number;
  order: FindOrder;
  descending: boolean;
  limit: number;
  after?: FindPosition;
}

/** The last node of the previous page: its key, its directory and its place in that directory. */
export type FindPosition = [key: number | string, parent: number, place: number];

/** A node, identified by its directory and its number there, or by its id if it is a directory. */
export interface FoundNode {
  parent: number;
  number?: number;
  dirId?: number;
}

export interface FindResult {
  found: FoundNode[];
  matches: FoundNodes["matches"];
  next?: FindPosition;
}

/** Calls back with each block and the bitmap of its matches. */
export function eachMatch(
  columns: IndexColumns,
  { filter, under }: Pick<FindRequest, "filter" | "under">,
  duplicates: () => ReadonlySet<number>,
  visit: (block: EntryBlock, mask: Uint8Array) => void,
): void {
  // Finding duplicates reads every digest, so do it once, not for each block.
  let copies: ReadonlySet<number> | undefined;
  const context: FilterContext = {
    columns,
    duplicates: () => (copies ??= duplicates()),
    dirPath: dirPaths(columns),
  };
  const inside = under === undefined || under === 1 ? undefined : insideOf(columns, under);
  for (const block of columns.blocks) {
    const mask = new Uint8Array(block.count).fill(1);
    if (inside !== undefined)
      for (let index = 0; index < block.count; index++) mask[index] = inside[block.parents[index]!]!;
    filter?.(context, block, mask);
    visit(block, mask);
  }
}

const isDir = (block: EntryBlock, index: number): boolean => (block.modes[index]! & TYPE.mask) === TYPE.directory;

interface FindCandidate {
  key: number | string;
  block: EntryBlock;
  index: number;
}

export function find(columns: IndexColumns, request: FindRequest, duplicates: () => ReadonlySet<number>): FindResult {
  const matches = { nodes: 0, files: 0, dirs: 0 };
  const sizes = new BytesOnce(columns);
  const page = new FindPage(request);
  eachMatch(columns, request, duplicates, (block, mask) => {
    for (let index = 0; index < block.count; index++) {
      if (mask[index] === 0) continue;
      matches.nodes++;
      if (isDir(block, index)) {
        matches.dirs++;
        sizes.addDir(block.numbers[index]!);
      } else {
        matches.files++;
        sizes.addFile(block, index);
      }
      page.offer(block, index);
    }
  });
  return { matches: { ...matches, size: sizes.sum() }, ...page.result() };
}

/**
 * Total bytes of the matches. A file with several names counts once, and matches inside a matching directory count only
 * as part of it.
 */
class BytesOnce {
  readonly #columns: IndexColumns;
  /** Bytes of the matching files in each directory. */
  readonly #files: Float64Array;
  /** Files with several names, by the name under which each is counted. */
  readonly #several = new Map<number, { parent: number; size: number }>();
  /** Directories that match. `sum` adds everything below them. */
  readonly #within: Uint8Array;

  constructor(columns: IndexColumns) {
    this.#columns = columns;
    this.#files = new Float64Array(columns.dirs.parents.length);
    this.#within = new Uint8Array(columns.dirs.parents.length);
  }

  addDir(id: number): void {
    this.#within[id] = 1;
  }

  addFile({ parents, numbers, sizes }: EntryBlock, index: number): void {
    const { several } = this.#columns;
    const parent = parents[index]!;
    const key = several.size === 0 ? undefined : several.get(linkKey(parent, numbers[index]!));
    if (key === undefined) this.#files[parent]! += sizes[index]!;
    else this.#several.set(key, { parent, size: sizes[index]! });
  }

  sum(): number {
    const { parents, sizes } = this.#columns.dirs;
    let sum = 0;
    // Parents have smaller ids than their children, so they are visited first.
    for (let id = ROOT_ID; id < parents.length; id++) {
      if (id !== ROOT_ID && this.#within[parents[id]!] === 1) this.#within[id] = 1;
      else sum += this.#within[id] === 1 ? sizes[id]! : this.#files[id]!;
    }
    for (const [key, { parent, size }] of this.#several)
      if (this.#within[parent] === 0 && this.#within[dirOfLink(key)] === 0) sum += size;
    return sum;
  }
}

/** True if this is the name under which the file is counted. A file with several names counts only once. */
export function counts({ several }: IndexColumns, block: EntryBlock, index: number): boolean {
  if (several.size === 0) return true;
  const key = linkKey(block.parents[index]!, block.numbers[index]!);
  return (several.get(key) ?? key) === key;
}

/** Collects the first few matches in the requested order, starting where the previous page ended. */
class FindPage {
  readonly #request: FindRequest;
  readonly #sign: number;
  readonly #found: FindCandidate[] = [];

  constructor(request: FindRequest) {
    this.#request = request;
    this.#sign = request.descending ? -1 : 1;
  }

  offer(block: EntryBlock, index: number): void {
    const { order, limit } = this.#request;
    const found = this.#found;
    const last = found[limit];
    // Directories arrive in id order.
    if (
      order === "tree" &&
      last !== undefined &&
      !this.#request.descending &&
      block.parents[index]! > last.block.parents[last.index]!
    )
      return;
    // Most nodes sort after the current page. Compare their numeric keys first, so that no candidate is built for them.
    if (last !== undefined && typeof last.key === "number" && this.#sign * (this.#number(block, index) - last.key) > 0)
      return;
    const one: FindCandidate = {
      key: order === "name" ? nameKey(block, index) : this.#number(block, index),
      block,
      index,
    };
    const { after } = this.#request;
    if (after !== undefined && this.#compareAt(one, after) <= 0) return;
    if (last !== undefined && this.#compare(one, last) >= 0) return;
    const at = firstWhere(0, found.length, (position) => this.#compare(one, found[position]!) < 0);
    found.splice(at, 0, one);
    if (found.length > limit + 1) found.pop();
  }

  result(): { found: FoundNode[]; next?: FindPosition } {
    const { limit } = this.#request;
    const shown = this.#found.slice(0, limit);
    const last = shown.at(-1);
    return {
      found: shown.map(({ block, index }) => matchAt(block, index)),
      ...(this.#found.length > limit && last !== undefined ? { next: positionOf(last) } : {}),
    };
  }

  #number(block: EntryBlock, index: number): number {
    switch (this.#request.order) {
      case "size":
        return block.sizes[index]!;
      case "time":
        return block.times[index]!;
    }
    return 0;
  }

  #compare(one: FindCandidate, other: FindCandidate): number {
    return this.#compareAt(one, positionOf(other));
  }

  /** Nodes with equal values are in tree order. */
  #compareAt({ key, block, index }: FindCandidate, [otherKey, parent, place]: FindPosition): number {
    const byKey = key < otherKey ? -1 : key > otherKey ? 1 : 0;
    if (byKey !== 0) return this.#sign * byKey;
    const sign = this.#request.order === "tree" ? this.#sign : 1;
    return sign * (block.parents[index]! - parent || placeOf(block, index) - place);
  }
}

const nameKey = (block: EntryBlock, index: number): string =>
  Buffer.from(nameOf(block, index)).toString("utf8").toLowerCase();

const positionOf = ({ key, block, index }: FindCandidate): FindPosition => [
  key,
  block.parents[index]!,
  placeOf(block, index),
];

/** Orders the entries of one directory: directories by id, then everything else by number. */
const placeOf = (block: EntryBlock, index: number): number =>
  block.numbers[index]! - (isDir(block, index) ? 2 ** 32 : 0);

function matchAt(block: EntryBlock, index: number): FoundNode {
  const number = block.numbers[index]!;
  return { parent: block.parents[index]!, ...(isDir(block, index) ? { dirId: number } : { number }) };
}

export function select(
  columns: IndexColumns,
  request: Pick<FindRequest, "filter" | "under">,
  duplicates: () => ReadonlySet<number>,
): SelectedNodes {
  const parts: { dirs: Uint32Array; numbers: Uint32Array; modes: Uint16Array; sizes: Float64Array }[] = [];
  const selected = { files: 0, directories: 0 };
  const once = new BytesOnce(columns);
  eachMatch(columns, request, duplicates, (block, mask) => {
    const dirs = new Uint32Array(block.count);
    const numbers = new Uint32Array(block.count);
    const modes = new Uint16Array(block.count);
    const sizes = new Float64Array(block.count);
    let count = 0;
    for (let index = 0; index < block.count; index++) {
      if (mask[index] === 0) continue;
      const { parent, number, dirId } = matchAt(block, index);
      dirs[count] = dirId ?? parent;
      numbers[count] = number ?? DIRECTORY;
      modes[count] = block.modes[index]!;
      sizes[count++] = block.sizes[index]!;
      if (number === undefined) {
        selected.directories++;
        once.addDir(dirId!);
      } else {
        selected.files++;
        once.addFile(block, index);
      }
    }
    parts.push({
      dirs: dirs.subarray(0, count),
      numbers: numbers.subarray(0, count),
      modes: modes.subarray(0, count),
      sizes: sizes.subarray(0, count),
    });
  });
  const count = parts.reduce((sum, part) => sum + part.dirs.length, 0);
  return {
    ...selected,
    size: once.sum(),
    dirs: joined(
      new Uint32Array(count),
      parts.map(({ dirs }) => dirs),
    ),
    numbers: joined(
      new Uint32Array(count),
      parts.map(({ numbers }) => numbers),
    ),
    modes: joined(
      new Uint16Array(count),
      parts.map(({ modes }) => modes),
    ),
    sizes: joined(
      new Float64Array(count),
      parts.map(({ sizes }) => sizes),
    ),
  };
}

function joined<Column extends Uint16Array | Uint32Array | Float64Array>(
  all: Column,
  parts: readonly Column[],
): Column {
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
