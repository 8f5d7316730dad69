// An /api route: method, path, parameters, the power it requires, and its handler.
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
  /**
   * A JSON object that is merged into the query; `empty` means that it may be omitted. Without this, all fields are in
   * the query string.
   */
  body?: "needed" | "empty";
}

interface FileHandlers<Query> {
  answer?(call: FileCall, query: Query): Promise<FileAnswer<object>>;
  /** format=csv or jsonl: returns everything as a file. */
  rows?(call: FileCall, query: Query): Promise<ReportRows>;
  /** format=explain: describes how the result would be computed, without executing the query. */
  explain?(call: FileCall, query: Query): Promise<FileAnswer<Explanation>>;
  /** Sends a file's bytes instead of JSON. */
  download?(call: FileCall, query: Query): Promise<WantedNode>;
}

interface NamedRoute<Call extends string> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `{name}` segments become query fields. */
  path: string;
  summary: string;
  /** The operation name in OpenAPI. */
  call: Call;
  /** The action name in the log. */
  action: string;
  needs: Needs;
  status?: number;
}

export type FileRoute<Call extends string = string> = NamedRoute<Call> &
  Takes<z.ZodObject> &
  FileHandlers<never> & {
    /** Parameters in the query string. */
    parameters: Readonly<Record<string, ParameterKind>>;
  };

/** Handlers receive the query that the schema accepted. `format` is never in the body. */
export const route = <const Call extends string, S extends z.ZodObject>(
  made: NamedRoute<Call> & Takes<S> & FileHandlers<z.infer<S>>,
): FileRoute<Call> => ({
  ...made,
  parameters: parametersOf({ path: made.path, ...(made.body && { body: "merge" }), inQuery: ["format"] }, made.schema),
});
