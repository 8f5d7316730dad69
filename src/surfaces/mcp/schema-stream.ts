// schema(stream): the queries that a stream supports, once per distinct set of capabilities, as lists of field names in
// plain words.
import type { ExpandCapability, FieldCapability } from "../../contract/answers.ts";
import type { SchemaDocument, StreamMetadata } from "../../contract/schema-document.ts";
import { plainLine } from "../../core/unsafe-characters.ts";
import { plainData, quoted } from "./plain.ts";
import { extentText } from "./schema-extent.ts";
import { partsOf, type StreamPart } from "./schema-parts.ts";

const METRICS = ["sum", "avg", "min", "max", "count_distinct"] as const;
const DESCRIPTION_SHOWN = 200;
/** With up to this many connections, their names are included. Their ids are always included. */
const NAMED = 10;

export interface SchemaStream {
  name: string;
  connector_key: string;
  /** `2 of 3`, if the fields or connections do not fit into one part. */
  part?: string;
  label?: string;
  /** Kind, number of records, first and last day. */
  about: string;
  description?: string;
  /** Present if there is only one connection, under the name that the reference tools look for (C-08). */
  connection_id?: string;
  connection_ids: string[];
  display_names?: string[];
  /** Absent if the key is `id`. */
  primary_key?: string[];
  /** The default order: newest first by this field. */
  default_order?: string;
  granted_time?: object;
  /** Field names by type. Each can be used in `fields`. */
  fields: Record<string, string[]>;
  /**
   * `"min max": ["size"]` lists the fields that support something; `"sort, all but": ["body"]` lists those that do not.
   */
  capabilities: Record<string, string[]>;
  /** Absent if aggregate can count the records. */
  count?: false;
  /** Relation → `one of STREAM`, or `many of STREAM` with its limits. Only the names if there are several sets. */
  expand?: Record<string, string> | string[];
  views?: Record<string, string[]>;
}

export function summariesOf(document: SchemaDocument): SchemaStream[] {
  const streams = document.connectors.flatMap((row) => row.streams as StreamMetadata[]);
  // If there are several sets, each summary has only its identity and what its fields support. Selecting one set
  // returns the rest.
  return streams.flatMap(partsOf).map((part) => summary(part, streams.length === 1));
}

function summary(stream: StreamPart, isOnly: boolean): SchemaStream {
  const fields = Object.entries(stream.field_capabilities);
  const named = (test: (field: FieldCapability) => boolean) =>
    fields.filter(([, field]) => test(field)).map(([name]) => name);
  const lists: (readonly [string, string[]])[] = [
    ["exact_filter", named((field) => field.exact_filter)],
    ["sort", named((field) => field.sort)],
    ...rangeLists(fields),
    ["contains", named((field) => field.set_filter.includes("contains"))],
    ["search", named((field) => field.lexical_search)],
    ...[...METRICS, "group_by" as const, "group_by_time" as const].map(
      (name) => [name, named((field) => field.aggregation[name])] as const,
    ),
  ];
  const connections = stream.granted_connections;
  return {
    name: stream.name,
    connector_key: stream.connector_key,
    ...(stream.part === undefined ? {} : { part: stream.part }),
    ...(stream.label === undefined || (!isOnly && stream.kind !== undefined)
      ? {}
      : { label: plainLine(stream.label, DESCRIPTION_SHOWN) }),
    about: extentText(stream),
    ...(stream.description === undefined || !isOnly
      ? {}
      : { description: plainLine(stream.description, DESCRIPTION_SHOWN) }),
    ...(isOnly && connections.length === 1 ? { connection_id: connections[0]!.connection_id } : {}),
    connection_ids: connections.map((row) => row.connection_id),
    ...(connections.length <= NAMED
      ? { display_names: connections.map((row) => plainLine(row.display_name ?? "", 60)) }
      : {}),
    ...(stream.primary_key.join() === "id" ? {} : { primary_key: stream.primary_key }),
    ...(stream.cursor_field === undefined || !isOnly ? {} : { default_order: `-${stream.cursor_field}` }),
    ...(stream.time_constraint === undefined ? {} : { granted_time: stream.time_constraint }),
    fields: namesByType(fields),
    capabilities: alike(lists, Object.keys(stream.field_capabilities)),
    ...(stream.aggregations.count ? {} : { count: false }),
    ...(stream.expand_capabilities.length === 0
      ? {}
      : {
          expand: isOnly
            ? Object.fromEntries(stream.expand_capabilities.map((one) => [one.name, relationText(one)]))
            : stream.expand_capabilities.map(({ name }) => name),
        }),
    ...(stream.views.length === 0 || !isOnly
      ? {}
      : { views: Object.fromEntries(stream.views.map((view) => [view.id, view.fields])) }),
  };
}

