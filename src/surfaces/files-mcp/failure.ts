// Turns shell errors into tool results: the error object that every surface uses, and the same in words with the next
// call.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { ERRORS, type ErrorBody, errorBody, PdppError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/record.ts";
import { failureText } from "../mcp/failure.ts";
import { ToolError } from "../mcp/next-step.ts";
import { plainData } from "../mcp/plain.ts";
import { callText } from "../mcp/tool.ts";

const MESSAGE_MAX = 1000;
/** A longer call is described in words. */
const CALL_MAX = 1000;

interface FailedCall {
  tool: string;
  args: JsonObject;
  origin: string;
  requestId?: string;
}

export function shellFailureBody(error: PdppError, call: FailedCall): ErrorBody {
  const details = { ...error.details, next_step: nextCall(error, call) };
  const spoken = new PdppError(error.code, error.message.slice(0, MESSAGE_MAX), details);
  return plainData(errorBody(spoken, call.requestId));
}

export function shellFailure(error: PdppError, call: FailedCall): CallToolResult {
  const body = shellFailureBody(error, call);
  return { content: [{ type: "text", text: failureText(body) }], structuredContent: { error: body }, isError: true };
}

function nextCall(error: PdppError, { tool, args, origin }: FailedCall): string {
  const own = error.details.next_step;
  if (error instanceof ToolError && own !== undefined) return own;
  const { cursor: _cursor, ...uncut } = args;
  switch (error.code) {
    case "invalid_cursor":
    case "cursor_expired":
      return `${again(tool, uncut)} starts again; a cursor works only with the list that returned it.`;
    case "node_not_found":
      return `${callText("cd", { path: "." })} lists the current directory and its nodeIds.`;
    case "authentication_error":
    case "token_expired":
    case "grant_expired":
    case "grant_revoked":
    case "grant_consumed":
    case "grant_invalid":
      return `Sign in again at ${origin}/files/mcp; the owner approves.`;
    default:
      // A route in the message is replaced by a tool call.
      return own === undefined || own.includes("GET /") ? (stepFor(error.code) ?? own ?? ERRORS[error.code].next) : own;
  }
}

function again(tool: string, args: JsonObject): string {
  const call = callText(tool, args);
  return call.length <= CALL_MAX ? call : `The same ${tool} call without cursor`;
}

function stepFor(code: PdppError["code"]): string | undefined {
  return code === "not_found" || code === "root_not_allowed"
    ? `${callText("cd", { path: "/" })} lists the roots that you can read.`
    : undefined;
}
