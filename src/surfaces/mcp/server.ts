// One MCP server over a set of tools. /mcp, stdio and both protocol eras use the same factory.
import {
  type CallToolResult,
  type InputRequiredResult,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  SERVER_INFO_META_KEY,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../contract/record.ts";
import { quoted } from "./plain.ts";
import { callText, type ToolContext } from "./tool.ts";

/** A tool in protocol form. */
export interface ServedTool<C = ToolContext> {
  definition: ListedTool;
  call(context: C, args: JsonObject, request: ServerContext["mcpReq"]): Promise<CallToolResult | InputRequiredResult>;
}

/** A server's tools and resources. The gate defines its own in gate.ts; tests define others. */
export interface Surface<C = ToolContext> {
  name: string;
  title: string;
  version: string;
  instructions: string;
  tools: readonly ServedTool<C>[];
  resources: {
    listed: readonly Resource[];
    templates: readonly ResourceTemplateType[];
    read(context: C, uri: string): Promise<ReadResourceResult>;
  };
}

/** Lists change only with a release and are the same for everyone. Data is private. */
const LISTS = { ttlMs: 3_600_000, cacheScope: "public" } as const;
const READS = { ttlMs: 0, cacheScope: "private" } as const;

const ICON =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%208%208'%3E%3Cpath%20d='M1,8V4a3,3,0,0,1,6,0v4H5V4H3v4z'/%3E%3C/svg%3E";

/**
 * Never used, because this server does not elicit input. It is created once, because creating one costs more than a
 * call.
 */
const NO_VALIDATOR: ServerOptions["jsonSchemaValidator"] = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: "this server sends no requests to clients",
  }),
};

/**
 * Returns a function that creates a server for one exchange or one connection. Everything reusable is built only once,
 * here.
 */
export function serverFactory<C>(surface: Surface<C>): (context: C) => Server {
  const { name, title, version, instructions } = surface;
  const info = { name, title, version, icons: [{ src: ICON, mimeType: "image/svg+xml", sizes: ["any"] }] };
  const options: ServerOptions = {
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false, subscribe: false } },
    instructions,
    jsonSchemaValidator: NO_VALIDATOR,
    cacheHints: {
      "server/discover": LISTS,
      "tools/list": LISTS,
      "resources/list": LISTS,
      "resources/templates/list": LISTS,
      "resources/read": READS,
    },
  };
  // 2026-07-28 requires the server's name in every result. The icon is only in server/discover.
  const _meta = { [SERVER_INFO_META_KEY]: { name, version } };
  const named = <R extends object>(result: R, { envelope }: ServerContext["mcpReq"]): R =>
    envelope === undefined ? result : { ...result, _meta };
  const tools = surface.tools.map(({ definition }) => definition);
  const byName = new Map(surface.tools.map((tool) => [tool.definition.name, tool]));
  const resources = [...surface.resources.listed];
  const resourceTemplates = [...surface.resources.templates];
  return (context) => {
    const server = new Server(info, options);
    server.setRequestHandler("tools/list", (_request, { mcpReq }) => named({ tools }, mcpReq));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const tool = byName.get(params.name);
      if (tool === undefined) throw noTool(params.name, [...byName.keys()]);
      return named(await tool.call(context, (params.arguments ?? {}) as JsonObject, mcpReq), mcpReq);
    });
    server.setRequestHandler("resources/list", (_request, { mcpReq }) => named({ resources }, mcpReq));
    server.setRequestHandler("resources/templates/list", (_request, { mcpReq }) =>
      named({ resourceTemplates }, mcpReq),
    );
    server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) =>
      named(await surface.resources.read(context, params.uri), mcpReq),
    );
    return server;
  };
}

function noTool(name: string, known: readonly string[]): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `there is no tool ${quoted(name)}; the tools are ${known.join(", ")}. Start with ${callText(known[0]!, {})}.`,
  );
}
