// The schema document: what can be read, and which queries are supported, under the caller's Scope.
import { z } from "zod";
import { bearer } from "./bearer.ts";
import { expandCapability, fieldCapability } from "./capability.ts";
import { jsonSchema, streamDeclaration } from "./declaration.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { count } from "./list.ts";
import { identifiers } from "./me.ts";
import { source } from "./source.ts";
import { timestamp } from "./timestamp.ts";

export const kind = z.enum(Object.keys(KINDS) as [Kind, ...Kind[]]);
const grantedConnections = z.array(z.strictObject({ connection_id: z.string(), display_name: z.string().optional() }));

/** The first and the last value of the stream's time field. */
export const timeSpan = z.strictObject({ field: z.string(), first: z.string(), last: z.string() });

/** The extent of a stream within a grant. */
const extent = {
  record_count: count.optional(),
  time_span: timeSpan.optional(),
};
export type Extent = z.infer<z.ZodObject<typeof extent>>;

/** One stream in the global index, with enough detail to choose it. */
export const streamIndexRow = z.strictObject({
  name: z.string(),
  label: z.string().optional(),
  kind: kind.optional(),
  ...extent,
  granted_connections: grantedConnections,
});

export const streamMetadata = z.strictObject({
  object: z.literal("stream_metadata"),
  name: z.string(),
  connector_key: z.string(),
  description: z.string().optional(),
  label: z.string().optional(),
  kind: kind.optional(),
  /** The granted fields for each role. */
  roles: z.record(z.string(), z.array(z.string())).optional(),
  ...extent,
  semantics: streamDeclaration.shape.semantics,
  primary_key: z.array(z.string()),
  cursor_field: z.string().optional(),
  consent_time_field: z.string().optional(),
  time_constraint: z
    .strictObject({ field: z.string(), since: timestamp.optional(), until: timestamp.optional() })
    .optional(),
  selection: z.strictObject({ fields: z.boolean(), resources: z.boolean() }),
  views: z.array(z.strictObject({ id: z.string(), label: z.string().optional(), fields: z.array(z.string()) })),
  relationships: z.array(expandCapability.pick({ name: true, stream: true, cardinality: true })),
  field_capabilities: z.record(z.string(), fieldCapability),
  aggregations: z.strictObject({ count: z.boolean() }),
  expand_capabilities: z.array(expandCapability),
  granted_connections: grantedConnections,
  /** The raw JSON Schema of the granted fields; present only in the full document. */
  schema: jsonSchema.optional(),
});

export const schemaConnector = z.strictObject({
  object: z.literal("connector"),
  source,
  connector_key: z.string(),
  display_name: z.string(),
  stream_count: count,
  streams: z.array(z.union([streamMetadata, streamIndexRow])),
});

export const schemaDocument = z.strictObject({
  object: z.literal("schema"),
  detail: z.enum(["compact", "stream", "full"]),
  bearer,
  /** The owner's names and addresses, limited to those that the granted data shows; present only in the index. */
  me: identifiers.optional(),
  extensions: z.record(z.string(), z.string()),
  connectors: z.array(schemaConnector),
  connector_count: count,
  stream_count: count,
});

export type StreamIndexRow = z.infer<typeof streamIndexRow>;
export type StreamMetadata = z.infer<typeof streamMetadata>;
export type SchemaConnector = z.infer<typeof schemaConnector>;
export type SchemaDocument = z.infer<typeof schemaDocument>;
