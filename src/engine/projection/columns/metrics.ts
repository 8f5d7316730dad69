// Aggregation metrics. Each is a fold over blocks of rows, with the group of every row.

import type { Metric } from "../../../contract/read.ts";
import type { ColumnValue } from "../../../core/fields.ts";
import type { Column } from "./column.ts";
import { distinctMetric } from "./distinct-metric.ts";
import { extremeMetric } from "./extreme-metric.ts";
import { sumMetric } from "./sum-metric.ts";
import type { ZoneMap } from "./zone.ts";

/** Contains at least one row. */
export interface RowBlock {
  rows: Uint32Array;
  /** The group of each row. */
  groups: Uint32Array;
  count: number;
}

export interface MetricFold {
  /** Returns a function for one segment. `zone` is the column's zone map. */
  inSegment(
    column: Column,
    zone: ZoneMap | undefined,
  ): { add(block: RowBlock, groupCount: number): void; end?(): void };
  /** Null if there are no values. */
  value(group: number): ColumnValue;
  /** Returns true if all rows must be added once more, starting with the first one. */
  again?(): boolean;
}

/** Returns undefined for count, which needs no column. */
export function metricFold(metric: Metric): MetricFold | undefined {
  switch (metric) {
    case "count":
      return undefined;
    case "sum":
    case "avg":
      return sumMetric(metric === "avg");
    case "min":
    case "max":
      return extremeMetric(metric === "max");
    case "count_distinct":
      return distinctMetric();
  }
}

/** Returns an array that is at least as long as needed, grown by doubling. */
export function grown(array: Float64Array<ArrayBuffer>, length: number, empty: number): Float64Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const larger = new Float64Array(Math.max(length, array.length * 2)).fill(empty, array.length);
  larger.set(array);
  return larger;
}
