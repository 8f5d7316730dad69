// Sums and averages that do not depend on row order, and in which 0.1 + 0.2 is 0.3.
import { addExact, type ExactSum, emptySum, exactValue } from "./exact-sum.ts";
import { grown, type MetricFold, type RowBlock } from "./metrics.ts";
import { DECIMAL_SCALE, isDecimal } from "./zone.ts";

/**
 * Amounts of money have few decimals. Such values are added exactly as integers, and the sum is the number nearest to
 * the decimal sum. If a group contains any other value, all its values are added again as binary numbers and rounded
 * once at the end. Which method applies depends only on the group's own values.
 */
export function sumMetric(average: boolean): MetricFold {
  let counts = new Float64Array(0);
  let scaled = new Float64Array(0);
  /** Amounts moved out of the scaled sums before these exceeded 2^53. */
  const spilled = new Map<number, bigint>();
  const binary = new Map<number, ExactSum>();
  let second = false;

  /** Neighbouring rows are mostly in the same group, so its sum stays in registers until the group changes. */
  function addDecimals(values: ArrayLike<number>, { rows, groups, count }: RowBlock, checked: boolean): void {
    // Local variables, because captured or imported ones would be reloaded for each row.
    const [sums, added, scale] = [scaled, counts, DECIMAL_SCALE];
    let group = groups[0]!;
    let sum = sums[group]!;
    let seen = 0;
    for (let i = 0; i < count; i++) {
      const value = values[rows[i]!]!;
      if (Number.isNaN(value)) continue;
      if (groups[i] !== group) {
        sums[group] = sum;
        added[group]! += seen;
        group = groups[i]!;
        sum = sums[group]!;
        seen = 0;
      }
      seen++;
      if (!checked && !isDecimal(value)) {
        binary.set(group, emptySum());
        continue;
      }
      const units = Math.round(value * scale);
      const total = sum + units;
      if (total > Number.MAX_SAFE_INTEGER || total < -Number.MAX_SAFE_INTEGER) {
        spilled.set(group, (spilled.get(group) ?? 0n) + BigInt(sum));
        sum = units;
      } else sum = total;
    }
    sums[group] = sum;
    added[group]! += seen;
  }

  function addBinary(values: ArrayLike<number>, { rows, groups, count }: RowBlock): void {
    for (let i = 0; i < count; i++) {
      const value = values[rows[i]!]!;
      const sum = Number.isNaN(value) ? undefined : binary.get(groups[i]!);
      if (sum) addExact(sum, value);
    }
  }

  function groupSum(group: number): number | null {
    const exact = binary.get(group);
    if (exact) return exactValue(exact);
    const spilt = spilled.get(group);
    const total = spilt === undefined ? scaled[group]! : Number(spilt + BigInt(scaled[group]!));
    return total / DECIMAL_SCALE;
  }

  return {
    inSegment: ({ keys }, zone) => ({
      add(block, groupCount) {
        if (second) return addBinary(keys, block);
        counts = grown(counts, groupCount, 0);
        scaled = grown(scaled, groupCount, 0);
        addDecimals(keys, block, zone?.decimal === true);
      },
    }),
    again() {
      const needed = !second && binary.size > 0;
      second = true;
      return needed;
    },
    value(group) {
      const count = counts[group] ?? 0;
      if (count === 0) return null;
      const sum = groupSum(group);
      return sum !== null && average ? sum / count : sum;
    },
  };
}

/** The sum of sums, as exact as each of them. */
export function sumOf(values: readonly number[]): number | null {
  if (values.every(isDecimal)) {
    const units = values.reduce((total, value) => total + BigInt(Math.round(value * DECIMAL_SCALE)), 0n);
    return Number(units) / DECIMAL_SCALE;
  }
  const sum = emptySum();
  for (const value of values) addExact(sum, value);
  return exactValue(sum);
}
