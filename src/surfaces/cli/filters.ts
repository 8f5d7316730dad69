// Filters as people write them: `field=value`, `field>=value`, `field in a,b`, `field exists`.
import type { Filter, FilterCondition, FilterOperator } from "../../contract/read.ts";
import { FILTER_SIGNS } from "../../core/filter-text.ts";
import { type OptionValues, UsageError } from "./command.ts";

const OPERATORS: ReadonlyMap<string, keyof typeof FILTER_SIGNS> = new Map(
  Object.entries(FILTER_SIGNS).map(([operator, sign]) => [sign, operator as keyof typeof FILTER_SIGNS]),
);
const FORMS =
  "FIELD=VALUE, FIELD!=VALUE, FIELD>=VALUE (also >, <=, <), 'FIELD in A,B', 'FIELD contains V' (lists), 'FIELD exists' or 'FIELD not exists'";

export function filterFrom(values: OptionValues): Filter | undefined {
  const given = values.filter as string[] | undefined;
  if (given === undefined || given.length === 0) return undefined;
  const filter: Filter = Object.create(null);
  for (const condition of given) add(filter, condition);
  return filter;
}

function add(filter: Filter, text: string): void {
  const words = /^\s*([^=<>!\s]+)\s+(?:(not\s+)?exists|in\s+(.+?)|contains\s+(.+?))\s*$/s.exec(text);
  if (words) {
    const [, field, not, list, item] = words;
    if (item !== undefined) setOperator(filter, field!, "contains", { contains: item });
    else if (list === undefined) setOperator(filter, field!, "exists", { exists: not === undefined });
    else setOperator(filter, field!, "in", { in: valuesIn(list) });
    return;
  }
  const parts = /^([^=<>!]+)(>=|<=|!=|>|<|=)(.*)$/s.exec(text);
  if (!parts) throw new UsageError(`--filter must be ${FORMS}, not ${JSON.stringify(text)}`);
  const field = parts[1]!.trim();
  const value = parts[3]!;
  if (parts[2] === "=") {
    if (filter[field] !== undefined)
      throw new UsageError(
        `two conditions on ${field}: = cannot be combined with another condition on the same field; remove one of them`,
      );
    filter[field] = value;
    return;
  }
  const operator = OPERATORS.get(parts[2]!)!;
  setOperator(filter, field, operator, { [operator]: value });
}

function setOperator(filter: Filter, field: string, operator: FilterOperator, condition: FilterCondition): void {
  const existing = filter[field];
  if (existing !== undefined && typeof existing !== "object")
    throw new UsageError(`${field} already has an exact filter; remove one of the conditions`);
  if (existing?.[operator] !== undefined) throw new UsageError(`${field} has two conditions with ${operator}`);
  filter[field] = { ...existing, ...condition };
}

/** Parses `a,b`, or a JSON list for values that contain commas. */
function valuesIn(list: string): string[] {
  if (list.startsWith("[")) {
    try {
      const parsed = JSON.parse(list) as unknown;
      if (Array.isArray(parsed) && parsed.every((item) => ["string", "number", "boolean"].includes(typeof item)))
        return parsed.map(String);
    } catch {
      // Not JSON, so it is text that begins with a bracket.
    }
  }
  return list.split(",").map((item) => item.trim());
}
