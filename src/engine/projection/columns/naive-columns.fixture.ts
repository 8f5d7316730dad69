// Runs the same queries on a plain list of records, for tests: slow, short and obviously correct.
import type { JsonObject } from "../../../contract/record.ts";
import { type ColumnValue, columnValue, listValues } from "../../../core/fields.ts";
import { timeBuckets } from "../../../core/time-buckets.ts";
import type { Aggregate, AggregateGroup, AggregateRequest } from "./aggregate.ts";
import type { PagePosition, PageRequest } from "./page.ts";
import type { Selection } from "./selection.ts";
import type { ColumnsShape } from "./shape.ts";

export class NaiveColumns {
  readonly #shape: ColumnsShape;
  readonly #records: [id: string, data: JsonObject][];

  constructor(shape: ColumnsShape, records: Iterable<[string, JsonObject]>) {
    this.#shape = shape;
    this.#records = [...records];
  }

  #value(data: JsonObject, field: string): ColumnValue {
    return this.#values(data, field)[0] ?? null;
  }

  /** All values of a list. For a scalar, a list of its value, or an empty list if it is null. */
  #values(data: JsonObject, field: string): ColumnValue[] {
    const { kind, list } = this.#shape.columns.find((spec) => spec.field === field)!;
    const values = list ? listValues({ kind, ...list }, data[list.field]) : [columnValue(kind, data[field])];
    return [...new Set(values.map((value) => (value === 0 ? 0 : value)))].filter((value) => value !== null);
  }

  #selected({ where, ids }: Selection): [string, JsonObject][] {
    return this.#records.filter(([id, data]) => {
      if (ids && !ids.has(id)) return false;
      return where.every((predicate) => {
        const all = this.#values(data, predicate.field);
        if (predicate.op === "exists") return all.length > 0 === predicate.value;
        if (predicate.op === "in") return all.some((value) => predicate.values.includes(value));
        if (predicate.op === "ne") return !all.includes(predicate.value);
        const { op, value } = predicate;
        const own = all[0] ?? null;
        if (own === null || typeof own !== typeof value) return false;
        const order = compare(own, value);
        return { eq: order === 0, gte: order >= 0, gt: order > 0, lte: order <= 0, lt: order < 0 }[op];
      });
    });
  }

  count(selection: Selection): number {
    return this.#selected(selection).length;
  }

  page(selection: Selection, { sort, after, limit }: PageRequest): PagePosition[] {
    const field = sort ? sort.field : this.#shape.defaultSort;
    const sign = sort?.descending ? -1 : 1;
    const order = (a: PagePosition, b: PagePosition) =>
      Number(a.value === null) - Number(b.value === null) ||
      sign * ((a.value === null ? 0 : compare(a.value, b.value)) || compare(a.id, b.id));
    return this.#selected(selection)
      .map(([id, data]) => ({ id, value: field === undefined ? null : this.#value(data, field) }))
      .filter((row) => !after || order(row, after) > 0)
      .sort(order)
      .slice(0, limit);
  }

  aggregate(selection: Selection, request: AggregateRequest): Aggregate {
    const rows = this.#selected(selection);
    const { groupBy, groupByTime, limit, orderBy } = request;
    if (groupBy === undefined && !groupByTime) {
      return { count: rows.length, value: this.#metric(rows, request), otherCount: 0 };
    }
    const members = new Map<ColumnValue, [string, JsonObject][]>();
    for (const row of rows) {
      for (const key of this.#groupKeys(row[1], request)) members.set(key, [...(members.get(key) ?? []), row]);
    }
    const groups = [...members].map(([key, list]): AggregateGroup => {
      return { key, count: list.length, value: this.#metric(list, request) };
    });
    const by = orderBy.replace("-", "") as "value" | "key" | "count";
    const order = (a: AggregateGroup, b: AggregateGroup) =>
      nullsLast(a[by], b[by], orderBy.startsWith("-") ? -1 : 1) || b.count - a.count || nullsLast(a.key, b.key, 1);
    const sorted = groups.sort(order);
    const others = [...new Set(sorted.slice(limit).flatMap(({ key }) => members.get(key)!))];
    return {
      count: rows.length,
      groups: sorted.slice(0, limit),
      otherCount: others.length,
      ...(others.length > 0 ? { otherValue: this.#metric(others, request) } : {}),
    };
  }

  #groupKeys(data: JsonObject, { groupBy, groupByTime }: AggregateRequest): ColumnValue[] {
    if (!groupByTime) {
      const keys = this.#values(data, groupBy!);
      return keys.length === 0 ? [null] : keys;
    }
    const value = this.#value(data, groupByTime.field);
    const { granularity, timeZone } = groupByTime;
    return [value === null ? null : timeBuckets(granularity, timeZone)(value as number).key];
  }

  #metric(rows: [string, JsonObject][], { metric, field }: AggregateRequest): ColumnValue {
    if (metric === "count") return rows.length;
    const values = rows.flatMap(([, data]) => this.#values(data, field!));
    if (metric === "count_distinct") return new Set(values).size;
    if (values.length === 0) return null;
    if (metric === "min") return values.reduce((a, b) => (compare(a, b) <= 0 ? a : b));
    if (metric === "max") return values.reduce((a, b) => (compare(a, b) >= 0 ? a : b));
    // Test values are hundredths, so adding them as integers is exact.
    const sum = values.reduce<number>((total, value) => total + Math.round((value as number) * 100), 0) / 100;
    return metric === "avg" ? sum / values.length : sum;
  }
}

function compare(a: ColumnValue, b: ColumnValue): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

function nullsLast(a: ColumnValue, b: ColumnValue, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * compare(a, b);
}
