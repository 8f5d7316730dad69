// A tool in protocol form: both halves of a result, or the error.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { PdppError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/record.ts";
import { failureResult } from "./failure.ts";
import type { ServedTool } from "./server.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { listed } from "./tools.ts";

export type OnFailure = (error: unknown, context: ToolContext) => void;

export function servedTools(tools: readonly Tool[], onFailure: OnFailure): ServedTool[] {
  const definitions = listed(tools);
  return tools.map((tool, index) => ({
    definition: definitions[index]!,
    call: (context, args) => answer(tool, context, args, onFailure),
  }));
}

async function answer(
  tool: Tool,
  context: ToolContext,
  args: JsonObject,
  onFailure: OnFailure,
): Promise<CallToolResult> {
  const { origin, requestId } = context;
  return resultOf(
    () => tool.run(context, args),
    (error) => onFailure(error, context),
    (typed) => failureResult(typed, { tool: tool.definition.name, args, origin, requestId }),
  );
}

/**
 * Returns a tool's result as text and structured content, or its typed error. Unexpected errors are reported only to
 * `onFailure`.
 */
export async function resultOf(
  run: () => Promise<{ text: string; structured: object }>,
  onFailure: (error: unknown) => void,
  failed: (typed: PdppError) => CallToolResult,
): Promise<CallToolResult> {
  try {
    const { text, structured } = await run();
    return { content: [{ type: "text", text }], structuredContent: structured as Record<string, unknown> };
  } catch (error) {
    if (error instanceof PdppError) return failed(error);
    onFailure(error);
    return failed(new PdppError("api_error", "something went wrong on this server; your request was valid"));
  }
}
