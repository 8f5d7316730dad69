// Turns errors into tool results: the error object that every surface uses, and the same in words with the exact next
// call.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ErrorBody, errorBody, PdppError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/record.ts";
import { plainLine } from "../../core/unsafe-characters.ts";
import { nextStep } from "./next-step.ts";
import { plainData, quoted } from "./plain.ts";

/**
 * An error can contain arguments. They are limited in length and kept on one line, so that they cannot be mistaken for
 * one of our own lines.
 */
const LINE_MAX = 1000;
const PARAM_MAX = 200;

export interface FailedCall {
  tool: string;
  args: JsonObject;
  requestId?: string;
  origin: string;
}

export function failureResult(error: PdppError, call: FailedCall): CallToolResult {
  const body = failureBody(error, call);
  return { content: [{ type: "text", text: failureText(body) }], structuredContent: { error: body }, isError: true };
}

export function failureBody(error: PdppError, call: FailedCall): ErrorBody {
  const { param } = error.details;
  const details = {
    ...error.details,
    // Query strings write `filter[sent_at][gte]`; a tool call writes a field of an object.
    ...(param === undefined ? {} : { param: param.replace(/\[([^\]]+)\]/g, ".$1").slice(0, PARAM_MAX) }),
    next_step: nextStep(error, call),
  };
  const spoken = new PdppError(error.code, error.message.slice(0, LINE_MAX), details);
  return plainData(errorBody(spoken, call.requestId));
}

export function failureText(body: ErrorBody): string {
  const lines = [`Error ${body.code}: ${plainLine(body.message, LINE_MAX)}`];
  if (body.param !== undefined) lines.push(`param: ${plainLine(body.param, LINE_MAX)}`);
  if (body.why !== undefined) lines.push(`why: ${JSON.stringify(body.why)}`);
  if (body.retry_with !== undefined) lines.push(`retry_with: ${body.retry_with}`);
  const { available_connections: choices = [], available_connections_total: total = 0 } = body;
  if (choices.length > 0) {
    lines.push(
      `available_connections (${choices.length} of ${total}, truncated: ${body.available_connections_truncated}):`,
    );
    for (const { connection_id, connector_key, display_name, grant_id } of choices) {
      lines.push(
        `- ${connection_id} ${quoted(display_name)}, connector_key ${connector_key}, ${grant_id ?? "no grant"}`,
      );
    }
  }
  lines.push(`Next: ${plainLine(body.next_step ?? "", LINE_MAX)}`);
  if (body.doc_url !== undefined)
    lines.push(`type ${body.type}; ${body.doc_url}; request_id ${body.request_id ?? "none"}`);
  return lines.join("\n");
}
