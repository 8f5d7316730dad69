// Parses query strings. Every parameter must be known and occur once, with brackets as in PDPP.
import { PdppError } from "../../contract/errors.ts";
import { FILTER_OPERATORS } from "../../contract/read.ts";
import type { ParameterKind } from "../../contract/route.ts";

/** Parses a route's parameters. Unknown parameters are refused, never ignored. */
export function parseParameters(
  search: URLSearchParams,
  known: Readonly<Record<string, ParameterKind>>,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [rawName, value] of search) {
    // The older name of connection_id, accepted on REST only.
    const name = rawName === "connector_instance_id" ? "connection_id" : rawName;
    const [, base, rest] = /^([^[\]]*)(.*)$/s.exec(name)!;
    const kind = Object.hasOwn(known, base!) ? known[base!] : undefined;
    if (kind === undefined) throw unknownParameter(rawName, known);
    if (kind === "filter") setFilter(query, rest!, value, rawName);
    else if (kind === "limits") setLimit(query, base!, rest!, value, rawName);
    else if (kind === "list" && (rest === "[]" || rest === "")) append(query, base!, rest, value);
    else if (rest !== "") throw unknownParameter(rawName, known);
    else if (Object.hasOwn(query, base!))
      throw new PdppError("invalid_request", `${rawName} is given twice`, { param: rawName });
    else query[base!] = single(kind, value, rawName);
  }
  return query;
}

/** `name=a,b` is two items and `name[]=a,b` is one, because names can contain commas. */
function append(query: Record<string, unknown>, name: string, brackets: string, value: string): void {
  const before = (query[name] ?? []) as string[];
  const items = brackets === "[]" ? [value] : value.split(",");
  query[name] = [...before, ...items.filter((item) => item !== "")];
}

function setFilter(query: Record<string, unknown>, rest: string, value: string, param: string): void {
  const parts = /^\[([^[\]]+)\](?:\[(\w+)\](\[\])?)?$/.exec(rest);
  const [, field, operator, brackets] = parts ?? [];
  const known = operator === undefined || (FILTER_OPERATORS as string[]).includes(operator);
  if (!parts || !known || (brackets !== undefined && operator !== "in")) {
    throw new PdppError(
      "invalid_filter",
      `write filter[FIELD]=VALUE or filter[FIELD][${FILTER_OPERATORS.join("|")}]=VALUE, not ${param}`,
      { param },
    );
  }
  query.filter ??= Object.create(null);
  const filter = query.filter as Record<string, unknown>;
  const existing = filter[field!];
  if (operator === undefined) {
    if (existing !== undefined) throw new PdppError("invalid_filter", `two conditions on ${field}`, { param });
    filter[field!] = value;
    return;
  }
  if (existing !== undefined && typeof existing !== "object") {
    throw new PdppError("invalid_filter", `${field} already has an exact filter`, { param });
  }
  const condition = (existing ?? {}) as Record<string, unknown>;
  if (condition[operator] !== undefined && brackets === undefined)
    throw new PdppError("invalid_filter", `${param} is given twice`, { param });
  const operand = operandOf(operator, value, brackets !== undefined, param);
  const before = brackets === undefined ? undefined : (condition[operator] as unknown[] | undefined);
  filter[field!] = { ...condition, [operator]: before === undefined ? operand : [...before, ...(operand as string[])] };
}

/** `[in]=a,b` is two values and `[in][]=a,b` is one, because values can contain commas. */
function operandOf(operator: string, value: string, isOne: boolean, param: string): unknown {
  if (operator === "in") return isOne ? [value] : value.split(",");
  if (operator !== "exists") return value;
  if (value !== "true" && value !== "false")
    throw new PdppError("invalid_filter", `${param} must be true or false, not ${JSON.stringify(value)}`, { param });
  return value === "true";
}

function setLimit(query: Record<string, unknown>, name: string, rest: string, value: string, param: string): void {
  const relation = /^\[([^[\]]+)\]$/.exec(rest)?.[1];
  if (relation === undefined)
    throw new PdppError("invalid_expand", `write ${name}[RELATION]=N, not ${param}`, { param });
  query[name] ??= Object.create(null);
  const limits = query[name] as Record<string, number>;
  if (relation in limits) throw new PdppError("invalid_expand", `${param} is given twice`, { param });
  limits[relation] = integer(value, param);
}

function single(kind: ParameterKind, value: string, param: string): unknown {
  if (kind === "integer") return integer(value, param);
  if (kind !== "boolean") return value;
  if (value !== "true" && value !== "false")
    throw new PdppError("invalid_request", `${param} must be true or false`, { param });
  return value === "true";
}

function integer(value: string, param: string): number {
  if (!/^\d{1,15}$/.test(value))
    throw new PdppError("invalid_request", `${param} must be a whole number, not ${JSON.stringify(value)}`, { param });
  return Number(value);
}

function unknownParameter(name: string, known: Readonly<Record<string, ParameterKind>>): PdppError {
  return new PdppError("invalid_request", `unknown parameter ${JSON.stringify(name)}`, {
    param: name,
    next_step: `This call accepts: ${Object.keys(known).join(", ") || "no parameters"}.`,
  });
}
