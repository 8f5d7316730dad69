// The rows that a query covers: predicates and ids, compiled into range tests on one segment's keys.
import type { Predicate } from "../../../core/filter.ts";
import { findRow, hashAt } from "./id-index.ts";
import { zoneVerdict } from "./key-range.ts";
import { BLOCK, matchBlock, type RowTest } from "./row-blocks.ts";
import { rowTest } from "./row-test.ts";
import type { FoldView, LiveSegment } from "./stream-fold.ts";
import { type StringTable, tableOf } from "./string-table.ts";

export interface Selection {
  /** All predicates must hold. A null in the row fails every predicate except `ne` and `exists`. */
  where: readonly Predicate[];
  /** If set, only records with these ids. */
  ids?: ReadonlySet<string>;
}

/** A selection with everything precomputed that is the same for all segments. */
export interface SelectionPlan {
  where: readonly Predicate[];
  ids?: { table: StringTable; hashes: Uint32Array };
}

/** A selection applied to one segment. */
export interface RowMatch {
  tests: RowTest[];
  /** The only rows to test, in ascending order. Absent if all rows are tested. */
  rows?: Uint32Array;
}

export function planSelection({ where, ids }: Selection): SelectionPlan {
  if (!ids) return { where };
  const table = tableOf(Array.from(ids, (id) => id.toWellFormed()));
  const hashes = Uint32Array.from({ length: ids.size }, (_, i) => hashAt(table, i));
  return { where, ids: { table, hashes } };
}

/**
 * Loads the columns that the tests need, unless the zone maps already rule out every row. Returns undefined if nothing
 * matches.
 */
export async function matchIn(part: LiveSegment, plan: SelectionPlan): Promise<RowMatch | undefined> {
  const { segment } = part;
  const verdicts = plan.where.map((predicate) => zoneVerdict(segment.zones.get(predicate.field), predicate));
  if (part.deadCount === segment.rows || verdicts.includes("none")) return undefined;
  const tests: RowTest[] = [];
  for (const [i, predicate] of plan.where.entries()) {
    if (verdicts[i] === "all") continue;
    const unit = segment.column(predicate.field);
    const column = unit.peek() ?? (await unit.get());
    const test = rowTest(column, predicate);
    if (!test) return undefined;
    tests.push(test);
  }
  if (!plan.ids) return { tests };
  const rows = await rowsOf(part, plan.ids);
  return rows.length > 0 ? { tests, rows } : undefined;
}

async function rowsOf(
  { segment }: LiveSegment,
  { table, hashes }: NonNullable<SelectionPlan["ids"]>,
): Promise<Uint32Array> {
  const index = await segment.index.get();
  const rows = new Uint32Array(hashes.length);
  let found = 0;
  for (let i = 0; i < hashes.length; i++) {
    const row = findRow(index, table, i, hashes[i]!);
    if (row >= 0) rows[found++] = row;
  }
  return rows.subarray(0, found).sort();
}

export async function count(view: FoldView, selection: Selection): Promise<number> {
  let total = 0;
  const plan = planSelection(selection);
  for (const part of view.parts) {
    const match = await matchIn(part, plan);
    if (!match) continue;
    if (!match.rows && match.tests.length === 0) total += part.segment.rows - part.deadCount;
    else for (const rows of matchingRows(part, match)) total += rows.length;
  }
  return total;
}

export async function versions(view: FoldView, selection: Selection): Promise<Set<number>> {
  const found = new Set<number>();
  const plan = planSelection(selection);
  for (const part of view.parts) {
    const match = await matchIn(part, plan);
    if (!match) continue;
    const all = await part.segment.versions.get();
    for (const rows of matchingRows(part, match)) for (const row of rows) found.add(all[row]!);
  }
  return found;
}

export interface NewestRequest {
  /** Both ends are exclusive. */
  after: number;
  before: number;
  limit: number;
}

export async function newest(
  view: FoldView,
  selection: Selection,
  { after, before, limit }: NewestRequest,
): Promise<number[]> {
  let found: number[] = [];
  const cut = () => {
    found = found.sort((a, b) => b - a).slice(0, limit);
  };
  const plan = planSelection(selection);
  for (const part of view.parts) {
    const match = await matchIn(part, plan);
    if (!match) continue;
    const all = await part.segment.versions.get();
    for (const rows of matchingRows(part, match)) {
      for (const row of rows) if (all[row]! > after && all[row]! < before) found.push(all[row]!);
      if (found.length > BLOCK) cut();
    }
  }
  cut();
  return found;
}

/** Yields a segment's selected rows, one block at a time. The same array is reused for every block. */
export function* matchingRows({ segment, dead }: LiveSegment, { tests, rows }: RowMatch): Generator<Uint32Array> {
  const block = new Uint32Array(BLOCK);
  const length = rows?.length ?? segment.rows;
  for (let from = 0; from < length; from += BLOCK) {
    const walk = { from, to: Math.min(length, from + BLOCK), order: rows };
    yield block.subarray(0, matchBlock(block, walk, tests, dead));
  }
}
