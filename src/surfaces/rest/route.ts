// What a route is: method, path, parameters and the engine call behind it.
import type { z } from "zod";
import type { MethodName } from "../../engine/methods.ts";
import type { ParameterKind } from "../http/parameters.ts";

export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` segments become members of the query. */
  path: string;
  summary: string;
  /** anyone: no token is needed, and none is looked at. */
  access: "grant" | "owner" | "anyone";
  call: MethodName;
  schema: z.ZodObject;
  parameters: Readonly<Record<string, ParameterKind>>;
  /** How the body joins the query: merged into it, or as one member of it. */
  body?: "merge" | { member: string };
  status?: number;
  /** Routes that stream have a handler of their own. */
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

/** Parameters of every route that can be told which connection is meant. */
export const connection = { connection_id: "text" } as const;
