// What a tool is: its definition, and a run from arguments to both halves of a result.

import type { ReadClient } from "../../contract/read-client.ts";
import type { JsonObject } from "../../contract/record.ts";

export interface ToolContext {
  client: ReadClient;
  /** Where people open what a result names. */
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

/** `tool({"stream":"notes"})`: a call as a model can make it. */
export function callText(tool: string, args: object): string {
  return `${tool}(${JSON.stringify(args)})`;
}
