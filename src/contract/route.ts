// The REST route of a call: its address, and where each member of the query is sent.
import type { z } from "zod";

export type ParameterKind = "text" | "integer" | "boolean" | "list" | "filter" | "limits";

/** A route as a call declares it. */
export interface RouteFacts {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` segments become members of the query. */
  path: string;
  summary: string;
  /** How the body joins the query: merged into it, or as one member of it. Without a body the query string has the rest. */
  body?: "merge" | { member: string };
  /** Other names that members of a merged body may have, for clients of the reference (C-08). */
  aliases?: Readonly<Record<string, string>>;
  /** Members that the query string has beside a merged body. */
  inQuery?: readonly string[];
  status?: number;
  /** The parts of the request beside its body, when the handler of a streaming route completes the query. */
  schema?: z.ZodObject;
  /** Routes that stream have their own handler. */
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

/** A route with all that follows from its call. */
export interface Route extends RouteFacts {
  access: "app" | "owner" | "anyone";
  schema: z.ZodObject;
  parameters: Readonly<Record<string, ParameterKind>>;
}

/** The members of a query that are in the query string, each with the way it is written there. */
export function parametersOf(
  { path, body, inQuery = [] }: RouteFacts,
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
