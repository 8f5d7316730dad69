// schema(stream): what can be asked of a stream, once per distinct set of capabilities, as lists of field names in plain words.
import type { ExpandCapability, FieldCapability } from "../../contract/answers.ts";
import type { SchemaDocument, StreamMetadata } from "../../contract/schema-document.ts";
import { plainLine } from "../../core/steering.ts";
import { plainData, quoted } from "./plain.ts";
import { partsOf, type StreamPart } from "./schema-parts.ts";

const METRICS = ["sum", "avg", "min", "max", "count_distinct"] as const;
const DESCRIPTION_SHOWN = 200;
/** Of how many connections the names are told as well; the ids always are. */
const NAMED = 10;

type Relation = Pick<ExpandCapability, "name" | "stream" | "cardinality"> & Partial<ExpandCapability>;

export interface StreamSummary {
  name: string;
  connector_key: string;
  /** `2 of 3`, where the fields or connections do not fit one. */
  part?: string;
  label?: string;
  description?: string;
  connection_ids: string[];
  display_names?: string[];
  primary_key: string[];
  /** Newest first unless asked otherwise. */
  default_order?: string;
  granted_time?: object;
  /** Name → type. Each can stand in `fields`. */
  fields: Record<string, string>;
  /** Which fields take an exact filter, and which sort; mostly they are the same. */
  query: Record<string, string[]>;
  range_filter: Record<string, string[]>;
  search: string[];
  count: boolean;
  aggregate: Record<string, string[]>;
  expand: Relation[];
  views?: Record<string, string[]>;
}

export function summariesOf(document: SchemaDocument): StreamSummary[] {
  return document.connectors.flatMap(({ streams }) => (streams as StreamMetadata[]).flatMap(partsOf).map(summary));
}

function summary(stream: StreamPart): StreamSummary {
  const fields = Object.entries(stream.field_capabilities);
  const named = (test: (field: FieldCapability) => boolean) =>
    fields.filter(([, field]) => test(field)).map(([name]) => name);
  const aggregate = alike(
    [...METRICS, "group_by" as const, "group_by_time" as const].map(
      (name) => [name, named((field) => field.aggregation[name])] as const,
    ),
  );
  const connections = stream.granted_connections;
  return {
    name: stream.name,
    connector_key: stream.connector_key,
    ...(stream.part === undefined ? {} : { part: stream.part }),
    ...(stream.label === undefined ? {} : { label: plainLine(stream.label, DESCRIPTION_SHOWN) }),
    ...(stream.description === undefined ? {} : { description: plainLine(stream.description, DESCRIPTION_SHOWN) }),
    connection_ids: connections.map((row) => row.connection_id),
    ...(connections.length <= NAMED
      ? { display_names: connections.map((row) => plainLine(row.display_name ?? "", 60)) }
      : {}),
    primary_key: stream.primary_key,
    ...(stream.cursor_field === undefined ? {} : { default_order: `-${stream.cursor_field}` }),
    ...(stream.time_constraint === undefined ? {} : { granted_time: stream.time_constraint }),
    fields: Object.fromEntries(fields.map(([name, field]) => [name, typeText(field)])),
    query: alike([
      ["exact_filter", named((field) => field.exact_filter)],
      ["sort", named((field) => field.sort)],
    ]),
    range_filter: byOperators(fields),
    search: named((field) => field.lexical_search),
    count: stream.aggregations.count,
    aggregate,
    expand: stream.expand_capabilities.map(relation),
    ...(stream.views.length === 0
      ? {}
      : { views: Object.fromEntries(stream.views.map((view) => [view.id, view.fields])) }),
  };
}

/** One related record has no number to limit. */
const relation = ({ default_limit, max_limit, ...rest }: ExpandCapability): Relation =>
  rest.cardinality === "has_one" ? rest : { ...rest, default_limit, max_limit };

function typeText({ type, format, nullable }: FieldCapability): string {
  const base = format === undefined || type !== "string" ? type : format;
  return nullable === true ? `${base}|null` : base;
}

export function summaryText(row: StreamSummary): string {
  const ids = row.connection_ids.map((id, index) => {
    const name = row.display_names?.[index];
    return name ? `${id} ${quoted(name)}` : id;
  });
  const lines = [
    `stream ${row.name}${row.part === undefined ? "" : `, part ${row.part}`}, connector_key ${row.connector_key}${row.label === undefined ? "" : `, label ${quoted(row.label)}`}`,
    `connection_id: ${ids.join(", ")}`,
  ];
  const add = (name: string, names: readonly string[]) => {
    if (names.length > 0) lines.push(`${name}: ${names.join(", ")}`);
  };
  const addFields = (name: string, fields: readonly string[]) => add(name, fields.map(nameText));
  if (row.description !== undefined) lines.push(`description: ${JSON.stringify(row.description)}`);
  addFields("primary key", row.primary_key);
  if (row.default_order !== undefined) lines.push(`default order: ${row.default_order} (newest first)`);
  if (row.granted_time !== undefined) lines.push(`granted time: ${JSON.stringify(row.granted_time)}`);
  add(
    "fields, each also for projection with fields",
    Object.entries(row.fields).map(([name, type]) => `${nameText(name)} ${type}`),
  );
  for (const [powers, names] of Object.entries(row.query)) addFields(powers, names);
  for (const [operators, names] of Object.entries(row.range_filter)) addFields(`range_filter ${operators}`, names);
  addFields("search words in (lexical)", row.search);
  lines.push(row.count ? "count: yes (metric count; query_records count exact)" : "count: query_records count exact");
  for (const [metric, names] of Object.entries(row.aggregate)) addFields(metric, names);
  add(
    "expand",
    row.expand.map(({ name, stream, cardinality, default_limit, max_limit }) =>
      cardinality === "has_one"
        ? `${nameText(name)} (one of ${stream})`
        : `${nameText(name)} (many of ${stream}, ${default_limit} unless expand_limit, at most ${max_limit})`,
    ),
  );
  add(
    "views",
    Object.entries(row.views ?? {}).map(([id, names]) => `${nameText(id)} = ${names.map(nameText).join(" ")}`),
  );
  return plainData(lines).join("\n");
}

/** As it is, unless it would run into its neighbours. */
const nameText = (name: string): string =>
  /^[\w.-]+$|^\((all|\d+) fields\)$/.test(name) ? name : JSON.stringify(name);

function byOperators(fields: readonly [string, FieldCapability][]): Record<string, string[]> {
  const ranged = fields.filter(([, field]) => field.range_filter.length > 0);
  const groups = Object.groupBy(ranged, ([, field]) => field.range_filter.join(" "));
  return Object.fromEntries(
    Object.entries(groups).map(([operators, group]) => [operators, group!.map(([name]) => name)]),
  );
}

/** Names with the same fields under one key: `"min max": ["size"]`. Names without any fall away. */
function alike(lists: readonly (readonly [name: string, fields: string[]])[]): Record<string, string[]> {
  const groups = Object.groupBy(lists, ([, fields]) => fields.join("\n"));
  return Object.fromEntries(
    Object.values(groups)
      .map((group) => [group!.map(([name]) => name).join(" "), group![0]![1]] as const)
      .filter(([, fields]) => fields.length > 0),
  );
}

/** How to say it, once per answer. */
export const HOW =
  'Use: filter {"FIELD": value} or {"FIELD": {"gte": value, "lt": value}}; sort "FIELD" or "-FIELD"; fields ["FIELD"]; aggregate metric with field, or group_by, or group_by_time with granularity. A line such as min max: a, b holds for each of its words and fields.';
