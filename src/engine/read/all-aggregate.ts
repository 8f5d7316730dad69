// Aggregations over every connection that has the stream, combined from the aggregations of each connection. Each
// currency is separate.
import type { Aggregation, AggregationGroup } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import type { AggregateQuery } from "../../contract/read.ts";
import type { ReadIdentity } from "../../contract/source.ts";
import type { ColumnValue } from "../../core/fields.ts";
import { type Predicate, predicatesOf } from "../../core/filter.ts";
import { compilePlan } from "../../core/plan.ts";
import { ALL_CONNECTIONS, allRows, type ScopeRow, theRow } from "../../core/scope.ts";
import type { AggregateGroup } from "../projection/columns/aggregate.ts";
import { groupComparison } from "../projection/columns/aggregate.ts";
import { compareValues } from "../projection/columns/column.ts";
import { sumOf } from "../projection/columns/sum-metric.ts";
import {
  checkCapabilities,
  checkShape,
  type Grouping,
  groupingOf,
  keyLabel,
  readAggregate,
  valueLabel,
} from "./aggregate.ts";
import { inConnection } from "./all-connections.ts";
import { type Answer, allIdentity, type ReadContext, sourceIdentity } from "./context.ts";
import { currenciesOf, isMoney } from "./currencies.ts";
import { selectionFor } from "./records.ts";

/** A group over all connections, before its value is computed. */
interface Merged {
  key: ColumnValue;
  currency?: string | null;
  count: number;
  /** Each connection's value, and the number of its records. */
  values: { value: ColumnValue; count: number }[];
}

/** The records behind a figure: those of one connection and, for amounts of money, of one currency. */
interface Part {
  row: ScopeRow;
  where: readonly Predicate[];
  currency: string | null | undefined;
}

export async function readAggregation(context: ReadContext, query: AggregateQuery): Promise<Answer> {
  const { scope } = context.caller;
  if (query.connection_id === ALL_CONNECTIONS) {
    const rows = allRows(scope, query.stream);
    return readMerged(context, query, rows, allIdentity(rows));
  }
  const row = theRow(scope, query.stream, query.connection_id, { offersAll: true });
  checkShape(query);
  if (!isMoney(row, query)) return readAggregate(context, query, row);
  checkCapabilities(row, query);
  const currencies = await currenciesOf(context, row, predicatesOf(row, query.filter), query);
  return currencies.length > 1
    ? readMerged(context, query, [row], sourceIdentity(row))
    : readAggregate(context, query, row, currencies[0]?.[0] ?? undefined);
}

async function readMerged(
  context: ReadContext,
  query: AggregateQuery,
  rows: readonly ScopeRow[],
  identity: ReadIdentity,
): Promise<Answer> {
  checkShape(query);
  const grouping = groupingOf(query);
  if (query.metric === "count_distinct" && grouping.isGrouped) {
    throw new PdppError("invalid_request", "distinct values by group are counted in one connection at a time", {
      param: "group_by",
      next_step: "Omit group_by, or choose one connection with connection_id.",
    });
  }
  const merged = new Map<string, Merged>();
  const distinct = new Set<ColumnValue>();
  const parts: Part[] = [];
  let records = 0;
  for (const row of rows) {
    const where = inConnection(row, () => {
      checkCapabilities(row, query);
      return predicatesOf(row, query.filter);
    });
    if (query.metric === "count_distinct") {
      records += await addDistinct(context, row, where, query.field!, distinct);
      continue;
    }
    for (const [currency, more] of await currenciesOf(context, row, where, query)) {
      const part = { row, where: [...where, ...more], currency };
      records += await addGroups(context, part, query, grouping.request, merged);
      parts.push(part);
    }
  }
  const first = rows[0]!;
  const groups = [...merged.values()];
  const currencies = currenciesIn(groups);
  const answer: Aggregation = {
    object: "aggregation",
    stream: query.stream,
    metric: query.metric,
    ...(query.field === undefined ? {} : { field: query.field }),
    ...(query.group_by === undefined ? {} : { group_by: query.group_by }),
    ...grouping.echo,
    filtered_record_count: records,
    ...(query.metric === "count_distinct"
      ? { value: distinct.size }
      : !grouping.isGrouped && currencies.size <= 1
        ? { ...currencyOf(currencies), value: shownValue(first, query, groups[0]) }
        : await groupsOf(context, first, query, grouping, groups, parts)),
    approximate: false,
    ...identity,
  };
  return { body: JSON.stringify(answer), records: 0, reads: rows.map((row) => ({ row, records: 0 })) };
}

const currenciesIn = (groups: readonly Merged[]): Set<string | null> =>
  new Set(groups.flatMap(({ currency }) => (currency === undefined ? [] : [currency])));

const currencyOf = (currencies: ReadonlySet<string | null>) => {
  const [only] = currencies;
  return only === undefined || only === null ? {} : { currency: only };
};

