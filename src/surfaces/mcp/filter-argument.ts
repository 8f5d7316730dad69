// The filter argument is one typed object. Other forms that models write are refused, with the correct form.
import { FILTER_OPERATORS } from "../../contract/read.ts";
import type { JsonObject, JsonValue } from "../../contract/record.ts";

const OPERATORS: readonly string[] = FILTER_OPERATORS;
const NAMED = `${OPERATORS.slice(0, -1).join(", ")} and ${OPERATORS.at(-1)}`;
const FORM = 'filter is an object such as {"FIELD": "value"} or {"FIELD": {"gte": "2024-01-01", "lt": "2025-01-01"}}';

/** Names that other query languages use for our operators. */
const MEANT: Readonly<Record<string, string>> = {
  ">=": "gte",
  ">": "gt",
  "<=": "lte",
  "<": "lt",
  "!=": "ne",
  "<>": "ne",
  neq: "ne",
  not: "ne",
  one_of: "in",
  any: "in",
  anyOf: "in",
  has: "contains",
  includes: "contains",
  is_set: "exists",
};

/** Describes what is wrong with a filter. Returns undefined if it is valid. */
export function filterFault(filter: JsonValue | undefined): string | undefined {
  if (filter === undefined) return undefined;
  if (typeof filter === "string") return `${FORM}, not a string`;
  if (Array.isArray(filter)) return `${FORM}, not a list`;
  if (filter === null || typeof filter !== "object") return FORM;
  const entries = Object.entries(filter);
  if (entries.length === 0) return `${FORM}; an empty one filters nothing: omit it`;
  for (const [field, condition] of entries) {
    if (/[[\]]/.test(field))
      return `${FORM}; ${JSON.stringify(field.slice(0, 100))} has brackets, which belong to query strings`;
    const fault = conditionFault(field, condition);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function conditionFault(field: string, condition: JsonValue): string | undefined {
  const name = `filter.${field.slice(0, 100)}`;
  if (condition === null) return `${name} must be a value, not null; for records without one, use {"exists": false}`;
  if (Array.isArray(condition)) return `${name} must be one value, not a list; for several, use {"in": [a, b]}`;
  if (typeof condition !== "object") return undefined;
  const operators = Object.keys(condition);
  const wrong = operators.find((operator) => !OPERATORS.includes(operator));
  if (wrong !== undefined) return `${name} takes ${NAMED}, not ${JSON.stringify(wrong.slice(0, 100))}; ${FORM}`;
  if (operators.length === 0) return `${name} is empty; specify at least one of ${OPERATORS.join(", ")}`;
  return undefined;
}

/** Guesses the intended filter from any of the forms that models write. Returns undefined if none is recognised. */
export function correctedFilter(given: JsonObject): JsonObject | undefined {
  const pairs: [string, JsonValue][] = Object.entries(given).filter(([name]) => name.startsWith("filter["));
  const { filter } = given;
  if (typeof filter === "string") pairs.push(...pairsIn(filter));
  else if (Array.isArray(filter)) for (const item of filter) pairs.push(...conditionsIn(item));
  else if (filter !== null && typeof filter === "object") pairs.push(...Object.entries(filter));
  const fixed: JsonObject = {};
  for (const [name, value] of pairs) setCondition(fixed, name, value);
  return Object.keys(fixed).length === 0 ? undefined : fixed;
}

function pairsIn(text: string): [string, JsonValue][] {
  try {
    const parsed = JSON.parse(text) as JsonValue;
    if (parsed !== null && typeof parsed === "object" && !Array.isArray(parsed)) return Object.entries(parsed);
  } catch {
    // Not JSON, so it is a query string or something similar.
  }
  return text.split("&").flatMap((part): [string, JsonValue][] => {
    const [, name, operator, value] = /^\s*([^=<>!]+?)\s*(>=|<=|!=|<>|>|<|==?)\s*(.+?)\s*$/s.exec(part) ?? [];
    if (name === undefined) return [];
    const meant = operatorIn(operator!);
    return [[name, meant === undefined ? value! : { [meant]: value! }]];
  });
}

/** Reads `{field, op, value}`, as in other query languages. */
function conditionsIn(item: JsonValue): [string, JsonValue][] {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return [];
  const { field, value, op, operator } = item;
  if (typeof field !== "string" || value === undefined) return Object.entries(item);
  const meant = operatorIn(String(op ?? operator ?? "eq"));
  return [[field, meant === undefined ? value : { [meant]: value }]];
}

/** Returns undefined for equality and for unknown operators. */
function operatorIn(given: string): string | undefined {
  const plain = given.replace(/^\$/, "");
  return OPERATORS.includes(plain) ? plain : Object.hasOwn(MEANT, plain) ? MEANT[plain] : undefined;
}

function setCondition(filter: JsonObject, name: string, value: JsonValue): void {
  const parts = /^(?:filter\[([^\]]+)\]|([^[\]]+))(?:\[(\w+)\])?$/.exec(name);
  const field = parts?.[1] ?? parts?.[2];
  if (field === undefined) return;
  const operator = parts?.[3];
  if (operator !== undefined && OPERATORS.includes(operator)) {
    const before = filter[field];
    filter[field] = { ...(before !== null && typeof before === "object" ? before : {}), [operator]: value };
  } else if (value === null) filter[field] = { exists: false };
  else if (Array.isArray(value)) filter[field] = { in: value };
  else if (typeof value !== "object") filter[field] = value;
  else {
    const ours = Object.entries(value).flatMap(([key, bound]) => meantBy(operatorIn(key), bound));
    const equal = value.eq ?? value.$eq;
    if (ours.length > 0) filter[field] = Object.fromEntries(ours);
    else if (equal !== undefined) filter[field] = equal;
  }
}

/** `ne: null` means that the field exists. `ne` or `eq` with a list has no equivalent here. */
function meantBy(operator: string | undefined, value: JsonValue): [string, JsonValue][] {
  if (operator === undefined) return [];
  if (operator === "ne" && value === null) return [["exists", true]];
  if (operator === "in" && !Array.isArray(value)) return [["in", [value]]];
  if (operator === "exists") return [["exists", value !== false && value !== "false"]];
  return [[operator, value]];
}
