// The filter argument: one typed object. What models write instead is refused, and shown as it should be.
import type { JsonObject, JsonValue } from "../../contract/record.ts";

const OPERATORS = ["gte", "gt", "lte", "lt"];
const FORM = 'filter is an object such as {"FIELD": "value"} or {"FIELD": {"gte": "2024-01-01", "lt": "2025-01-01"}}';

/** What is wrong with it; undefined when nothing is. */
export function filterFault(filter: JsonValue | undefined): string | undefined {
  if (filter === undefined) return undefined;
  if (typeof filter === "string") return `${FORM}, not a text`;
  if (Array.isArray(filter)) return `${FORM}, not a list`;
  if (filter === null || typeof filter !== "object") return FORM;
  const entries = Object.entries(filter);
  if (entries.length === 0) return `${FORM}; an empty one filters nothing: leave it out`;
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
  if (condition === null || Array.isArray(condition))
    return `${name} is one value or a range, not ${condition === null ? "null" : "a list"}; ${FORM}`;
  if (typeof condition !== "object") return undefined;
  const operators = Object.keys(condition);
  const wrong = operators.find((operator) => !OPERATORS.includes(operator));
  if (wrong !== undefined)
    return `${name} takes gte, gt, lte and lt, not ${JSON.stringify(wrong.slice(0, 100))}; ${FORM}`;
  if (operators.length === 0) return `${name} is empty; name at least one of gte, gt, lte, lt`;
  return undefined;
}

/** The filter that was meant, from any of the forms it comes in; undefined when there is none to see. */
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
    // Not JSON: a query string, then, or something like one.
  }
  return text.split("&").flatMap((part): [string, JsonValue][] => {
    const [, name, operator, value] = /^\s*([^=<>!]+?)\s*(>=|<=|>|<|==?)\s*(.+?)\s*$/s.exec(part) ?? [];
    if (name === undefined) return [];
    const range = { ">=": "gte", "<=": "lte", ">": "gt", "<": "lt" }[operator!];
    return [[name, range === undefined ? value! : { [range]: value! }]];
  });
}

/** `{field, op, value}` as other query languages have it. */
function conditionsIn(item: JsonValue): [string, JsonValue][] {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return [];
  const { field, value, op, operator } = item;
  if (typeof field !== "string" || value === undefined) return Object.entries(item);
  const range = op ?? operator;
  return [[field, typeof range === "string" && OPERATORS.includes(range) ? { [range]: value } : value]];
}

function setCondition(filter: JsonObject, name: string, value: JsonValue): void {
  const parts = /^(?:filter\[([^\]]+)\]|([^[\]]+))(?:\[(\w+)\])?$/.exec(name);
  const field = parts?.[1] ?? parts?.[2];
  if (field === undefined || value === null || Array.isArray(value)) return;
  const operator = parts?.[3];
  if (operator !== undefined && OPERATORS.includes(operator)) {
    const before = filter[field];
    filter[field] = { ...(before !== null && typeof before === "object" ? before : {}), [operator]: value };
  } else if (typeof value !== "object") filter[field] = value;
  else {
    const range = Object.entries(value).map(([key, bound]): [string, JsonValue] => [key.replace(/^\$/, ""), bound]);
    const ours = range.filter(([key]) => OPERATORS.includes(key));
    const equal = range.find(([key]) => key === "eq")?.[1];
    if (ours.length > 0) filter[field] = Object.fromEntries(ours);
    else if (equal !== undefined) filter[field] = equal;
  }
}
