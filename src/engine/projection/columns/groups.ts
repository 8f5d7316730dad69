// The groups of an aggregation. Assigns each row of a block its group number.

import type { Granularity } from "../../../contract/read.ts";
import type { ColumnValue } from "../../../core/fields.ts";
import { type Bucket, timeBuckets } from "../../../core/time-buckets.ts";
import { type Column, type Keys, valueOfKey } from "./column.ts";
import type { RowBlock } from "./metrics.ts";
import { sizeOf } from "./string-table.ts";

export interface Groups {
  /** The key of each group, by number. */
  keys: ColumnValue[];
  /** The number of the group with this key, for callers that count by key themselves. */
  groupOf(key: ColumnValue): number;
  /**
   * Returns a function for one segment that writes the group of each row in the block. It returns true if all rows are
   * known to be in one group, which is common when rows are ordered by time.
   */
  inSegment(column: Column | undefined): Assign;
  /** Set for lists, where a row can be in several groups, so a group's row count cannot be derived. */
  split?: true;
}

/** Assigns groups to the rows of the block. A row in several groups appears once for each, consecutively. */
type Assign = (block: RowBlock) => boolean;

/** Puts everything in one group. */
export function oneGroup(): Groups {
  const assign = ({ groups, count }: RowBlock) => {
    groups.fill(0, 0, count);
    return true;
  };
  return { keys: [null], groupOf: () => 0, inSegment: () => assign };
}

export function groupsByValue(): Groups {
  const keys: ColumnValue[] = [];
  const numbers = new Map<ColumnValue, number>();
  const groupOf = (key: ColumnValue) => numberOf(numbers, keys, key);
  return {
    keys,
    groupOf,
    inSegment: (column) =>
      column!.starts
        ? byItem(column!, column!.starts, groupOf)
        : column!.dictionary
          ? byCode(column!, groupOf)
          : byNumber(column!, groupOf),
  };
}

/** A group's `key` is the key of its time bucket (core/time-buckets.ts). */
export function groupsByTime(granularity: Granularity, timeZone: string): Groups {
  const keys: ColumnValue[] = [];
  const numbers = new Map<ColumnValue, number>();
  const groupOf = (key: ColumnValue) => numberOf(numbers, keys, key);
  const bucketAt = timeBuckets(granularity, timeZone);
  return {
    keys,
    groupOf,
    inSegment: (column) => (block) =>
      assignTimes(column!.keys, block.rows, block.count, block.groups, bucketAt, groupOf),
  };
}

/** The group for everything that `splitGroups` cut off. The rest is group 0. */
export const CUT_GROUP = 1;

/** Splits the rows into two groups: rows in groups that were cut off, and the others. */
export function splitGroups(groups: Groups, cut: readonly number[]): Groups {
  const isCut = new Uint8Array(groups.keys.length);
  for (const group of cut) isCut[group] = CUT_GROUP;
  return {
    keys: [null, null],
    groupOf: (key) => isCut[groups.groupOf(key)]!,
    inSegment(column) {
      const assign = groups.inSegment(column);
      return (block) => {
        const uniform = assign(block);
        joinRows(block, isCut);
        return uniform;
      };
    },
    split: true,
  };
}

/** Keeps each row once. A row counts as cut off if any of its groups was cut off. */
function joinRows(block: RowBlock, isCut: Uint8Array): void {
  const { rows, groups } = block;
  let joined = 0;
  for (let i = 0; i < block.count; i++) {
    const group = isCut[groups[i]!]!;
    if (joined > 0 && rows[joined - 1] === rows[i]) groups[joined - 1]! |= group;
    else {
      // Written only if the position changes, because the array may be shared with other blocks.
      if (joined !== i) rows[joined] = rows[i]!;
      groups[joined++] = group;
    }
  }
  block.count = joined;
}

/** The next row is usually in the same bucket as the previous one. */
function assignTimes(
  instants: Keys,
  block: Uint32Array,
  count: number,
  groups: Uint32Array,
  bucketAt: (instant: number) => Bucket,
  groupOf: (key: ColumnValue) => number,
): boolean {
  let [from, to, group, changes] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const instant = instants[block[i]!]!;
    if (instant >= from && instant < to) {
      groups[i] = group;
      continue;
    }
    changes++;
    if (Number.isNaN(instant)) {
      groups[i] = groupOf(null);
      continue;
    }
    const bucket = bucketAt(instant);
    from = bucket.from;
    to = bucket.to;
    group = groupOf(bucket.key);
    groups[i] = group;
  }
  return changes <= 1;
}

function numberOf(numbers: Map<ColumnValue, number>, keys: ColumnValue[], key: ColumnValue): number {
  let number = numbers.get(key);
  if (number === undefined) {
    number = keys.push(key) - 1;
    numbers.set(key, number);
  }
  return number;
}

/** Codes stand for different strings in each segment, so a table maps this segment's codes to groups. */
function byCode(column: Column, groupOf: (key: ColumnValue) => number): ReturnType<Groups["inSegment"]> {
  const groupOfCode = new Int32Array(sizeOf(column.dictionary!) + 1).fill(-1);
  const meet = (code: number) => {
    const group = groupOf(valueOfKey(column, code));
    groupOfCode[code] = group;
    return group;
  };
  return (block) => assignCodes(column.keys, groupOfCode, block.rows, block.count, block.groups, meet);
}

/** For rows with lists: one entry for each value. A row without values is in the null group. */
function byItem(column: Column, starts: Uint32Array, groupOf: (key: ColumnValue) => number): Assign {
  const { keys } = column;
  const known = new Map<number, number>();
  let rows = new Uint32Array(0);
  let groups = new Uint32Array(0);
  const groupAt = (key: number): number => {
    let group = known.get(key);
    if (group === undefined) {
      group = groupOf(valueOfKey(column, key));
      known.set(key, group);
    }
    return group;
  };
  return (block) => {
    let room = 0;
    for (let i = 0; i < block.count; i++) room += Math.max(1, starts[block.rows[i]! + 1]! - starts[block.rows[i]!]!);
    if (rows.length < room) {
      rows = new Uint32Array(room * 2);
      groups = new Uint32Array(room * 2);
    }
    let at = 0;
    for (let i = 0; i < block.count; i++) {
      const row = block.rows[i]!;
      const end = starts[row + 1]!;
      if (starts[row] === end) {
        rows[at] = row;
        groups[at++] = groupOf(null);
      }
      for (let item = starts[row]!; item < end; item++) {
        rows[at] = row;
        groups[at++] = groupAt(keys[item]!);
      }
    }
    block.rows = rows;
    block.groups = groups;
    block.count = at;
    return false;
  };
}

/**
 * A separate function, because a loop over captured variables would reload them for each row, which is three times
 * slower.
 */
function assignCodes(
  codes: Keys,
  groupOfCode: Int32Array,
  block: Uint32Array,
  count: number,
  groups: Uint32Array,
  meet: (code: number) => number,
): boolean {
  for (let i = 0; i < count; i++) {
    const code = codes[block[i]!]!;
    const group = groupOfCode[code]!;
    groups[i] = group < 0 ? meet(code) : group;
  }
  return false;
}

function byNumber(column: Column, groupOf: (key: ColumnValue) => number): ReturnType<Groups["inSegment"]> {
  const values = column.keys;
  return ({ rows, groups, count }) => {
    for (let i = 0; i < count; i++) {
      const value = values[rows[i]!]!;
      groups[i] = groupOf(Number.isNaN(value) ? null : value);
    }
    return false;
  };
}
