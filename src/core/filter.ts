// Filters: from what a caller asked to typed predicates over columns, inside what the Scope shows.
import type { RangeOperator } from "../contract/declaration.ts";
import { PdppError } from "../contract/errors.ts";
import type { Filter } from "../contract/read.ts";
import type { ColumnKind, ColumnValue } from "./fields.ts";
import { formatInstant, parseDay, parseInstant } from "./instant.ts";
import { requireField } from "./plan.ts";
import type { ScopeRow } from "./scope.ts";
import { whyNotTime } from "./why.ts";

export interface Predicate {
  field: string;
  op: "eq" | RangeOperator;
  value: ColumnValue;
}

export function predicatesOf(row: ScopeRow, filter: Filter | undefined): Predicate[] {
  const predicates: Predicate[] = [];
  for (const [field, condition] of Object.entries(filter ?? {})) {
    const param = `filter[${field}]`;
    requireField(row, field, param);
    const kind = filterableKind(row, field, param);
    if (typeof condition !== "object") {
      predicates.push({ field, op: "eq", value: typedValue(kind, condition, param) });
      continue;
    }
    const allowed = row.stream.declaration.query?.range_filters?.[field] ?? [];
    for (const [op, value] of Object.entries(condition) as [RangeOperator, string | number | boolean][]) {
      if (!allowed.includes(op)) {
        const offered = allowed.length > 0 ? `it takes ${allowed.join(", ")}` : "it takes no range";
        throw new PdppError("invalid_filter", `${field} does not take ${op}: ${offered}`, { param: `${param}[${op}]` });
      }
      predicates.push({ field, op, value: typedValue(kind, value, `${param}[${op}]`) });
    }
  }
  refuseOutsideGrant(row, predicates);
  return predicates;
}

/** The grant's own time window as predicates. */
export function grantPredicates(row: ScopeRow): Predicate[] {
  const { time } = row;
  if (time === undefined) return [];
  const bounds: Predicate[] = [];
  if (time.since !== undefined) bounds.push({ field: time.field, op: "gte", value: time.since });
  if (time.until !== undefined) bounds.push({ field: time.field, op: "lt", value: time.until });
  // Without a bound a record still needs a time: one without is outside every window.
  if (bounds.length === 0) bounds.push({ field: time.field, op: "gte", value: Number.NEGATIVE_INFINITY });
  return bounds;
}

function filterableKind(row: ScopeRow, field: string, param: string): ColumnKind {
  const info = row.stream.fields.get(field)!;
  if (info.column !== undefined) return info.column;
  const searched = row.stream.declaration.query?.search?.lexical_fields?.includes(field);
  throw new PdppError(
    "invalid_filter",
    `${field} takes no filter: it is ${searched ? "free text" : `of type ${info.type}`}`,
    {
      param,
      ...(searched ? { next_step: `Search it instead: GET /v1/search?q=WORDS&streams[]=${row.stream.name}` } : {}),
    },
  );
}

function typedValue(kind: ColumnKind, value: string | number | boolean, param: string): ColumnValue {
  const typed = coerce(kind, value);
  if (typed !== undefined) return typed;
  const wanted = {
    string: "a text",
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
      // A date in place of a time is its midnight UTC, and the other way round.
      return typeof value === "string" ? (parseInstant(value) ?? parseDay(value)) : undefined;
  }
}

/** A range that misses the granted time altogether would look like "no data"; say what it is instead. */
function refuseOutsideGrant(row: ScopeRow, predicates: readonly Predicate[]): void {
  const { time } = row;
  if (time === undefined) return;
  const outside = predicates.some(({ field, op, value }) => {
    if (field !== time.field || typeof value !== "number") return false;
    const tooEarly =
      time.since !== undefined &&
      (op === "lt" ? value <= time.since : op !== "gte" && op !== "gt" && value < time.since);
    const tooLate = time.until !== undefined && op !== "lt" && op !== "lte" && value >= time.until;
    return tooEarly || tooLate;
  });
  if (!outside) return;
  const since =
    time.since === undefined ? "" : ` from ${formatInstant(time.since)}${time.until === undefined ? " on" : ""}`;
  const until = time.until === undefined ? "" : ` until ${formatInstant(time.until)}`;
  throw new PdppError("grant_time_range_exceeded", `the grant shows ${time.field}${since}${until}`, {
    param: `filter[${time.field}]`,
    why: whyNotTime(row),
  });
}
