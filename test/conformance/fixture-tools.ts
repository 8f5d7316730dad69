// The tools that the conformance suite calls: some resemble ours, and some are of kinds that the product does not need.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type CreateMessageResult,
  type ElicitResult,
  MissingRequiredClientCapabilityError,
} from "@modelcontextprotocol/server";
import { PdppError } from "../../src/contract/errors.ts";
import { servedTools } from "../../src/surfaces/mcp/served-tool.ts";
import type { ServedTool } from "../../src/surfaces/mcp/server.ts";
import type { Tool } from "../../src/surfaces/mcp/tool.ts";
import { CONTENT_TOOLS, text } from "./fixture-content.ts";
import { ELICITED } from "./fixture-forms.ts";

type Request = Parameters<ServedTool["call"]>[2];

const NOTHING = { type: "object", properties: {}, additionalProperties: false } as const;
const said = (words: string): CallToolResult => ({ content: [text(words)] });

export function fixtureTool(name: string, call: ServedTool["call"], inputSchema: object = NOTHING): ServedTool {
  return {
    definition: { name, description: `${name}, for the suite`, inputSchema: { type: "object", ...inputSchema } },
    call,
  };
}

/** Like the product's tools, these two return text and data, or a typed error. */
const OURS: readonly Tool[] = [
  {
    definition: { name: "test_simple_text", title: "Simple text", description: "Says a word", inputSchema: NOTHING },
    run: async () => ({ text: "This is a simple text response for testing.", structured: {} }),
  },
  {
    definition: { name: "test_error_handling", title: "Error", description: "Always fails", inputSchema: NOTHING },
    run: async () => {
      throw new PdppError("invalid_request", "this tool always fails");
    },
  },
];

/** Returns the capabilities that the client declared in this request. */
export function declared(envelope: Request["envelope"]): ClientCapabilities {
  return (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

export interface Changes {
  tools(): void;
  prompts(): void;
}

export const fixtureTools = (changes: Changes): ServedTool[] => [
  ...servedTools(OURS, () => {}),
  ...Object.entries(CONTENT_TOOLS).map(([name, content]) => fixtureTool(name, async () => ({ content }))),
  fixtureTool("test_tool_with_progress", withProgress),
  fixtureTool("test_tool_with_logging", withLogs),
  fixtureTool("test_logging_tool", withLogs),
  fixtureTool("test_sampling", sample, { properties: { prompt: { type: "string" } }, required: ["prompt"] }),
  ...Object.entries(ELICITED).map(([name, requestedSchema]) =>
    fixtureTool(name, (_context, { message }, request) => elicit(request, String(message ?? name), requestedSchema), {
      properties: { message: { type: "string" } },
    }),
  ),
  fixtureTool("test_missing_capability", async (_context, _args, { envelope }) => {
    if (declared(envelope).sampling === undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }
    return said("sampling is there");
  }),
  fixtureTool("test_trigger_tool_change", async () => {
    changes.tools();
    return said("changed");
  }),
  fixtureTool("test_trigger_prompt_change", async () => {
    changes.prompts();
    return said("changed");
  }),
];

const withProgress: ServedTool["call"] = async (_context, _args, request) => {
  const progressToken = request._meta?.progressToken;
  if (progressToken !== undefined) {
    for (const progress of [0, 50, 100]) {
      await request.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    }
  }
  return said("done");
};

const withLogs: ServedTool["call"] = async (_context, _args, request) => {
  for (const step of ["started", "working", "done"]) await request.log("info", step);
  return said("logged");
};

const sample: ServedTool["call"] = async (_context, { prompt }, request) => {
  const messages = [{ role: "user", content: { type: "text", text: String(prompt) } }];
  const params = { messages, maxTokens: 100 };
  const { content } = (await request.send({ method: "sampling/createMessage", params })) as CreateMessageResult;
  return said(`The model said ${JSON.stringify(content)}`);
};

async function elicit(request: Request, message: string, requestedSchema: object): Promise<CallToolResult> {
  const params = { message, requestedSchema };
  const { action, content } = (await request.send({ method: "elicitation/create", params })) as ElicitResult;
  return said(`action=${action}, content=${JSON.stringify(content)}`);
}
