// Filters: turns a caller's query into typed predicates over columns that the Scope shows.
import type { RangeOperator } from "../contract/declaration.ts";
import { PdppError } from "../contract/errors.ts";
import type { Filter, FilterCondition, FilterOperator } from "../contract/read.ts";
import { fieldCapability } from "./capabilities.ts";
import type { ColumnKind, ColumnValue } from "./fields.ts";
import { formatInstant, parseDay, parseInstant } from "./instant.ts";
import { requireColumn } from "./plan.ts";
import type { ScopeRow } from "./scope.ts";
import { whyNotTime } from "./why.ts";

export interface ValuePredicate {
  field: string;
  op: "eq" | RangeOperator;
  /** Null, or a value of a different type than the column's, matches no row. */
  value: ColumnValue;
}

export type Predicate =
  | ValuePredicate
  /** Records without a value match, because they differ from every value. */
  | { field: string; op: "ne"; value: ColumnValue }
  | { field: string; op: "in"; values: readonly ColumnValue[] }
  | { field: string; op: "exists"; value: boolean };

export function predicatesOf(row: ScopeRow, filter: Filter | undefined): Predicate[] {
  const predicates: Predicate[] = [];
  for (const [field, condition] of Object.entries(filter ?? {})) {
    const param = `filter[${field}]`;
    requireColumn(row, field, param);
    const kind = filterableKind(row, field, condition, param);
    if (typeof condition !== "object") {
      refuseExactList(row, field, condition, param);
      predicates.push({ field, op: "eq", value: typedValue(kind, condition, param) });
      continue;
    }
    for (const op of Object.keys(condition) as FilterOperator[]) {
      requireOperator(row, field, op, condition);
      predicates.push(predicateOf(kind, field, op, condition));
    }
  }
  refuseOutsideGrant(row, predicates);
  return predicates;
}

function predicateOf(kind: ColumnKind, field: string, op: FilterOperator, condition: FilterCondition): Predicate {
  const param = `filter[${field}][${op}]`;
  if (op === "exists") return { field, op, value: condition.exists! };
  if (op === "contains") return { field, op: "in", values: [typedValue(kind, condition.contains!, param)] };
  if (op === "in") return { field, op, values: condition.in!.map((value) => typedValue(kind, value, param)) };
  return { field, op, value: typedValue(kind, condition[op]!, param) };
}

/** Returns the operators that a filter on this field accepts, apart from an exact value. */
function operatorsOf(row: ScopeRow, field: string): FilterOperator[] {
  const { range_filter, set_filter } = fieldCapability(row, field);
  return [...range_filter, ...set_filter];
}

/** An exact filter on a list is ambiguous: the caller has to say whether the list equals this value or contains it. */
function refuseExactList(row: ScopeRow, field: string, value: string | number | boolean, param: string): void {
  if (!row.stream.lists.has(field)) return;
  throw new PdppError("invalid_filter", `${field} is a list; it accepts ${operatorsOf(row, field).join(", ")}`, {
    param,
    next_step: `To find lists that contain the value, use filter[${field}][contains]=${encodeURIComponent(String(value))}`,
  });
}

function requireOperator(row: ScopeRow, field: string, op: FilterOperator, condition: FilterCondition): void {
  const offered = operatorsOf(row, field);
  if (offered.includes(op)) return;
  const value = encodeURIComponent(String(condition[op]));
  throw new PdppError("invalid_filter", `${field} does not accept ${op}; it accepts ${offered.join(", ")}`, {
    param: `filter[${field}][${op}]`,
    next_step: `Filter by exact values, filter[${field}][in]=${value},…, or sort by ${field} and read up to the bound.`,
  });
}

