// OpenAPI pieces shared by the operations of both lenses.
import { z } from "zod";
import { PROTOCOL_VERSION } from "../../contract/limits.ts";
import type { ParameterKind } from "../../contract/route.ts";

export interface Schema {
  properties?: Record<string, object>;
  required?: string[];
  [keyword: string]: unknown;
}

/** OpenAPI 3.1 needs no schema for bytes, but every generator understands this one. */
export const BYTES = { "*/*": { schema: { type: "string", format: "binary" } } };
export const header = (description: string) => ({ description, schema: { type: "string" } });
export const jsonContent = (schema: object) => ({ "application/json": { schema } });
export const VERSION_HEADER = {
  name: "PDPP-Version",
  in: "header",
  schema: { type: "string", const: PROTOCOL_VERSION },
};

export interface OperationParts {
  schema: Schema;
  /** Path and query parameters. */
  parameters: object[];
  /** Query fields that are sent in the body. */
  inBody: string[];
}

/** Decides where each query field is sent. */
export function placed(route: {
  path: string;
  schema: z.ZodObject;
  parameters: Readonly<Record<string, ParameterKind>>;
}): OperationParts {
  const schema = z.toJSONSchema(route.schema, { io: "input", unrepresentable: "any" }) as Schema;
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const inQuery = Object.keys(route.parameters);
  const isDeep = (name: string): boolean => ["filter", "limits"].includes(route.parameters[name]!);
  return {
    schema,
    parameters: [
      ...inPath.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...inQuery.map((name) => ({
        name,
        in: "query",
        required: schema.required?.includes(name) ?? false,
        ...(isDeep(name) ? { style: "deepObject", explode: true } : {}),
        schema: schema.properties?.[name] ?? {},
      })),
    ],
    inBody: Object.keys(schema.properties ?? {}).filter((name) => !inPath.includes(name) && !inQuery.includes(name)),
  };
}

/** Describes bytes that can be requested in ranges. */
export function rangedBytes(status: string, words: { all: string; etag: string }): Record<string, object> {
  const headers = { ETag: header(words.etag), "Accept-Ranges": header("bytes") };
  const range = { "Content-Range": header("The range of bytes, and the total") };
  return {
    [status]: { description: words.all, headers, content: BYTES },
    206: { description: "The bytes of the requested Range", headers: { ...headers, ...range }, content: BYTES },
    416: { description: "The Range is outside the file; there is no body", headers: { ...headers, ...range } },
  };
}
