// Short words for writing source declarations.
import type { JsonSchema, RangeOperator, SourceDeclaration, StreamDeclaration } from "../contract/declaration.ts";

export function declareSource(connectorKey: string, name: string, streams: StreamDeclaration[]): SourceDeclaration {
  return {
    protocol_version: "0.1.0",
    source: { kind: "connector", id: `https://pdpp.dev/connectors/${connectorKey}` },
    declaration_version: "1.0.0",
    publisher: { id: "https://postern.example" },
    display: { name },
    streams,
  };
}

/** A record's schema. Only the key is required: what a schema requires, no grant can leave out. */
export function schema(title: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    type: "object",
    additionalProperties: false,
    properties,
    required: ["id"],
  };
}

/** An object inside a record; every field is required unless `optional` names it. */
export function object(properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

export const text = (title: string, description: string): JsonSchema => ({ type: "string", title, description });
export const instant = (title: string, description: string): JsonSchema => ({
  type: "string",
  format: "date-time",
  title,
  description,
});
export const date = (title: string, description: string): JsonSchema => ({
  type: "string",
  format: "date",
  title,
  description,
});
/** An amount of money, two decimals; no multipleOf, which binary fractions do not satisfy. */
export const money = (title: string, description: string): JsonSchema => ({
  type: "number",
  title,
  description,
});
export const count = (title: string, description: string): JsonSchema => ({
  type: "integer",
  minimum: 0,
  title,
  description,
});
export const flag = (title: string, description: string): JsonSchema => ({ type: "boolean", title, description });
export const choice = (title: string, description: string, values: readonly string[]): JsonSchema => ({
  type: "string",
  enum: [...values],
  title,
  description,
});
export const list = (title: string, description: string, items: JsonSchema): JsonSchema => ({
  type: "array",
  title,
  description,
  items,
});
export const nullable = (inner: JsonSchema): JsonSchema => ({ ...inner, type: [inner.type as string, "null"] });

export const currency: JsonSchema = {
  type: "string",
  pattern: "^[A-Z]{3}$",
  title: "Currency",
  description: "ISO 4217 code.",
};

export function blobRef(title: string, description: string): JsonSchema {
  const fields = {
    blob_id: text("Blob id", "Names the bytes."),
    mime_type: text("Media type", "What the bytes are."),
    size_bytes: count("Size", "Bytes."),
    sha256: text("SHA-256", "Hex digest of the bytes."),
  };
  return { ...object(fields), title, description };
}

/** All four range operators on each field. */
export function ranges(...fields: string[]): Record<string, RangeOperator[]> {
  return Object.fromEntries(fields.map((field) => [field, ["gte", "gt", "lte", "lt"] satisfies RangeOperator[]]));
}

export const selectable = { fields: true, resources: true };
