// What a route of /api is: method, path, parameters, the power it takes, and what answers it.
import type { z } from "zod";
import type { Explanation } from "../../contract/file-report-answers.ts";
import type { ParameterKind } from "../../contract/route.ts";
import type { ConnectedRoot } from "../../files/shell/connected-roots.ts";
import type { FileCall, Needs, Told } from "../../files/shell/file-call.ts";
import type { Rows } from "./rows.ts";

/** A file that is about to leave. */
export interface Wanted {
  indexId: string;
  nodeId: string;
  root: ConnectedRoot;
}

interface Takes<S extends z.ZodObject> {
  schema: S;
  /** In the query string. */
  parameters: Readonly<Record<string, ParameterKind>>;
  /** A JSON object joins the query; `empty` may be left out. */
  body?: "needed" | "empty";
}

interface Answers<Query> {
  answer?(call: FileCall, query: Query): Promise<Told<object>>;
  /** format=csv and jsonl: all of it, as a file. */
  rows?(call: FileCall, query: Query): Promise<Rows>;
  /** format=explain: how it would be found out; nothing is. */
  explain?(call: FileCall, query: Query): Promise<Told<Explanation>>;
  /** Bytes of a file instead of an answer. */
  download?(call: FileCall, query: Query): Promise<Wanted>;
}

interface Named<Call extends string> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `{name}` segments become members of the query. */
  path: string;
  summary: string;
  /** Its name in OpenAPI. */
  call: Call;
  /** Its word in the log. */
  action: string;
  needs: Needs;
  status?: number;
}

export type FileRoute<Call extends string = string> = Named<Call> & Takes<z.ZodObject> & Answers<never>;

/** Its answers take what its schema lets through. */
export const route = <const Call extends string, S extends z.ZodObject>(
  made: Named<Call> & Takes<S> & Answers<z.infer<S>>,
): FileRoute<Call> => made;

export const paged = { limit: "integer", cursor: "text" } as const;
