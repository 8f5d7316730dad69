// Reads a window of one field.
import type { FieldWindow } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import { formatHandle, partTemplate, type WindowHandle } from "../../contract/handle.ts";
import type { WindowQuery } from "../../contract/read.ts";
import type { JsonObject } from "../../contract/record.ts";
import { openCursor, revisionOf, sealCursor } from "../../core/cursor.ts";
import { compilePlan, requireField } from "../../core/plan.ts";
import { theRow } from "../../core/scope.ts";
import { cutWindow, fieldText } from "../../core/window.ts";
import { type Answer, type ReadContext, sourceIdentity } from "./context.ts";
import { findRecord } from "./record.ts";

export async function readWindow(context: ReadContext, query: WindowQuery): Promise<Answer> {
  const row = theRow(context.caller.scope, query.stream, query.connection_id);
  const { field, pointer } = query;
  refuseContradictions(query);
  requireField(row, field, "field");
  const plan = compilePlan(row, { fields: [field] });
  const { revealed } = await findRecord(context, plan, query.id);
  const { text, type, parts } = fieldText(JSON.parse(revealed.data) as JsonObject, field, pointer);
  const revision = revisionOf(text);

  const binding = { space: "window", within: row, query: { id: query.id, field, pointer } } as const;
  const from =
    query.cursor === undefined
      ? undefined
      : (openCursor(context.key, binding, query.cursor) as [number, number, string]);
  const expected = query.revision ?? from?.[2];
  if (expected !== undefined && expected !== revision) {
    throw new PdppError("stale_handle", `${field} changed since revision ${JSON.stringify(expected)}`, {
      param: "revision",
    });
  }
  const window = cutWindow(text, {
    offset: from?.[0] ?? query.offset_chars,
    limit: query.limit_chars ?? from?.[1],
    q: query.q,
    before: query.before_chars,
    after: query.after_chars,
  });

  const { next_offset_chars: next, next_match_chars: nextMatch, limit_chars: limit } = window;
  const place: WindowHandle = {
    kind: "field-window",
    connection_id: row.stream.connectionId,
    stream: row.stream.name,
    id: query.id,
    field,
    ...(pointer === undefined ? {} : { pointer }),
    limit,
    revision,
  };
  const answer: FieldWindow = {
    object: "field_window",
    record_id: query.id,
    stream: row.stream.name,
    field: { path: field, ...(pointer === undefined ? {} : { pointer }), type, ...(window.complete ? {} : parts) },
    window,
    ...(next === undefined ? {} : { next_cursor: sealCursor(context.key, binding, [next, limit, revision]) }),
    revision,
    handle: formatHandle({ ...place, offset: window.start_chars }),
    ...(next === undefined ? {} : { next_handle: formatHandle({ ...place, offset: next }) }),
    ...(nextMatch === undefined
      ? {}
      : { next_match_handle: formatHandle({ ...place, limit: query.limit_chars, offset: nextMatch, q: query.q }) }),
    ...(parts === undefined || window.complete
      ? {}
      : { part_handle: partTemplate(place, parts.items === undefined ? "member" : "index") }),
    ...sourceIdentity(row),
  };
  return { body: JSON.stringify(answer), row, records: 1, ids: [place.id] };
}

function refuseContradictions(query: WindowQuery): void {
  const clash = (param: string, message: string) => new PdppError("invalid_window", message, { param });
  if (query.cursor !== undefined && (query.offset_chars !== undefined || query.q !== undefined)) {
    throw clash("cursor", "cursor already says where to continue; omit offset_chars and q");
  }
  if (query.q === undefined && (query.before_chars !== undefined || query.after_chars !== undefined)) {
    throw clash("before_chars", "before_chars and after_chars apply only to q");
  }
}
