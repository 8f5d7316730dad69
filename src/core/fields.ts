// The fields of a stream's declaration, with their types and, where they have one, their typed column.
import type { JsonSchema, RangeOperator, StreamDeclaration } from "../contract/declaration.ts";
import type { JsonValue } from "../contract/record.ts";
import { parseDay, parseInstant } from "./instant.ts";

export type ColumnKind = "string" | "number" | "boolean" | "instant" | "day";

export interface Field {
  name: string;
  /** The first JSON Schema type that is not null. */
  type: string;
  format?: string;
  nullable: boolean;
  required: boolean;
  /** If absent, the field cannot be filtered, sorted or aggregated. */
  column?: ColumnKind;
}

/**
 * A column of lists: the values in a list of scalars, or the values of one field of the objects in a list. A single
 * object counts as a list of one.
 */
export interface ListColumn {
  /** `labels`, `to.address` or `organizer.email`. */
  name: string;
  /** The field that contains the list or the object. */
  field: string;
  /** The field inside the object, or inside the objects in the list. */
  member?: string;
  kind: ColumnKind;
  /** The JSON Schema type and format of one value. */
  type: string;
  format?: string;
}

/** The value of a column. Instants and days are in milliseconds. */
export type ColumnValue = string | number | boolean | null;

/**
 * A scalar field has a column unless it is a document or free text, that is, a field that the declaration lists only
 * for search. Searching long texts is always more useful than comparing them for equality.
 */
export function fieldsOf(stream: StreamDeclaration): Map<string, Field> {
  const structural = structuralFields(stream);
  const searched = new Set(stream.query?.search?.lexical_fields ?? []);
  const required = new Set(stream.schema.required ?? []);
  const fields = new Map<string, Field>();
  for (const [name, raw] of Object.entries(stream.schema.properties ?? {})) {
    const schema = dereference(raw, stream.schema);
    const { type, nullable } = typeOf(schema);
    const column = columnKind(type, schema.format);
    // A document that is stored as text, such as the points of a track, cannot be compared any better than free text.
    const isDocument = schema.contentMediaType !== undefined;
    const freeText = (isDocument || searched.has(name)) && !structural.has(name);
    fields.set(name, {
      name,
      type,
      nullable,
      required: required.has(name),
      ...(schema.format === undefined ? {} : { format: schema.format }),
      ...(column === undefined || freeText ? {} : { column }),
    });
  }
  return fields;
}

/**
 * Returns the range operators that a field supports. Uses hasOwn because a field can have the name of a property that
 * every object has, such as `constructor`.
 */
export function rangesOf({ query }: StreamDeclaration, field: string): readonly RangeOperator[] {
  const ranges = query?.range_filters ?? {};
  return Object.hasOwn(ranges, field) ? ranges[field]! : [];
}

/** Returns the fields that keys, order, ranges, aggregations or relations depend on. */
function structuralFields(stream: StreamDeclaration): Set<string> {
  const { range_filters = {}, aggregations = {} } = stream.query ?? {};
  const { count: _count, ...lists } = aggregations;
  return new Set([
    ...stream.primary_key,
    ...[stream.cursor_field, stream.consent_time_field].filter((name) => name !== undefined),
    ...Object.keys(range_filters),
    ...Object.values(lists).flat(),
    ...(stream.relationships ?? []).map((relation) => relation.foreign_key),
  ]);
}

/**
 * A list of scalars has a column. A field inside an object, or inside the objects in a list, has one if the declaration
 * uses it for search, grouping or distinct counts, or gives it a role. A top-level field takes precedence over an inner
 * field of the same name.
 */
