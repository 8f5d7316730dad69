// A tool: its definition, and a handler that turns arguments into both halves of a result.

import type { ReadClient } from "../../contract/read-client.ts";
import type { JsonObject } from "../../contract/record.ts";

export interface ToolContext {
  client: ReadClient;
  /** The origin for links that people open. */
  origin: string;
  requestId?: string;
}

/** Prose and data, each complete on its own. */
export interface ToolResult {
  text: string;
  structured: object;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, object>; required?: string[]; additionalProperties: false };
}

export interface Tool {
  definition: ToolDefinition;
  run(context: ToolContext, args: JsonObject): Promise<ToolResult>;
}

/** A longer call is described in words, because cursors and filters would fill the result. */
const CALL_MAX = 700;

/** Formats a call that a model can make: `tool({"stream":"notes"})`. */
export function callText(tool: string, args: object): string {
  const call = `${tool}(${JSON.stringify(args)})`;
  if (call.length <= CALL_MAX) return call;
  const short = Object.entries(args).filter(([, value]) => JSON.stringify(value).length <= CALL_MAX / 7);
  return `${tool} with ${JSON.stringify(Object.fromEntries(short))} and the longer arguments as before`;
}
