// Smallest and largest values, for numbers, instants, booleans and strings.
import type { ColumnValue } from "../../../core/fields.ts";
import { type Column, compareValues, valueOfKey } from "./column.ts";
import { grown, type MetricFold } from "./metrics.ts";

export function extremeMetric(largest: boolean): MetricFold {
  const best: (ColumnValue | undefined)[] = [];

  /**
   * Keys are comparable only within a segment, so a segment's best keys are converted to values when the segment is
   * done.
   */
  function inSegment(column: Column): ReturnType<MetricFold["inSegment"]> {
    const { keys } = column;
    const coded = column.dictionary !== undefined;
    const none = largest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    let here = new Float64Array(0);
    const seen = new Set<number>();
    return {
      add({ rows, groups, count }, groupCount) {
        here = grown(here, groupCount, none);
        const keysHere = here;
        for (let i = 0; i < count; i++) {
          const key = keys[rows[i]!]!;
          if (coded ? key === 0 : Number.isNaN(key)) continue;
          const group = groups[i]!;
          const known = keysHere[group]!;
          if (known === none) seen.add(group);
          if (largest ? key > known : key < known) keysHere[group] = key;
        }
      },
      end() {
        for (const group of seen) {
          const value = valueOfKey(column, here[group]!);
          const known = best[group];
          const order = known === undefined ? 1 : compareValues(value, known) * (largest ? 1 : -1);
          if (order > 0) best[group] = value;
        }
      },
    };
  }

  return { inSegment, value: (group) => best[group] ?? null };
}