export function listColumnsOf(stream: StreamDeclaration): Map<string, ListColumn> {
  const { search, aggregations = {} } = stream.query ?? {};
  const named = new Set([
    ...(search?.lexical_fields ?? []),
    ...(aggregations.group_by ?? []),
    ...(aggregations.count_distinct ?? []),
  ]);
  const fields = stream.schema.properties ?? {};
  const columns = new Map<string, ListColumn>();
  for (const [field, raw] of Object.entries(fields)) {
    const items = itemsOf(dereference(raw, stream.schema), stream.schema);
    if (items === undefined) continue;
    addListColumn(columns, items, { name: field, field });
    for (const [member, rawMember] of Object.entries(items.properties ?? {})) {
      const schema = dereference(rawMember, stream.schema);
      const name = `${field}.${member}`;
      if (Object.hasOwn(fields, name) || !(named.has(name) || typeof schema["x-role"] === "string")) continue;
      addListColumn(columns, schema, { name, field, member });
    }
  }
  return columns;
}

/** Returns the schema of one list item; an object is its own item. */
function itemsOf(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { type } = typeOf(schema);
  if (type === "object") return schema;
  return type === "array" && schema.items !== undefined ? dereference(schema.items, root) : undefined;
}

function addListColumn(
  columns: Map<string, ListColumn>,
  schema: JsonSchema,
  place: Pick<ListColumn, "name" | "field" | "member">,
): void {
  const { type } = typeOf(schema);
  const kind = columnKind(type, schema.format);
  if (kind === undefined) return;
  columns.set(place.name, { ...place, kind, type, ...(schema.format === undefined ? {} : { format: schema.format }) });
}

function typeOf(schema: JsonSchema): { type: string; nullable: boolean } {
  const options = schema.anyOf ?? schema.oneOf;
  if (schema.type === undefined && options) {
    const types = options.map((option) => option.type).filter((type) => typeof type === "string");
    const solid = [...new Set(types.filter((type) => type !== "null"))];
    return { type: solid.length === 1 ? solid[0]! : "any", nullable: types.includes("null") };
  }
  if (schema.type === undefined) {
    const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
    const allText = values.length > 0 && values.every((value) => typeof value === "string");
    return { type: allText ? "string" : "any", nullable: true };
  }
  const types = [schema.type].flat();
  const solid = types.filter((type) => type !== "null");
  return {
    type: solid.length === 1 ? solid[0]! : solid.length === 0 ? "null" : "any",
    nullable: types.includes("null"),
  };
}

function columnKind(type: string, format: string | undefined): ColumnKind | undefined {
  if (type === "string") return format === "date-time" ? "instant" : format === "date" ? "day" : "string";
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "boolean" : undefined;
}

/** Follows one local `#/$defs/…` reference, which is enough to find the type of a field. */
function dereference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = typeof schema.$ref === "string" ? /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1] : undefined;
  return name === undefined ? schema : { ...(root.$defs?.[name] ?? {}), ...schema };
}

/** Returns the column value for a JSON value; null if it does not match the kind. */
export function columnValue(kind: ColumnKind, value: JsonValue | undefined): ColumnValue {
  switch (kind) {
    case "string":
      return typeof value === "string" ? value : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "instant":
      return typeof value === "string" ? (parseInstant(value) ?? null) : null;
    case "day":
      return typeof value === "string" ? (parseDay(value) ?? null) : null;
  }
}

/** Returns the distinct values of a list column, unordered, without those that do not match the kind. */
export function listValues(
  { kind, member }: Pick<ListColumn, "kind" | "member">,
  list: JsonValue | undefined,
): ColumnValue[] {
  const values = new Set<ColumnValue>();
  for (const item of itemsIn(list, member)) {
    const value = columnValue(kind, member === undefined ? item : memberOf(item, member));
    if (value !== null) values.add(value);
  }
  return [...values];
}

/** Returns the items of a list. A single object counts as one item if one of its fields is requested. */
export function itemsIn(value: JsonValue | undefined, member: string | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || member === undefined ? [] : [value];
}

export function memberOf(item: JsonValue, member: string): JsonValue | undefined {
  const isObject = item !== null && typeof item === "object" && !Array.isArray(item);
  return isObject && Object.hasOwn(item, member) ? item[member] : undefined;
}
