// Builds source declarations. An importer or a built-in source gives only its specifics; the rest is derived.
import type { JsonSchema, RangeOperator, SourceDeclaration, StreamDeclaration } from "../contract/declaration.ts";
import type { Kind } from "../contract/kinds.ts";

type Query = NonNullable<StreamDeclaration["query"]>;

/** A stream without the properties that are the same in all of our declarations. */
export interface DeclaredStream extends Pick<StreamDeclaration, "cursor_field" | "consent_time_field"> {
  name: string;
  description: string;
  display: { label: string; detail: string };
  /** If absent, records can change. */
  semantics?: "append_only";
  /** The kind of the records (KINDS), and for each role the field or fields that have it. */
  kind?: Kind;
  roles?: Record<string, string | readonly string[]>;
  /** The required fields of the schema are the primary key. */
  schema: JsonSchema;
  /**
   * The field that says when a record happened. It is the cursor field and the time by which an owner can limit
   * consent, and it has the role `time` unless another field has it. Every such stream can be filtered by a time range,
   * grouped by time, and queried for the minimum and maximum.
   */
  time?: string;
  /** Without `fields`, a view has every field of the schema. */
  views?: { id: string; label: string; fields?: string[] }[];
  /** Relations by name; all of them can be expanded. */
  related?: Record<string, Relation>;
  ranges?: string[];
  search?: string[];
  aggregations?: Omit<NonNullable<Query["aggregations"]>, "count">;
}

interface Relation {
  relationship: { stream: string; foreign_key: string; cardinality: "has_one" | "has_many" };
  limits: { default_limit?: number; max_limit?: number };
}

/** `foreign_key` is the field of this stream that contains the other record's id. */
export const hasOne = (stream: string, foreign_key: string): Relation => ({
  relationship: { stream, foreign_key, cardinality: "has_one" },
  limits: {},
});

/** `foreign_key` is the field of the other stream that contains this record's id. */
export const hasMany = (stream: string, foreign_key: string, max_limit = 50, default_limit = 10): Relation => ({
  relationship: { stream, foreign_key, cardinality: "has_many" },
  limits: { default_limit, max_limit },
});

/** `id` identifies the source among its publisher's sources: "bank", "tables/orders". */
export function declareSource(
  id: string,
  name: string,
  streams: DeclaredStream[],
  { sources = "https://postern.dev/sources", publisher = "https://postern.dev", version = "1.0.0" } = {},
): SourceDeclaration {
  return {
    protocol_version: "0.1.0",
    source: { kind: "connector", id: `${sources}/${id}` },
    declaration_version: version,
    publisher: { id: publisher },
    display: { name },
    streams: streams.map(declareStream),
  };
}

function declareStream(stream: DeclaredStream): StreamDeclaration {
  const { name, description, display, semantics = "mutable_state", time, related = {}, search } = stream;
  const { aggregations = {} } = stream;
  const withTime = (fields: string[] | undefined): string[] | undefined =>
    time === undefined ? fields : [time, ...(fields ?? [])];
  const ranges = withTime(stream.ranges);
  const schema = withRoles(stream);
  const { cursor_field = time, consent_time_field = time } = stream;
  const relations = Object.entries(related);
  return {
    name,
    description,
    display,
    semantics,
    schema,
    primary_key: schema.required!,
    ...(cursor_field === undefined ? {} : { cursor_field }),
    ...(consent_time_field === undefined ? {} : { consent_time_field }),
    selection: { fields: true, resources: true },
    ...(stream.views && {
      views: stream.views.map((view) => ({ ...view, fields: view.fields ?? Object.keys(schema.properties!) })),
    }),
    ...(relations.length > 0 && {
      relationships: relations.map(([as, { relationship }]) => ({ name: as, ...relationship })),
    }),
    query: {
      ...(ranges && { range_filters: Object.fromEntries(ranges.map((field) => [field, RANGE])) }),
      ...(relations.length > 0 && { expand: relations.map(([as, { limits }]) => ({ name: as, ...limits })) }),
      ...(search && { search: { lexical_fields: search } }),
      aggregations: {
        count: true,
        ...aggregations,
        ...(time && {
          group_by_time: withTime(aggregations.group_by_time)!,
          min: withTime(aggregations.min)!,
          max: withTime(aggregations.max)!,
        }),
      },
    },
  };
}

function withRoles({ schema, kind, time, roles = {} }: DeclaredStream): JsonSchema {
  if (kind === undefined) return schema;
  const properties = { ...schema.properties };
  for (const [role, names] of Object.entries({ ...(time && { time }), ...roles }))
    for (const name of [names].flat()) properties[name] = { ...properties[name], "x-role": role };
  return { ...schema, "x-kind": kind, properties };
}

const RANGE: RangeOperator[] = ["gte", "gt", "lte", "lt"];

/** Returns a record schema. Only the key is required, because a grant cannot omit a required field. */
export function recordSchema(title: string, properties: Record<string, JsonSchema>, required = ["id"]): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    type: "object",
    additionalProperties: false,
    properties,
    required,
  };
}

const typed =
  (type: string, format?: string) =>
  (title: string, description: string): JsonSchema => ({ type, ...(format ? { format } : {}), title, description });

const text = typed("string");
const count = typed("integer");

const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

/** Field schemas for records, each with a title and a description. */
export const field = {
  text,
  instant: typed("string", "date-time"),
  date: typed("string", "date"),
  number: typed("number"),
  count,
  flag: typed("boolean"),
  object,
  choice: (title: string, description: string, values: readonly string[]): JsonSchema => ({
    ...text(title, description),
    enum: [...values],
  }),
  list: (title: string, description: string, items: JsonSchema): JsonSchema => ({
    type: "array",
    title,
    description,
    items,
  }),
  texts: (title: string, description: string): JsonSchema => field.list(title, description, { type: "string" }),
  /** Bytes that are stored beside the record. */
  blobRef: (title: string, description: string): JsonSchema => ({
    ...object(
      {
        blob_id: text("Blob", "Id of the stored file."),
        mime_type: text("Media type", "Media type of the file."),
        size_bytes: count("Size", "Size in bytes."),
        sha256: text("SHA-256", "SHA-256 digest of the file, in hexadecimal."),
      },
      ["blob_id", "mime_type", "size_bytes", "sha256"],
    ),
    title,
    description,
  }),
};