/** Returns the grant's own time window and record filter as predicates. */
export function grantPredicates({ time, filter }: ScopeRow): Predicate[] {
  const bounds: Predicate[] = [];
  if (filter !== undefined) bounds.push({ field: filter.field, op: "in", values: [...filter.values] });
  if (time === undefined) return bounds;
  if (time.since !== undefined) bounds.push({ field: time.field, op: "gte", value: time.since });
  if (time.until !== undefined) bounds.push({ field: time.field, op: "lt", value: time.until });
  // A record without a time is outside every window, so a record needs a time even if the window has no bounds.
  if (time.since === undefined && time.until === undefined)
    bounds.push({ field: time.field, op: "gte", value: Number.NEGATIVE_INFINITY });
  return bounds;
}

function filterableKind(row: ScopeRow, field: string, condition: Filter[string], param: string): ColumnKind {
  const list = row.stream.lists.get(field);
  if (list !== undefined) return list.kind;
  const info = row.stream.fields.get(field)!;
  if (info.column !== undefined) return info.column;
  const searched = row.stream.declaration.query?.search?.lexical_fields?.includes(field);
  throw new PdppError(
    "invalid_filter",
    `${field} cannot be filtered: it is ${searched ? "free text" : `of type ${info.type}`}`,
    {
      param,
      next_step: searched
        ? `Search it instead: GET /v1/search?q=${wordsOf(condition)}&streams[]=${row.stream.name}`
        : `Leave filter[${field}] out; GET /v1/schema?stream=${row.stream.name} lists the fields that accept filters.`,
    },
  );
}

const wordsOf = (condition: Filter[string]): string =>
  typeof condition === "object" ? "WORDS" : encodeURIComponent(String(condition));

function typedValue(kind: ColumnKind, value: string | number | boolean, param: string): ColumnValue {
  const typed = coerce(kind, value);
  if (typed !== undefined) return typed;
  const wanted = {
    string: "a string",
    number: "a number",
    boolean: "true or false",
    instant: "a time such as 2024-05-31T00:00:00Z",
    day: "a date such as 2024-05-31",
  }[kind];
  throw new PdppError("invalid_filter", `${param} needs ${wanted}, not ${JSON.stringify(value)}`, { param });
}

function coerce(kind: ColumnKind, value: string | number | boolean): ColumnValue | undefined {
  switch (kind) {
    case "string":
      return typeof value === "string" ? value : String(value);
    case "number": {
      if (typeof value === "boolean" || value === "") return undefined;
      const number = Number(value);
      return Number.isFinite(number) ? number : undefined;
    }
    case "boolean":
      return value === true || value === "true" ? true : value === false || value === "false" ? false : undefined;
    case "instant":
    case "day":
      // A date in place of a time means midnight UTC on that date; a time in place of a date means the day of that
      // time.
      return typeof value === "string" ? (parseInstant(value) ?? parseDay(value)) : undefined;
  }
}

/**
 * Refuses a range that is entirely outside the granted time, with the reason, because an empty result would look like
 * "no data".
 */
function refuseOutsideGrant(row: ScopeRow, predicates: readonly Predicate[]): void {
  const { time } = row;
  if (time === undefined) return;
  const misses = (op: ValuePredicate["op"], value: ColumnValue): boolean => {
    if (typeof value !== "number") return false;
    const tooEarly =
      time.since !== undefined &&
      (op === "lt" ? value <= time.since : op !== "gte" && op !== "gt" && value < time.since);
    const tooLate = time.until !== undefined && op !== "lt" && op !== "lte" && value >= time.until;
    return tooEarly || tooLate;
  };
  const outside = predicates.some((predicate) => {
    if (predicate.field !== time.field || predicate.op === "ne" || predicate.op === "exists") return false;
    if (predicate.op === "in") return predicate.values.every((value) => misses("eq", value));
    return misses(predicate.op, predicate.value);
  });
  if (!outside) return;
  const from = time.until === undefined ? "since" : "from";
  const since = time.since === undefined ? "" : ` ${from} ${formatInstant(time.since)}`;
  const until = time.until === undefined ? "" : ` until ${formatInstant(time.until)}`;
  throw new PdppError("grant_time_range_exceeded", `the grant covers ${time.field}${since}${until}`, {
    param: `filter[${time.field}]`,
    why: whyNotTime(row),
  });
}
