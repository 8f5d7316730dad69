// The REST route of a call: its path, and where each field of the query is sent.
import type { z } from "zod";

export type ParameterKind = "text" | "integer" | "boolean" | "list" | "filter" | "limits";

/** A route as a call declares it. */
export interface RouteFacts {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` segments become fields of the query. */
  path: string;
  summary: string;
  /**
   * How the body becomes part of the query: it is merged into the query, or becomes one of its fields. Without a body,
   * the other fields are in the query string.
   */
  body?: "merge" | { member: string };
  /** Other names for fields of a merged body, for clients of the reference implementation (C-08). */
  aliases?: Readonly<Record<string, string>>;
  /** Fields that are in the query string in addition to a merged body. */
  inQuery?: readonly string[];
  status?: number;
  /** The schema of the request apart from its body, for streaming routes whose handler completes the query. */
  schema?: z.ZodObject;
  /** Streaming routes have their own handlers. */
  streams?:
    | "ingest"
    | "blob-upload"
    | "blob-download"
    | "export"
    | "export-download"
    | "import-upload"
    | "import-upload-state"
    | "job";
}

/** A route with everything that is derived from its call. */
export interface Route extends RouteFacts {
  access: "app" | "owner" | "anyone";
  schema: z.ZodObject;
  parameters: Readonly<Record<string, ParameterKind>>;
}

/** Returns the fields of a query that are in the query string, each with its encoding. */
export function parametersOf(
  { path, body, inQuery = [] }: Pick<RouteFacts, "path" | "body" | "inQuery">,
  schema: z.ZodObject,
): Record<string, ParameterKind> {
  const members = Object.entries(schema.shape).filter(
    ([name]) => !path.includes(`{${name}}`) && (body === undefined || inQuery.includes(name)),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, kindOf(member as z.ZodType)]));
}

function kindOf(member: z.ZodType): ParameterKind {
  const { def } = member as z.ZodType & { def: { type: string; innerType?: z.ZodType; valueType?: z.ZodType } };
  if (def.innerType !== undefined) return kindOf(def.innerType);
  if (def.type === "number") return "integer";
  if (def.type === "boolean") return "boolean";
  if (def.type === "array") return "list";
  if (def.type === "record") return kindOf(def.valueType!) === "integer" ? "limits" : "filter";
  return "text";
}
