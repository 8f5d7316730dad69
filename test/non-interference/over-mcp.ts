// A world read through the MCP tools: the same calls, with text and data of each result compared.
import { formatHandle } from "../../src/contract/handle.ts";
import type { ReadClient } from "../../src/contract/read-client.ts";
import type { JsonObject } from "../../src/contract/record.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools.ts";
import type { Connected } from "./compare.ts";
import { inProcess, type Reality } from "./reader.ts";

export async function overMcp(reality: Reality, token: string): Promise<Connected> {
  const engine = inProcess(reality, token);
  const client = new Proxy({} as ReadClient, {
    get: (_target, method) => async (query: Record<string, unknown>) => JSON.parse(await engine(String(method), query)),
  });
  return {
    async ask(method, query) {
      const call = toolCall(method, query);
      if (call === undefined) return engine(method, query);
      const tool = TOOLS.find(({ definition }) => definition.name === call.tool)!;
      const { text, structured } = await tool.run({ client, origin: "http://127.0.0.1:1" }, call.args as JsonObject);
      return JSON.stringify({ object: "list", ...structured, text });
    },
    close: async () => undefined,
  };
}

interface Asked extends Record<string, unknown> {
  stream: string;
  connection_id?: string;
  id: string;
  field: string;
  limit_chars?: number;
  offset_chars?: number;
}

/** Returns undefined if no tool reads this, or if its handle needs a connection and none is given. */
function toolCall(method: string, query: Record<string, unknown>): { tool: string; args: object } | undefined {
  const {
    stream,
    connection_id,
    id,
    field,
    limit_chars,
    offset_chars,
    facets: _facets,
    cursors: _cursors,
    q,
    ...rest
  } = query as Asked;
  const place = { stream, ...(connection_id === undefined ? {} : { connection_id }) };
  if (method === "search") return { tool: "search", args: { ...rest, query: q, connection_id } };
  if (method === "records") return { tool: "query_records", args: { ...place, ...rest } };
  if (method === "aggregate") return { tool: "aggregate", args: query };
  if (connection_id === undefined) return undefined;
  if (method === "record") {
    const handle = formatHandle({ kind: "record", connection_id, stream, id });
    return { tool: "fetch", args: { ...rest, id: handle } };
  }
  if (method === "window") {
    const window = { limit: limit_chars, offset: offset_chars, q: q as string | undefined };
    return {
      tool: "fetch",
      args: { id: formatHandle({ kind: "field-window", connection_id, stream, id, field, ...window }) },
    };
  }
  return undefined;
}
