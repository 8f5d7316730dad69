// Exact counts of distinct values across segments with different dictionaries.
import type { ColumnValue } from "../../../core/fields.ts";
import { type Column, valueOfKey } from "./column.ts";
import type { MetricFold, RowBlock } from "./metrics.ts";
import { addNumber, countNumbers, emptyNumbers, type NumberSet } from "./number-set.ts";
import { sizeOf } from "./string-table.ts";

/** The number of bits for (group, code) pairs already seen in a segment: at most 2 MB. */
const PAIRS_MAX = 2 ** 24;

export function distinctMetric(): MetricFold {
  const texts: (Set<ColumnValue> | undefined)[] = [];
  const numbers: (NumberSet | undefined)[] = [];

  function addNumbers({ keys }: Column, { rows, groups, count }: RowBlock): void {
    for (let i = 0; i < count; i++) {
      const value = keys[rows[i]!]!;
      if (Number.isNaN(value)) continue;
      const group = groups[i]!;
      numbers[group] ??= emptyNumbers();
      addNumber(numbers[group], value);
    }
  }

  function addLists(column: Column, starts: Uint32Array, { rows, groups, count }: RowBlock): void {
    for (let i = 0; i < count; i++) {
      const group = groups[i]!;
      for (let item = starts[rows[i]!]!; item < starts[rows[i]! + 1]!; item++) {
        texts[group] ??= new Set();
        texts[group].add(valueOfKey(column, column.keys[item]!));
      }
    }
  }

  function inSegment(column: Column): ReturnType<MetricFold["inSegment"]> {
    if (column.starts) return { add: (block) => addLists(column, column.starts!, block) };
    if (!column.dictionary) return { add: (block) => addNumbers(column, block) };
    const { keys } = column;
    const codes = sizeOf(column.dictionary) + 1;
    let met = new Uint8Array(0);
    return {
      add({ rows, groups, count }, groupCount) {
        const pairs = groupCount * codes;
        if (pairs > met.length * 8 && pairs <= PAIRS_MAX) met = widened(met, pairs);
        const bits = met;
        const known = bits.length * 8;
        for (let i = 0; i < count; i++) {
          const code = keys[rows[i]!]!;
          if (code === 0) continue;
          const group = groups[i]!;
          const pair = group * codes + code;
          if (pair < known) {
            if ((bits[pair >> 3]! >> (pair & 7)) & 1) continue;
            bits[pair >> 3]! |= 1 << (pair & 7);
          }
          texts[group] ??= new Set();
          texts[group].add(valueOfKey(column, code));
        }
      },
    };
  }

  return {
    inSegment,
    value(group) {
      const set = numbers[group];
      return set ? countNumbers(set) : (texts[group]?.size ?? 0);
    },
  };
}

function widened(met: Uint8Array<ArrayBuffer>, pairs: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max((pairs + 7) >> 3, met.length * 2));
  wider.set(met);
  return wider;
}
