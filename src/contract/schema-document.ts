// The schema document: what can be read and what can be asked of it, under the caller's Scope.
import type { Bearer, ExpandCapability, FieldCapability } from "./answers.ts";
import type { JsonSchema, StreamDeclaration } from "./declaration.ts";

export interface GrantedConnection {
  connection_id: string;
  display_name?: string;
}

/** One stream in the global index: enough to pick it. */
export interface StreamIndexRow {
  name: string;
  label?: string;
  connection_ids: string[];
}

export interface StreamMetadata {
  object: "stream_metadata";
  name: string;
  connector_key: string;
  description?: string;
  label?: string;
  semantics: StreamDeclaration["semantics"];
  primary_key: string[];
  cursor_field?: string;
  consent_time_field?: string;
  time_constraint?: { field: string; since?: string; until?: string };
  selection: { fields: boolean; resources: boolean };
  views: { id: string; label?: string; fields: string[] }[];
  relationships: { name: string; stream: string; cardinality: string }[];
  field_capabilities: Record<string, FieldCapability>;
  aggregations: { count: boolean };
  expand_capabilities: ExpandCapability[];
  granted_connections: GrantedConnection[];
  /** Raw JSON Schema of the granted fields; in the full document only. */
  schema?: JsonSchema;
}

export interface SchemaConnector {
  object: "connector";
  source: { kind: string; id: string };
  connector_key: string;
  display_name: string;
  stream_count: number;
  streams: (StreamMetadata | StreamIndexRow)[];
}

export interface SchemaDocument {
  object: "schema";
  detail: "compact" | "stream" | "full";
  bearer: Bearer;
  extensions: Record<string, string>;
  connectors: SchemaConnector[];
  connector_count: number;
  stream_count: number;
}
