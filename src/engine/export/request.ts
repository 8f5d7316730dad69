// Opens an export query from its handle, checks it under the caller's Scope, and seals it into a handle again.
import type { KeyObject } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import { formatHandle, parseHandle } from "../../contract/handle.ts";
import { EXPORT } from "../../contract/limits.ts";
import type { ExportQuery } from "../../contract/read.ts";
import type { JsonValue } from "../../contract/record.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import { type Predicate, predicatesOf } from "../../core/filter.ts";
import { compilePlan, type Plan } from "../../core/plan.ts";
import { type ScopeRow, theRow } from "../../core/scope.ts";
import type { Caller } from "../caller.ts";
import { type Order, orderOf } from "../read/records.ts";

/** A query with exactly one source. */
export interface SourcedQuery extends Omit<ExportQuery, "handle"> {
  stream: string;
  connection_id: string;
}

export interface ExportRequest {
  query: SourcedQuery;
  row: ScopeRow;
  plan: Plan;
  where: readonly Predicate[];
  order: Order;
}

interface ExportCaller {
  caller: Caller;
  key: KeyObject;
}

/** A handle carries no authority: its query is checked as if it had just been sent (L-06). */
export function exportRequest({ caller, key }: ExportCaller, asked: ExportQuery): ExportRequest {
  const { handle, ...plain } = asked;
  const { stream, ...query } = handle === undefined ? plain : opened(key, handle, plain);
  if (stream === undefined) {
    throw new PdppError("invalid_request", "specify the stream to export, or a handle", {
      param: "stream",
      next_step: "Call GET /v1/schema to see which streams there are.",
    });
  }
  const row = theRow(caller.scope, stream, query.connection_id);
  const plan = compilePlan(row, query);
  const where = predicatesOf(row, query.filter);
  const order = orderOf(plan, query);
  return { query: { stream, ...query, connection_id: row.stream.connectionId }, row, plan, where, order };
}

function opened(key: KeyObject, handle: string, beside: ExportQuery): ExportQuery {
  const parsed = parseHandle(handle);
  if (parsed.kind !== "export") {
    throw new PdppError("invalid_request", `${JSON.stringify(handle.slice(0, 200))} is not an export handle`, {
      param: "handle",
      next_step: "Use a handle that begins with pdpp://export/, or give stream and connection_id.",
    });
  }
  const query = openCursor(key, BINDING, parsed.sealed) as unknown as ExportQuery;
  const { connection_id, ...rest } = beside;
  const extra = Object.entries(rest).find(([, value]) => value !== undefined)?.[0];
  if (extra !== undefined) {
    throw new PdppError("invalid_request", `${extra} is already in the handle; use one or the other`, {
      param: extra,
    });
  }
  if (connection_id !== undefined && connection_id !== query.connection_id) {
    throw new PdppError("invalid_request", `the handle belongs to the connection ${query.connection_id}`, {
      param: "connection_id",
      next_step: "Omit connection_id; the handle contains it.",
    });
  }
  return query;
}

/** Not bound to a caller: each use is checked against the caller's own grant. */
const BINDING = { space: "export", within: null, query: null } as const;

export function exportHandleOf(key: KeyObject, query: SourcedQuery): string {
  const handle = formatHandle({ kind: "export", sealed: sealCursor(key, BINDING, query as unknown as JsonValue) });
  if (handle.length <= EXPORT.handleMax) return handle;
  throw new PdppError("resource_limit", "the query is too long for a handle", {
    next_step: "Send it as the body of POST /v1/exports.",
  });
}
