// Filters as people write them: `field=value`, `field>=value`.
import type { RangeOperator } from "../../contract/declaration.ts";
import type { Filter } from "../../contract/read.ts";
import { type OptionValues, UsageError } from "./command.ts";

const OPERATORS = { ">=": "gte", ">": "gt", "<=": "lte", "<": "lt" } as const satisfies Record<string, RangeOperator>;

export function filterFrom(values: OptionValues): Filter | undefined {
  const given = values.filter as string[] | undefined;
  if (given === undefined || given.length === 0) return undefined;
  const filter: Filter = Object.create(null);
  for (const condition of given) add(filter, condition);
  return filter;
}

function add(filter: Filter, condition: string): void {
  const parts = /^([^=<>]+)(>=|<=|>|<|=)(.*)$/s.exec(condition);
  if (!parts)
    throw new UsageError(
      `--filter is FIELD=VALUE, or FIELD>=VALUE with >=, >, <= or <, not ${JSON.stringify(condition)}`,
    );
  const field = parts[1]!.trim();
  const value = parts[3]!;
  const existing = filter[field];
  if (parts[2] === "=") {
    if (existing !== undefined)
      throw new UsageError(`two conditions on ${field}; they are ANDed, so one exact value says it all`);
    filter[field] = value;
    return;
  }
  const operator = OPERATORS[parts[2] as keyof typeof OPERATORS];
  if (existing !== undefined && typeof existing !== "object")
    throw new UsageError(`${field} has an exact filter already`);
  if (existing?.[operator] !== undefined) throw new UsageError(`${field} ${parts[2]} stands twice`);
  filter[field] = { ...existing, [operator]: value };
}