/** A single related record has no limit. */
const relationText = ({ stream, cardinality, default_limit, max_limit }: ExpandCapability): string =>
  cardinality === "has_one"
    ? `one of ${stream}`
    : `many of ${stream}, ${default_limit} by default, at most ${max_limit}`;

function typeText({ type, format, nullable, items }: FieldCapability): string {
  if (items !== undefined) return `${items}[]`;
  const base = format === undefined || type !== "string" ? type : format;
  return nullable === true ? `${base}|null` : base;
}

export function summaryText(row: SchemaStream): string {
  const ids = row.connection_ids.map((id, index) => {
    const name = row.display_names?.[index];
    return name ? `${id} ${quoted(name)}` : id;
  });
  const lines = [
    `stream ${row.name}${row.part === undefined ? "" : `, part ${row.part}`}, connector_key ${row.connector_key}${row.label === undefined ? "" : `, label ${quoted(row.label)}`} (${row.about})`,
    `connection_id: ${ids.join(", ")}`,
  ];
  const add = (name: string, names: readonly string[]) => {
    if (names.length > 0) lines.push(`${name}: ${names.join(", ")}`);
  };
  const addFields = (name: string, fields: readonly string[]) => add(name, fields.map(nameText));
  if (row.description !== undefined) lines.push(`description: ${JSON.stringify(row.description)}`);
  addFields("primary key", row.primary_key ?? []);
  if (row.default_order !== undefined) lines.push(`default order: ${row.default_order}`);
  if (row.granted_time !== undefined) lines.push(`granted time: ${JSON.stringify(row.granted_time)}`);
  // `string id title`: a type and the fields of that type.
  add(
    "fields",
    Object.entries(row.fields).map(([type, names]) => [type, ...names.map(nameText)].join(" ")),
  );
  for (const [powers, names] of Object.entries(row.capabilities)) addFields(powers, names);
  if (row.count === false) lines.push("count: only query_records with count");
  add(
    "expand",
    Array.isArray(row.expand)
      ? row.expand.map(nameText)
      : Object.entries(row.expand ?? {}).map(([name, text]) => `${nameText(name)} (${text})`),
  );
  add(
    "views",
    Object.entries(row.views ?? {}).map(([id, names]) => `${nameText(id)} = ${names.map(nameText).join(" ")}`),
  );
  return plainData(lines).join("\n");
}

/** Groups fields by type, because most are strings and the type is then given only once. */
function namesByType(fields: readonly [string, FieldCapability][]): SchemaStream["fields"] {
  const groups = Map.groupBy(fields, ([, field]) => typeText(field));
  return Object.fromEntries([...groups].map(([type, group]) => [type, group.map(([name]) => name)]));
}

/** A name is left unquoted unless it would run into its neighbours. */
const nameText = (name: string): string => (/^[\w.-]+$|^\(\d+ fields\)$/.test(name) ? name : JSON.stringify(name));

/** All four operators are the default, so they are not listed. */
const ALL_OPERATORS = "gte gt lte lt";

function rangeLists(fields: readonly [string, FieldCapability][]): [string, string[]][] {
  const ranged = fields.filter(([, field]) => field.range_filter.length > 0);
  return [...Map.groupBy(ranged, ([, field]) => field.range_filter.join(" "))].map(([operators, group]) => [
    operators === ALL_OPERATORS ? "range_filter" : `range_filter(${operators.replaceAll(" ", "_")})`,
    group.map(([name]) => name),
  ]);
}

/**
 * Groups names that have the same fields under one key. If it is shorter to list the fields that lack the capability,
 * those are listed instead. Names without fields are dropped.
 */
function alike(lists: readonly (readonly [name: string, fields: string[]])[], all: readonly string[]) {
  const groups = Map.groupBy(
    lists.filter(([, fields]) => fields.length > 0),
    ([, fields]) => fields.join("\n"),
  );
  return Object.fromEntries(
    [...groups.values()].map((group): [string, string[]] => {
      const names = group.map(([name]) => name).join(" ");
      const fields = group[0]![1];
      const others = all.filter((name) => !fields.includes(name));
      return others.length > 0 && others.length < fields.length ? [`${names}, all but`, others] : [names, fields];
    }),
  );
}

/** Explains how to read the summary, once per result. */
export const HOW =
  "A line such as min max: a, b applies to each word and field. range_filter takes gte gt lte lt; exact_filter, contains in ne exists. Any field can be in fields. count: yes unless stated";
