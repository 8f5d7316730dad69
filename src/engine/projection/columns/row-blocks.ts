// The inner loops: a block of row numbers is filled, then each test and the bitmap of the dead narrow it in place.
import type { Keys } from "./column.ts";
import type { KeyRange } from "./key-range.ts";

/** Row numbers per block: they stay in the first-level cache. */
export const BLOCK = 4096;

export interface RowTest extends KeyRange {
  field: string;
  keys: Keys;
}

/** Positions from..to of an order of rows (absent: the rows themselves), walked backwards if so asked. */
export interface Walk {
  from: number;
  to: number;
  order?: Uint16Array | Uint32Array | undefined;
  backwards?: boolean;
}

let everyRow = new Uint32Array(0);

/** The numbers from 0, shared: where nothing narrows a segment there is nothing to fill. Not to be written to. */
export function allRows(count: number): Uint32Array<ArrayBuffer> {
  if (everyRow.length < count) everyRow = Uint32Array.from({ length: count }, (_, row) => row);
  return everyRow;
}

/** Writes the rows of the walk that pass into `block`, in the order of the walk; returns how many. */
export function matchBlock(
  block: Uint32Array,
  walk: Walk,
  tests: readonly RowTest[],
  dead: Uint8Array | undefined,
): number {
  let count = walk.to - walk.from;
  if (tests.length > 0 && !walk.order && !walk.backwards) count = passRange(block, walk.from, walk.to, tests[0]!);
  else {
    fill(block, walk);
    if (tests.length > 0) count = pass(block, count, tests[0]!);
  }
  for (let i = 1; i < tests.length && count > 0; i++) count = pass(block, count, tests[i]!);
  return dead && count > 0 ? passLive(block, count, dead) : count;
}

function fill(block: Uint32Array, { from, to, order, backwards }: Walk): void {
  const count = to - from;
  const step = backwards ? -1 : 1;
  let position = backwards ? to - 1 : from;
  if (order) for (let i = 0; i < count; i++, position += step) block[i] = order[position]!;
  else for (let i = 0; i < count; i++, position += step) block[i] = position;
}

function passRange(block: Uint32Array, from: number, to: number, { keys, low, high }: RowTest): number {
  let passed = 0;
  for (let row = from; row < to; row++) {
    const key = keys[row]!;
    if (key >= low && key <= high) block[passed++] = row;
  }
  return passed;
}

function pass(block: Uint32Array, count: number, { keys, low, high }: RowTest): number {
  let passed = 0;
  for (let i = 0; i < count; i++) {
    const row = block[i]!;
    const key = keys[row]!;
    if (key >= low && key <= high) block[passed++] = row;
  }
  return passed;
}

function passLive(block: Uint32Array, count: number, dead: Uint8Array): number {
  let passed = 0;
  for (let i = 0; i < count; i++) {
    const row = block[i]!;
    if (((dead[row >> 3]! >> (row & 7)) & 1) === 0) block[passed++] = row;
  }
  return passed;
}
