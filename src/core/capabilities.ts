// The capabilities of a stream under a Scope row, per field and per relation.
import type { ExpandCapability, FieldCapability } from "../contract/answers.ts";
import type { Relationship } from "../contract/declaration.ts";
import { EXPAND } from "../contract/limits.ts";
import { type ListColumn, rangesOf } from "./fields.ts";
import type { Scope, ScopeRow } from "./scope.ts";

export function visibleFields(row: ScopeRow): string[] {
  return [...row.stream.fields.keys()].filter((name) => row.fields?.has(name) ?? true);
}

/** Names that can be filtered, grouped and searched: fields, and fields inside lists. */
export function visibleColumns(row: ScopeRow): string[] {
  const members = [...row.stream.lists.values()].filter(
    ({ member, field }) => member !== undefined && (row.fields?.has(field) ?? true),
  );
  return [...visibleFields(row), ...members.map(({ name }) => name)];
}

function listCapability(row: ScopeRow, { name, type, format }: ListColumn): FieldCapability {
  const { search, aggregations = {} } = row.stream.declaration.query ?? {};
  const no = { group_by_time: false, sum: false, min: false, max: false, avg: false };
  return {
    type: "array",
    items: format ?? type,
    granted: true,
    exact_filter: false,
    range_filter: [],
    set_filter: ["contains", "in", "ne", "exists"],
    sort: false,
    lexical_search: search?.lexical_fields?.includes(name) ?? false,
    semantic_search: false,
    aggregation: {
      ...no,
      count_distinct: aggregations.count_distinct?.includes(name) ?? false,
      group_by: aggregations.group_by?.includes(name) ?? false,
    },
  };
}

export function fieldCapability(row: ScopeRow, name: string): FieldCapability {
  const list = row.stream.lists.get(name);
  if (list !== undefined) return listCapability(row, list);
  const field = row.stream.fields.get(name)!;
  const { search, aggregations = {} } = row.stream.declaration.query ?? {};
  const column = field.column !== undefined;
  const numeric = field.column === "number";
  const temporal = field.column === "instant" || field.column === "day";
  const names = (list: readonly string[] | undefined) => column && (list?.includes(name) ?? false);
  return {
    type: field.type,
    ...(field.format === undefined ? {} : { format: field.format }),
    ...(field.nullable ? { nullable: true } : {}),
    granted: true,
    exact_filter: column,
    range_filter: column ? [...rangesOf(row.stream.declaration, name)] : [],
    set_filter: column ? ["in", "ne", "exists"] : [],
    sort: column,
    lexical_search: search?.lexical_fields?.includes(name) ?? false,
    // Always false, even if declared, because advertised capabilities must work and it is not known here whether a
    // model is configured.
    semantic_search: false,
    aggregation: {
      count_distinct: names(aggregations.count_distinct),
      group_by: names(aggregations.group_by),
      group_by_time: temporal && names(aggregations.group_by_time),
      sum: numeric && names(aggregations.sum),
      min: names(aggregations.min),
      max: names(aggregations.max),
      avg: numeric && (names(aggregations.avg) || names(aggregations.sum)),
    },
  };
}

export interface Expansion extends ExpandCapability {
  foreignKey: string;
  target: ScopeRow;
}

/**
 * Relations that can be expanded: they are declared, and both ends, including the foreign key, are inside the Scope of
 * the same connection.
 */
export function expansionsOf(scope: Scope, row: ScopeRow): Expansion[] {
  const { relationships = [], query } = row.stream.declaration;
  const found: Expansion[] = [];
  for (const offer of query?.expand ?? []) {
    const relation = relationships.find((candidate) => candidate.name === offer.name);
    const target = relation && targetOf(scope, row, relation);
    if (!relation || !target) continue;
    const maximum = Math.min(offer.max_limit ?? EXPAND.max, EXPAND.max);
    found.push({
      name: relation.name,
      stream: relation.stream,
      cardinality: relation.cardinality,
      default_limit: Math.min(offer.default_limit ?? EXPAND.default, maximum),
      max_limit: maximum,
      foreignKey: relation.foreign_key,
      target,
    });
  }
  return found;
}

function targetOf(scope: Scope, row: ScopeRow, relation: Relationship): ScopeRow | undefined {
  const target = scope.rows.find(
    (other) =>
      other.stream.connectionId === row.stream.connectionId &&
      other.stream.name === relation.stream &&
      other.grantId === row.grantId,
  );
  if (!target) return undefined;
  const holder = relation.cardinality === "has_many" ? target : row;
  const field = holder.stream.fields.get(relation.foreign_key);
  const visible = field?.column !== undefined && (holder.fields?.has(relation.foreign_key) ?? true);
  return visible ? target : undefined;
}
