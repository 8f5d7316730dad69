// The state of a stream's table, which is in its address: filters, sort order, columns and page. It is parsed here,
// with notes about parts that were not understood.

import type { RangeOperator } from "../../../../contract/declaration.ts";
import type { Kind } from "../../../../contract/kinds.ts";
import { FILTER_VALUES_MAX, FILTERS_MAX } from "../../../../contract/limits.ts";
import type { Filter, FilterCondition, FilterOperator } from "../../../../contract/read.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { defaultColumns } from "../../../../core/default-columns.ts";
import { parseDay, parseInstant } from "../../../../core/instant.ts";
import { type Pairs, pair } from "./addresses.ts";
import { dayAfter } from "./local-days.ts";
import { fieldsOf, type StreamField } from "./stream-fields.ts";
import { edge } from "./timeline.ts";

/** One filter in the address. `since` and `until` are days of the owner's calendar, both inclusive. */
export interface Condition {
  field: string;
  op: "is" | FilterOperator | "since" | "until";
  /** For `in`, the values separated by commas. */
  value: string;
  /** For `in`, each value. */
  values?: string[];
  /** The parameter name in the address. */
  param: string;
}

/** Comparisons that a form offers next to a value. A form cannot put them into the input's name. */
export const COMPARISONS = ["is", "contains", "ne", "in", "exists", "missing"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Ways to show a stream, with the kind's default first. */
export type StreamShow = "list" | "month" | "week" | "table" | "charts";

export function offeredShows(kind: Kind | undefined): readonly StreamShow[] {
  if (kind === undefined) return ["table", "charts"];
  return kind === "event" ? ["month", "week", "list", "table", "charts"] : ["list", "table", "charts"];
}

export const PAGE_SIZES = [25, 50, 100] as const;
const PAGE_SIZE = 50;

/** The order in which charts list the values of a field. */
export const RANKS = ["most", "least", "name"] as const;

export interface StreamPageState {
  show: StreamShow;
  /** A day of the month or week that a calendar shows. */
  at?: string;
  conditions: Condition[];
  /** The same conditions as the engine's filter. */
  filter: Filter;
  /** A field name, with a leading `-` for descending order. If absent, the stream's own order applies. */
  sort?: string;
  columns: string[];
  limit: number;
  cursor?: string;
  /** The year shown in the heat map. */
  year?: string;
  rank: (typeof RANKS)[number];
  /** All URL parameters except the page. Links are built from them. */
  pairs: Pairs;
  /** The parts of the address that could not be applied. */
  notes: string[];
}

/** `remembered` contains the columns that the owner chose last. */
export function stateOf(
  search: URLSearchParams,
  metadata: StreamMetadata,
  zone: string,
  remembered: readonly string[] = [],
): StreamPageState {
  const fields = new Map(fieldsOf(metadata).map((field) => [field.name, field]));
  const notes: string[] = [];
  const conditions: Condition[] = [];
  for (const condition of conditionsIn(search)) {
    const wrong = whyNot(condition, fields.get(condition.field), conditions);
    if (wrong === undefined) conditions.push(condition);
    else notes.push(wrong);
  }
  const sort = sortOf(search.get("sort"), fields, notes);
  const chosen = [...search.getAll("fields").flatMap((names) => names.split(",")), ...search.getAll("fields[]")];
  const known = (names: readonly string[]) =>
    [...new Set(names)].filter((name) => fields.get(name)?.isMember === false);
  const columns = known(chosen);
  const usual = known(remembered);
  const limit = PAGE_SIZES.find((size) => String(size) === search.get("limit"));
  const cursor = search.get("cursor");
  const year = /^\d{4}$/.exec(search.get("year") ?? "")?.[0];
  const rank = RANKS.find((one) => one === search.get("rank")) ?? "most";
  const offered = offeredShows(metadata.kind);
  // Columns and a sort order apply only to a table.
  const fallback = columns.length > 0 || sort !== undefined ? "table" : offered[0]!;
  const show = offered.find((one) => one === search.get("show")) ?? fallback;
  const at = dayIn(search.get("at"));
  return {
    show,
    conditions,
    filter: filterOf(conditions, fields, zone),
    ...(sort === undefined ? {} : { sort }),
    columns: columns.length > 0 ? columns : usual.length > 0 ? usual : defaultColumns(metadata, "title"),
    ...(at === undefined ? {} : { at }),
    limit: limit ?? PAGE_SIZE,
    ...(cursor === null || cursor === "" ? {} : { cursor }),
    ...(year === undefined ? {} : { year }),
    rank,
    pairs: [
      ...conditions.flatMap(conditionPairs),
      ...(sort === undefined ? [] : [pair("sort", sort)]),
      ...columnPairs(columns),
      ...(limit === undefined || limit === PAGE_SIZE ? [] : [pair("limit", String(limit))]),
      ...(show === fallback ? [] : [pair("show", show)]),
      ...(at === undefined ? [] : [pair("at", at)]),
      ...(year === undefined ? [] : [pair("year", year)]),
      ...(rank === "most" ? [] : [pair("rank", rank)]),
    ],
    notes,
  };
}

/** `2026-06`, `2026-06-20` */
function dayIn(text: string | null): string | undefined {
  const day = text !== null && /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text;
  return day === null || parseDay(day) === undefined ? undefined : day;
}

function conditionsIn(search: URLSearchParams): Condition[] {
  const compared = new Map<string, Comparison>();
  const lists = new Map<string, Condition>();
  const found: Condition[] = [];
  for (const [param, value] of search) {
    const field = /^how\[([^[\]]+)\]$/.exec(param)?.[1];
    const comparison = COMPARISONS.find((one) => one === value);
    if (field === undefined || comparison === undefined) continue;
    compared.set(field, comparison);
    if (comparison === "exists" || comparison === "missing") found.push(presence(field, comparison === "exists"));
  }
  for (const [param, value] of search) {
    const parts = /^(filter|since|until)\[([^[\]]+)\](?:\[(gte|gt|lte|lt|contains|in|ne|exists)\](\[\])?)?$/.exec(
      param,
    );
    if (parts === null || value === "") continue;
    const [, kind, field, operator, brackets] = parts as unknown as [string, string, string, FilterOperator?, string?];
    if (kind !== "filter") {
      found.push({ field, op: kind as "since" | "until", value, param });
      continue;
    }
    const how = operator === undefined ? compared.get(field) : undefined;
    if (how === "exists" || how === "missing") continue;
    const op = operator ?? how ?? "is";
    if (op === "in") {
      const values = brackets === undefined ? value.split(",").map((item) => item.trim()) : [value];
      const known = lists.get(field);
      if (known === undefined) {
        const list = oneOf(field, values);
        lists.set(field, list);
        found.push(list);
      } else Object.assign(known, oneOf(field, [...known.values!, ...values]));
    } else if (op === "exists") found.push(presence(field, value !== "false"));
    else found.push({ field, op, value, param: op === "is" ? param : `filter[${field}][${op}]` });
  }
  return found;
}

const presence = (field: string, exists: boolean): Condition => ({
  field,
  op: "exists",
  value: String(exists),
  param: `filter[${field}][exists]`,
});

const oneOf = (field: string, values: string[]): Condition => ({
  field,
  op: "in",
  value: values.join(", "),
  values,
  param: values.some((value) => value.includes(",")) ? `filter[${field}][in][]` : `filter[${field}][in]`,
});

function conditionPairs({ param, value, values }: Condition): Pairs {
  if (values === undefined) return [pair(param, value)];
  return param.endsWith("[]") ? values.map((item) => pair(param, item)) : [pair(param, values.join(","))];
}

/** Writes columns as briefly as possible. If a name contains commas, each column gets its own parameter. */
export function columnPairs(columns: readonly string[]): Pairs {
  if (columns.length === 0) return [];
  return columns.some((name) => name.includes(","))
    ? columns.map((name) => pair("fields[]", name))
    : [pair("fields", columns.join(","))];
}

function sortOf(asked: string | null, fields: ReadonlyMap<string, StreamField>, notes: string[]): string | undefined {
  if (asked === null || asked === "") return undefined;
  if (fields.get(asked.replace(/^-/, ""))?.can.sort) return asked;
  notes.push(`Sorting by “${asked}” is not possible.`);
  return undefined;
}

function whyNot(
  { field: name, op, value, values = [value], param }: Condition,
  field: StreamField | undefined,
  before: readonly Condition[],
): string | undefined {
  if (field === undefined) return `There is no field “${name}” to filter by.`;
  if (before.length >= FILTERS_MAX) return `At most ${FILTERS_MAX} filters can be used at once; “${name}” was ignored.`;
  const others = before.filter((other) => other.field === name);
  if (others.some((other) => other.param === param || (other.op === "is") !== (op === "is")))
    return `Two filters on ${field.label} cannot be combined; the first one applies.`;
  if (op === "since" || op === "until") {
    if (bound(field, op) === undefined) return `${field.label} cannot be filtered by day.`;
    return parseDay(value) === undefined ? `${field.label} needs a day such as 2024-05-31, not “${value}”.` : undefined;
  }
  const { exact_filter, range_filter, set_filter } = field.can;
  const offered: readonly string[] = [...(exact_filter ? ["is"] : []), ...range_filter, ...set_filter];
  if (!offered.includes(op)) return `${field.label} cannot be filtered this way.`;
  if (op === "exists") return undefined;
  if (values.length > FILTER_VALUES_MAX) return `${field.label} accepts at most ${FILTER_VALUES_MAX} values.`;
  const wrong = values.find((item) => misfit(field, item) !== undefined);
  return wrong === undefined ? undefined : `${field.label} needs ${misfit(field, wrong)}, not “${wrong}”.`;
}

function misfit({ kind }: StreamField, value: string): string | undefined {
  if (kind === "number") return value.trim() !== "" && Number.isFinite(Number(value)) ? undefined : "a number";
  if (kind === "boolean") return value === "true" || value === "false" ? undefined : "true or false";
  if (kind !== "time" && kind !== "day") return undefined;
  return (parseInstant(value) ?? parseDay(value)) === undefined ? "a time such as 2024-05-31T09:00:00Z" : undefined;
}

/** Returns the operator for a first or last day, whichever the field supports. */
export function bound({ kind, can }: StreamField, op: "since" | "until"): RangeOperator | undefined {
  if (kind !== "time" && kind !== "day") return undefined;
  const wanted: readonly RangeOperator[] = op === "since" ? ["gte", "gt"] : ["lt", "lte"];
  return wanted.find((operator) => can.range_filter.includes(operator));
}

function filterOf(conditions: readonly Condition[], fields: ReadonlyMap<string, StreamField>, zone: string): Filter {
  const filter: Filter = Object.create(null);
  for (const { field: name, op, value, values } of conditions) {
    const field = fields.get(name)!;
    if (op === "is") filter[name] = typed(field, value);
    else if (op === "in" || op === "ne" || op === "contains" || op === "exists") {
      const operand =
        op === "in"
          ? values!.map((item) => typed(field, item))
          : op === "exists"
            ? value === "true"
            : typed(field, value);
      filter[name] = { ...(filter[name] as FilterCondition | undefined), [op]: operand };
    } else {
      const [operator, operand] =
        op === "since" || op === "until" ? dayBound(field, op, value, zone) : [op, typed(field, value)];
      const own = (filter[name] ?? {}) as Record<string, string | number | boolean>;
      filter[name] = { ...own, [operator]: tighter(operator, own[operator], operand) };
    }
  }
  return { ...filter };
}

/** Returns the tighter bound, because a day and an instant can limit the same field from the same side. */
function tighter<T extends string | number | boolean>(operator: RangeOperator, one: T | undefined, other: T): T {
  if (one === undefined) return other;
  const [a, b] = [one, other].map((value) => Date.parse(String(value)));
  return operator === "gte" || operator === "gt" ? (a! > b! ? one : other) : a! < b! ? one : other;
}

const typed = ({ kind }: StreamField, value: string): string | number | boolean =>
  kind === "number" ? Number(value) : kind === "boolean" ? value === "true" : value;

/** Returns the bound that includes the whole day, whichever operator the field supports. */
function dayBound(field: StreamField, op: "since" | "until", day: string, zone: string): [RangeOperator, string] {
  const operator = bound(field, op)!;
  const kind = field.kind === "day" ? "day" : "instant";
  if (operator === "gte") return [operator, edge(day, { kind }, zone)];
  if (operator === "lt") return [operator, edge(dayAfter(day), { kind }, zone)];
  if (kind === "day") return [operator, operator === "gt" ? dayAfter(day, -1) : day];
  const at = Date.parse(edge(operator === "gt" ? day : dayAfter(day), { kind }, zone));
  return [operator, new Date(at - 1).toISOString()];
}
