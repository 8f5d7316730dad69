// Formats a filter in command-line syntax, one string per condition: `status in a,b`.
import type { Filter, FilterCondition, FilterOperator } from "../contract/read.ts";

export const FILTER_SIGNS = { gte: ">=", gt: ">", lte: "<=", lt: "<", ne: "!=" } as const satisfies Partial<
  Record<FilterOperator, string>
>;

export function filterTexts(filter: Filter): string[] {
  return Object.entries(filter).flatMap(([field, condition]) =>
    typeof condition === "object"
      ? (Object.keys(condition) as FilterOperator[]).map((op) => conditionText(field, op, condition))
      : [`${field}=${condition}`],
  );
}

function conditionText(field: string, op: FilterOperator, condition: FilterCondition): string {
  if (op === "exists") return condition.exists ? `${field} exists` : `${field} not exists`;
  if (op === "contains") return `${field} contains ${condition.contains}`;
  if (op === "in") return `${field} in ${listText(condition.in!)}`;
  return `${field}${FILTER_SIGNS[op]}${condition[op]}`;
}

/** Values that contain a comma or look like a list need a JSON list. */
function listText(values: readonly (string | number | boolean)[]): string {
  const texts = values.map(String);
  return texts.some((text) => /,|^\[|^\s|\s$|^$/.test(text)) ? JSON.stringify(texts) : texts.join(",");
}

/** Returns true for a field name that the command line could confuse with an operator. */
export const isHardToType = (field: string): boolean => /[=<>!,\s]/.test(field);
