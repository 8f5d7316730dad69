// Declarations of the demo's sources: the publisher, and fields that only they have.
import type { JsonSchema, SourceDeclaration } from "../contract/declaration.ts";
import * as core from "../core/declare.ts";

const FROM = { sources: "https://pdpp.dev/connectors", publisher: "https://postern.example" };

export const declareSource = (connectorKey: string, name: string, streams: core.DeclaredStream[]): SourceDeclaration =>
  core.declareSource(connectorKey, name, streams, FROM);

const count = (title: string, description: string): JsonSchema => ({
  type: "integer",
  minimum: 0,
  title,
  description,
});

/** An object inside a record; every field is required unless `optional` names it. */
const object = (properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema =>
  core.field.object(
    properties,
    Object.keys(properties).filter((name) => !optional.includes(name)),
  );

export const field = {
  ...core.field,
  count,
  object,
  nullable: (inner: JsonSchema): JsonSchema => ({ ...inner, type: [inner.type as string, "null"] }),
  currency: {
    type: "string",
    pattern: "^[A-Z]{3}$",
    title: "Currency",
    description: "ISO 4217 code.",
  } satisfies JsonSchema,
};
