// Finds the next valid call after an error, in terms of tools and arguments instead of routes and parameters (L-14).
import { ERRORS, type ErrorCode, PdppError } from "../../contract/errors.ts";
import { formatHandle, type Handle, parseHandle } from "../../contract/handle.ts";
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { callText } from "./tool.ts";

/** An error created here, whose next step already mentions tools. */
export class ToolError extends PdppError {}

interface Failed {
  tool: string;
  args: JsonObject;
  origin: string;
}

export function nextStep(error: PdppError, failed: Failed): string {
  const own = error.details.next_step;
  if (error instanceof ToolError && own !== undefined) return own;
  return stepFor(error, failed) ?? own ?? ERRORS[error.code].next;
}

function stepFor(error: PdppError, { tool, args, origin }: Failed): string | undefined {
  const place = placeOf(args);
  const schemaCall = callText("schema", place);
  const without = (...names: string[]) =>
    callText(tool, Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name))));
  const { cursor: _cursor, ...uncut } = args;
  const fromBeginning = `${callText(tool, { ...uncut, changes_since: "beginning" })} starts over.`;
  const reconnect = `Connect this server again (\`pdpp connect ${origin}\`) and ask its owner for a new grant.`;
  const steps: Partial<Record<ErrorCode, () => string | undefined>> = {
    ambiguous_connection: () => {
      const first = error.details.available_connections?.[0]?.connection_id;
      const again = first === undefined ? "" : ` e.g. ${callText(tool, { ...args, connection_id: first })};`;
      const all = (error.details.next_step ?? "").includes("connection_id=all")
        ? ` ${callText(tool, { ...args, connection_id: "all" })} reads all of them together;`
        : "";
      return `Call again with one connection_id,${again}${all} schema({}) lists every connection.`;
    },
    invalid_cursor: () =>
      error.details.param === "changes_since"
        ? fromBeginning
        : `${without("cursor")} starts again; a cursor works only with the arguments that returned it.`,
    cursor_expired: () => fromBeginning,
    invalid_filter: () => filterStep(error, tool, args, place),
    invalid_sort: () => `${schemaCall} lists the fields to sort by.`,
    invalid_expand: () =>
      `${schemaCall} lists the relations to expand; without them: ${without("expand", "expand_limit")}.`,
    unknown_field: () => `${schemaCall} lists the fields.`,
    field_not_granted: () => `Leave the field out; ${schemaCall} lists the granted fields.`,
    grant_stream_not_allowed: () => "schema({}) lists the granted streams.",
    connection_not_found: () => "schema({}) lists the granted connections.",
    grant_time_range_exceeded: () => `Stay inside the granted time range; ${schemaCall} shows it.`,
    not_found: () => notFound(error, args, place),
    field_not_found: () => recordCall(args, "shows the record's fields."),
    field_not_text: () => recordCall(args, "shows the value."),
    blob_not_found: () => "fetch the record that refers to the blob; its metadata has the blob's id.",
    stale_handle: () => windowCall(args, "reads the current text."),
    invalid_window: () => windowCall(args, "reads from the beginning."),
    invalid_request: () =>
      args.id === undefined
        ? corrected(error, schemaCall)
        : `fetch takes an id that search, query_records or another fetch returned, e.g. {"id":"CONNECTION/STREAM:ID"}.`,
    authentication_error: () => reconnect,
    token_expired: () => reconnect,
    grant_expired: () => reconnect,
    grant_revoked: () => reconnect,
    grant_consumed: () => reconnect,
    grant_invalid: () => reconnect,
  };
  return steps[error.code]?.();
}

/** Suggests the same condition in a form that the field supports, and says where the supported forms are listed. */
function filterStep(
  { details: { param = "", next_step = "" } }: PdppError,
  tool: string,
  args: JsonObject,
  place: JsonObject,
): string {
  const where = `${callText("schema", place)} shows which filters each field takes`;
  const [, field, operator] = /^filter\[(.+?)\](?:\[(\w+)\])?$/.exec(param) ?? [];
  const filter = (args.filter ?? {}) as JsonObject;
  const condition = field === undefined ? undefined : filter[field];
  if (field === undefined || condition === undefined) return `${where}.`;
  if (next_step.includes("[contains]="))
    return `${callText(tool, { ...args, filter: { ...filter, [field]: { contains: condition } } })}; ${where}.`;
  const value = operator === undefined ? condition : (condition as JsonObject)[operator];
  if (operator !== undefined && value !== undefined && !Array.isArray(value)) {
    const exact = { ...filter, [field]: { in: [value] } };
    return `${where}. With exact values: ${callText(tool, { ...args, filter: exact })}.`;
  }
  const { [field]: _refused, ...rest } = filter;
  if (typeof value !== "string" || place.stream === undefined) return `${where}.`;
  const { stream, ...connection } = place;
  const others = Object.keys(rest).length === 0 ? {} : { filter: rest };
  const words = callText("search", { query: value, streams: [stream!], ...connection, ...others });
  return `${words} finds the words in text; ${where}.`;
}

/** Returns undefined if the engine's own text about a wrong argument can be used, because it mentions no routes. */
function corrected({ details: { param, next_step } }: PdppError, schemaCall: string): string | undefined {
  if (next_step !== undefined && !next_step.includes("GET /")) return undefined;
  return `Correct ${param ?? "the arguments"} and call again; ${schemaCall} shows what can be queried.`;
}

/** Returns the stream and connection of the call. */
function placeOf(args: JsonObject): JsonObject {
  const handle = handleIn(args);
  const named = handle !== undefined && "stream" in handle ? handle : undefined;
  const streams = Array.isArray(args.streams) && args.streams.length === 1 ? args.streams[0] : undefined;
  const stream = args.stream ?? streams ?? named?.stream;
  const connection_id = args.connection_id ?? named?.connection_id;
  return {
    ...(stream === undefined ? {} : { stream: stream as JsonValue }),
    ...(connection_id === undefined ? {} : { connection_id: connection_id as JsonValue }),
  };
}

function handleIn({ id }: JsonObject): Handle | undefined {
  if (typeof id !== "string") return undefined;
  try {
    return parseHandle(id);
  } catch {
    return undefined;
  }
}

function notFound(error: PdppError, args: JsonObject, place: JsonObject): string {
  if (args.id !== undefined && place.stream !== undefined)
    return `${callText("query_records", place)} lists the stream; search finds records by their words.`;
  return error.details.param === "stream" ? "schema({}) lists the streams." : "schema({}) lists what can be read.";
}

function recordCall(args: JsonObject, does: string): string | undefined {
  const handle = handleIn(args);
  if (handle?.kind !== "field-window") return undefined;
  const { connection_id, stream, id } = handle;
  return `${callText("fetch", { id: formatHandle({ kind: "record", connection_id, stream, id }) })} ${does}`;
}

function windowCall(args: JsonObject, does: string): string | undefined {
  const handle = handleIn(args);
  if (handle?.kind !== "field-window") return undefined;
  const { connection_id, stream, id, field, pointer } = handle;
  const fresh = formatHandle({
    kind: "field-window",
    connection_id,
    stream,
    id,
    field,
    ...(pointer === undefined ? {} : { pointer }),
  });
  return `${callText("fetch", { id: fresh })} ${does}`;
}
