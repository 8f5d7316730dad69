// Source declarations: the name of a source, its streams, their schemas and the queries they support.
import { z } from "zod";
import { DECLARATION_PROTOCOL_VERSION, DECLARATION_STREAMS_MAX, NAME_MAX } from "./limits.ts";

/** The part of JSON Schema 2020-12 that we read ourselves; ajv enforces all of it. */
export interface JsonSchema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}

export const jsonSchema = z
  .custom<JsonSchema>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be a JSON Schema object",
  )
  .meta({ type: "object", description: "JSON Schema 2020-12" });

const absoluteUri = z
  .string()
  .max(2000)
  .refine((text) => URL.canParse(text), "must be an absolute URI");
const name = z.string().min(1).max(NAME_MAX);
const fieldList = z.array(name).max(500);
export const rangeOperator = z.enum(["gte", "gt", "lte", "lt"]);

const aggregations = z.strictObject({
  count: z.boolean().optional(),
  count_distinct: fieldList.optional(),
  group_by: fieldList.optional(),
  group_by_time: fieldList.optional(),
  sum: fieldList.optional(),
  min: fieldList.optional(),
  max: fieldList.optional(),
  avg: fieldList.optional(),
});

const query = z.strictObject({
  range_filters: z.record(name, z.array(rangeOperator)).optional(),
  expand: z
    .array(z.strictObject({ name, default_limit: z.int().min(1).optional(), max_limit: z.int().min(1).optional() }))
    .optional(),
  search: z.strictObject({ lexical_fields: fieldList.optional(), semantic_fields: fieldList.optional() }).optional(),
  aggregations: aggregations.optional(),
});

const relationship = z.strictObject({
  name,
  stream: name,
  /**
   * For has_many, the field of the related stream that contains this record's id. For has_one, the field of this stream
   * that contains the related record's id.
   */
  foreign_key: name,
  cardinality: z.enum(["has_one", "has_many"]),
});

export const streamDeclaration = z.strictObject({
  name: name.regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, "letters, digits, _ . - only"),
  description: z.string().max(4000).optional(),
  display: z.strictObject({ label: z.string().optional(), detail: z.string().optional() }).optional(),
  semantics: z.enum(["append_only", "mutable_state"]),
  schema: jsonSchema,
  primary_key: z.array(name).min(1).max(8),
  cursor_field: name.optional(),
  consent_time_field: name.optional(),
  selection: z.strictObject({ fields: z.boolean().optional(), resources: z.boolean().optional() }).optional(),
  views: z
    .array(z.strictObject({ id: name, label: z.string().optional(), fields: fieldList }))
    .max(50)
    .optional(),
  relationships: z.array(relationship).max(50).optional(),
  query: query.optional(),
});

export const sourceDeclaration = z.strictObject({
  protocol_version: z.literal(DECLARATION_PROTOCOL_VERSION),
  source: z.strictObject({ kind: z.enum(["connector", "provider_native"]), id: absoluteUri }),
  declaration_version: z.string().min(1).max(100),
  publisher: z.looseObject({ id: z.string().min(1) }),
  display: z.looseObject({ name: z.string().min(1).max(NAME_MAX) }),
  selection_presets: z.array(z.looseObject({ id: name })).optional(),
  streams: z.array(streamDeclaration).min(1).max(DECLARATION_STREAMS_MAX),
  extensions: z.record(z.string(), z.unknown()).optional(),
});

export type SourceDeclaration = z.infer<typeof sourceDeclaration>;
export type StreamDeclaration = z.infer<typeof streamDeclaration>;
export type Relationship = z.infer<typeof relationship>;
export type RangeOperator = z.infer<typeof rangeOperator>;
