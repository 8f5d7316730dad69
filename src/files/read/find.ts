// Whole-tree questions over columns: pages of what a filter lets through, in an order; or all of it, as columns.
import { DIRECTORY, type FindOrder, type FoundNodes, type SelectedNodes } from "../../contract/files.ts";
import { TYPE } from "../leaf.ts";
import { type Block, type Columns, insideOf, linkKey, nameOf } from "./columns.ts";
import { type CompiledFilter, dirPaths, type FilterContext } from "./filter.ts";

export interface FindRequest {
  filter?: CompiledFilter;
  under?: number;
  order: FindOrder;
  descending: boolean;
  limit: number;
  after?: FindPosition;
}

/** The last node of the page before: its key, its directory and its place there. */
export type FindPosition = [key: number | string, parent: number, place: number];

/** A node by the directory it stands in: its number there, or of a directory its id. */
export interface Match {
  parent: number;
  number?: number;
  dirId?: number;
}

export interface FindResult {
  found: Match[];
  matches: FoundNodes["matches"];
  next?: FindPosition;
}

/** Calls with each block and the marks of what matches in it. */
export function eachMatch(
  columns: Columns,
  { filter, under }: Pick<FindRequest, "filter" | "under">,
  duplicates: () => ReadonlySet<number>,
  visit: (block: Block, mask: Uint8Array) => void,
): void {
  const context: FilterContext = { columns, duplicates, dirPath: dirPaths(columns) };
  const inside = under === undefined || under === 1 ? undefined : insideOf(columns, under);
  for (const block of columns.blocks) {
    const mask = new Uint8Array(block.count).fill(1);
    if (inside !== undefined)
      for (let index = 0; index < block.count; index++) mask[index] = inside[block.parents[index]!]!;
    filter?.(context, block, mask);
    visit(block, mask);
  }
}

const isDir = (block: Block, index: number): boolean => (block.modes[index]! & TYPE.mask) === TYPE.directory;

interface Candidate {
  key: number | string;
  block: Block;
  index: number;
}

export function find(columns: Columns, request: FindRequest, duplicates: () => ReadonlySet<number>): FindResult {
  const matches = { nodes: 0, files: 0, dirs: 0, size: 0 };
  const page = new Page(request);
  eachMatch(columns, request, duplicates, (block, mask) => {
    for (let index = 0; index < block.count; index++) {
      if (mask[index] === 0) continue;
      matches.nodes++;
      if (isDir(block, index)) matches.dirs++;
      else {
        matches.files++;
        if (counts(columns, block, index)) matches.size += block.sizes[index]!;
      }
      page.offer(block, index);
    }
  });
  return { matches, ...page.result() };
}

/** Files with several names count under one of them. */
export const counts = ({ counted }: Columns, block: Block, index: number): boolean =>
  counted.size === 0 || !counted.has(linkKey(block.parents[index]!, block.numbers[index]!));

/** The first few in an order, from wherever the page before ended. */
class Page {
  readonly #request: FindRequest;
  readonly #sign: number;
  readonly #found: Candidate[] = [];

  constructor(request: FindRequest) {
    this.#request = request;
    this.#sign = request.descending ? -1 : 1;
  }

  offer(block: Block, index: number): void {
    const { order, limit } = this.#request;
    const found = this.#found;
    const last = found[limit];
    // Directories come in the order of their ids.
    if (
      order === "tree" &&
      last !== undefined &&
      !this.#request.descending &&
      block.parents[index]! > last.block.parents[last.index]!
    )
      return;
    // Most fall behind what is there already: by number, before a name is made.
    if (last !== undefined && typeof last.key === "number" && this.#sign * (this.#number(block, index) - last.key) > 0)
      return;
    const one: Candidate = { key: order === "name" ? nameKey(block, index) : this.#number(block, index), block, index };
    const { after } = this.#request;
    if (after !== undefined && this.#compareAt(one, after) <= 0) return;
    if (last !== undefined && this.#compare(one, last) >= 0) return;
    let [low, high] = [0, found.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(one, found[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    found.splice(low, 0, one);
    if (found.length > limit + 1) found.pop();
  }

  result(): { found: Match[]; next?: FindPosition } {
    const { limit } = this.#request;
    const shown = this.#found.slice(0, limit);
    const last = shown.at(-1);
    return {
      found: shown.map(({ block, index }) => matchAt(block, index)),
      ...(this.#found.length > limit && last !== undefined ? { next: positionOf(last) } : {}),
    };
  }

  #number(block: Block, index: number): number {
    switch (this.#request.order) {
      case "size":
        return block.sizes[index]!;
      case "time":
        return block.times[index]!;
    }
    return 0;
  }

  #compare(one: Candidate, other: Candidate): number {
    return this.#compareAt(one, positionOf(other));
  }

  /** What is equal stands in the order of the tree. */
  #compareAt({ key, block, index }: Candidate, [otherKey, parent, place]: FindPosition): number {
    const byKey = key < otherKey ? -1 : key > otherKey ? 1 : 0;
    if (byKey !== 0) return this.#sign * byKey;
    const sign = this.#request.order === "tree" ? this.#sign : 1;
    return sign * (block.parents[index]! - parent || placeOf(block, index) - place);
  }
}

const nameKey = (block: Block, index: number): string =>
  Buffer.from(nameOf(block, index)).toString("utf8").toLowerCase();

const positionOf = ({ key, block, index }: Candidate): FindPosition => [
  key,
  block.parents[index]!,
  placeOf(block, index),
];

/** Within one directory: directories by id, then the rest by number. */
const placeOf = (block: Block, index: number): number => block.numbers[index]! - (isDir(block, index) ? 2 ** 32 : 0);

function matchAt(block: Block, index: number): Match {
  const number = block.numbers[index]!;
  return { parent: block.parents[index]!, ...(isDir(block, index) ? { dirId: number } : { number }) };
}

export function select(
  columns: Columns,
  request: Pick<FindRequest, "filter" | "under">,
  duplicates: () => ReadonlySet<number>,
): SelectedNodes {
  const parts: { dirs: Uint32Array; numbers: Uint32Array }[] = [];
  const selected = { files: 0, directories: 0, size: 0 };
  eachMatch(columns, request, duplicates, (block, mask) => {
    const dirs = new Uint32Array(block.count);
    const numbers = new Uint32Array(block.count);
    let count = 0;
    for (let index = 0; index < block.count; index++) {
      if (mask[index] === 0) continue;
      const { parent, number, dirId } = matchAt(block, index);
      dirs[count] = dirId ?? parent;
      numbers[count++] = number ?? DIRECTORY;
      if (number === undefined) selected.directories++;
      else {
        selected.files++;
        if (counts(columns, block, index)) selected.size += block.sizes[index]!;
      }
    }
    parts.push({ dirs: dirs.subarray(0, count), numbers: numbers.subarray(0, count) });
  });
  return {
    ...selected,
    dirs: joined(parts.map(({ dirs }) => dirs)),
    numbers: joined(parts.map(({ numbers }) => numbers)),
  };
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
