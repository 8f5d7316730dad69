// Short words for the declarations of importers.
import type { JsonSchema, RangeOperator, SourceDeclaration, StreamDeclaration } from "../../contract/declaration.ts";

/** `id` names the source below ours: "bank", "tables/orders". */
export function declareSource(id: string, name: string, streams: StreamDeclaration[]): SourceDeclaration {
  return {
    protocol_version: "0.1.0",
    source: { kind: "connector", id: `https://postern.dev/sources/${id}` },
    declaration_version: "1.0.0",
    publisher: { id: "https://postern.dev" },
    display: { name },
    streams,
  };
}

/** A record's schema. Only the key is required: what a schema requires, no grant can leave out. */
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

export const text = typed("string");
export const instant = typed("string", "date-time");
export const date = typed("string", "date");
export const number = typed("number");
export const count = typed("integer");
export const flag = typed("boolean");

export const choice = (title: string, description: string, values: readonly string[]): JsonSchema => ({
  ...text(title, description),
  enum: [...values],
});

export const list = (title: string, description: string, items: JsonSchema): JsonSchema => ({
  type: "array",
  title,
  description,
  items,
});

export const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

/** All four range operators on each field. */
export function ranges(...fields: string[]): Record<string, RangeOperator[]> {
  return Object.fromEntries(fields.map((field) => [field, ["gte", "gt", "lte", "lt"] satisfies RangeOperator[]]));
}

export const selectable = { fields: true, resources: true };

/** Bytes that are kept beside the record. */
export const blobRef = (title: string, description: string): JsonSchema => ({
  ...object(
    {
      blob_id: text("Blob", "Names the bytes."),
      mime_type: text("Media type", "What the bytes are."),
      size_bytes: count("Size", "Bytes."),
      sha256: text("SHA-256", "Hex digest of the bytes."),
    },
    ["blob_id", "mime_type", "size_bytes", "sha256"],
  ),
  title,
  description,
});