async function groupsOf(
  context: ReadContext,
  row: ScopeRow,
  query: AggregateQuery,
  grouping: Grouping,
  groups: readonly Merged[],
  parts: readonly Part[],
): Promise<Partial<Aggregation>> {
  const currencies = currenciesIn(groups);
  const all = groups.map((group) => ({ ...group, value: metricOf(query.metric, group.values, group.count) }));
  const order = [...all.keys()].sort(groupComparison(all as AggregateGroup[], grouping.orderBy));
  const shown = order.slice(0, grouping.limit).map((index) => all[index]!);
  const cut = order.slice(grouping.limit).map((index) => all[index]!);
  const byCurrency = currencies.size > 1;
  const rest = await together(context, query, cut, parts);
  return {
    ...(grouping.isGrouped ? currencyOf(byCurrency ? new Set() : currencies) : { group_by: "currency" }),
    groups: shown.map(
      ({ key, currency, count, value }): AggregationGroup => ({
        key: grouping.isGrouped ? keyLabel(row, query, grouping, key) : (currency ?? null),
        ...(grouping.isGrouped && byCurrency ? { currency: currency ?? null } : {}),
        count,
        value: valueLabel(row, query, value) as AggregationGroup["value"],
      }),
    ),
    order_by: grouping.orderBy,
    limit: grouping.limit,
    other_count: rest.count,
    ...(cut.length === 0 || byCurrency ? {} : { other_value: shownValue(row, query, rest) }),
  };
}

/** Combines groups. With lists, a record may be in several groups, so the records are counted again. */
async function together(
  context: ReadContext,
  query: AggregateQuery,
  groups: readonly Merged[],
  parts: readonly Part[],
): Promise<Pick<Merged, "count" | "values">> {
  const field = query.group_by;
  if (field === undefined || groups.length === 0 || !parts.some(({ row }) => row.stream.lists.has(field))) {
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    return { count, values: groups.flatMap(({ values }) => values) };
  }
  const merged = new Map<string, Merged>();
  for (const part of parts) {
    const keys = groups.filter(({ currency }) => currency === part.currency).map(({ key }) => key);
    const values = keys.filter((key) => key !== null);
    // A record without a value is in no other group, so no record is counted twice.
    const selections: Predicate[] = [
      ...(values.length === 0 ? [] : [{ field, op: "in", values } as const]),
      ...(values.length === keys.length ? [] : [{ field, op: "exists", value: false } as const]),
    ];
    for (const selection of selections) {
      const where = [...part.where, selection];
      await addGroups(context, { row: part.row, where, currency: undefined }, query, {}, merged);
    }
  }
  const [found] = merged.values();
  return found ?? { count: 0, values: [] };
}

const shownValue = (row: ScopeRow, query: AggregateQuery, group: Pick<Merged, "count" | "values"> | undefined) =>
  valueLabel(row, query, metricOf(query.metric, group?.values ?? [], group?.count ?? 0)) as Aggregation["value"];

/** Computes the metric over several connections from each connection's value. */
function metricOf(metric: AggregateQuery["metric"], values: Merged["values"], count: number): ColumnValue {
  if (metric === "count") return count;
  const known = values.filter(({ value }) => value !== null);
  if (known.length === 0) return null;
  if (metric === "min" || metric === "max") {
    const sign = metric === "min" ? 1 : -1;
    return known.map(({ value }) => value).reduce((a, b) => (compareValues(a, b) * sign <= 0 ? a : b));
  }
  const sum = sumOf(known.map(({ value }) => value as number));
  if (metric === "sum") return sum;
  return sum === null ? null : sum / known.reduce((total, { count: own }) => total + own, 0);
}

async function addGroups(
  context: ReadContext,
  { row, where, currency }: Part,
  query: AggregateQuery,
  request: Grouping["request"],
  merged: Map<string, Merged>,
): Promise<number> {
  const plan = compilePlan(row);
  const columns = await context.columns(plan);
  const ask = (metric: AggregateQuery["metric"], more: readonly Predicate[] = []) =>
    columns.aggregate(selectionFor(plan, [...where, ...more]), {
      ...request,
      metric,
      field: metric === "count" ? undefined : query.field,
      orderBy: "key",
      limit: Number.MAX_SAFE_INTEGER,
    });
  const counted = await ask("count");
  const of = (key: ColumnValue): Merged => {
    const name = JSON.stringify([key, currency ?? null]);
    let group = merged.get(name);
    if (group === undefined) {
      group = { key, ...(currency === undefined ? {} : { currency }), count: 0, values: [] };
      merged.set(name, group);
    }
    return group;
  };
  for (const { key, count } of counted.groups ?? [{ key: null, count: counted.count }]) of(key).count += count;
  if (query.metric === "count") return counted.count;
  // An average needs the number of records with a value. Sums can be added, so the sum is requested instead.
  const present: Predicate[] = [{ field: query.field!, op: "exists", value: true }];
  const found = await ask(query.metric === "avg" ? "sum" : query.metric, present);
  for (const { key, count, value } of found.groups ?? [{ key: null, count: found.count, value: found.value ?? null }])
    of(key).values.push({ value, count });
  return counted.count;
}

async function addDistinct(
  context: ReadContext,
  row: ScopeRow,
  where: readonly Predicate[],
  field: string,
  distinct: Set<ColumnValue>,
): Promise<number> {
  const plan = compilePlan(row);
  const columns = await context.columns(plan);
  const { count, groups = [] } = await columns.aggregate(selectionFor(plan, where), {
    metric: "count",
    groupBy: field,
    orderBy: "key",
    limit: Number.MAX_SAFE_INTEGER,
  });
  for (const { key } of groups) if (key !== null) distinct.add(key);
  return count;
}
