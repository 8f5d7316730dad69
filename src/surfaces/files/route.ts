// A route of /api: method, path, parameters, the power it requires, and its handler.
import type { z } from "zod";
import type { Explanation } from "../../contract/file-report-answers.ts";
import { type ParameterKind, parametersOf } from "../../contract/route.ts";
import type { ConnectedRoot } from "../../files/shell/connected-roots.ts";
import type { FileAnswer, FileCall, Needs } from "../../files/shell/file-call.ts";
import type { ReportRows } from "./rows.ts";

/** A file that is about to be sent. */
export interface WantedNode {
  indexId: string;
  nodeId: string;
  root: ConnectedRoot;
}

interface Takes<S extends z.ZodObject> {
  schema: S;
  /** A JSON object joins the query; `empty` may be omitted. Without a body, the query string has the members. */
  body?: "needed" | "empty";
}

interface FileHandlers<Query> {
  answer?(call: FileCall, query: Query): Promise<FileAnswer<object>>;
  /** format=csv and jsonl: all of it, as a file. */
  rows?(call: FileCall, query: Query): Promise<ReportRows>;
  /** format=explain: how the answer would be found, without executing it. */
  explain?(call: FileCall, query: Query): Promise<FileAnswer<Explanation>>;
  /** Bytes of a file instead of an answer. */
  download?(call: FileCall, query: Query): Promise<WantedNode>;
}

interface NamedRoute<Call extends string> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `{name}` segments become members of the query. */
  path: string;
  summary: string;
  /** Its name in OpenAPI. */
  call: Call;
  /** Its name in the log. */
  action: string;
  needs: Needs;
  status?: number;
}

export type FileRoute<Call extends string = string> = NamedRoute<Call> &
  Takes<z.ZodObject> &
  FileHandlers<never> & {
    /** In the query string. */
    parameters: Readonly<Record<string, ParameterKind>>;
  };

/** Its answers receive what its schema accepts. The format of an answer is never in the body. */
export const route = <const Call extends string, S extends z.ZodObject>(
  made: NamedRoute<Call> & Takes<S> & FileHandlers<z.infer<S>>,
): FileRoute<Call> => ({
  ...made,
  parameters: parametersOf({ path: made.path, ...(made.body && { body: "merge" }), inQuery: ["format"] }, made.schema),
});
