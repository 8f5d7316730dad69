// A scripted client of /files/mcp: it sends one request per call and returns text and data.
import type { Loose } from "../harness.ts";
import { MCP_HEADERS, type Result } from "../mcp.ts";

export type ShellCall = (name: string, args?: object, meta?: object) => Promise<Result>;

export const shellClient =
  (url: string, token: string, headers: Record<string, string> = {}): ShellCall =>
  async (name, args = {}, meta) => {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    const response = await fetch(`${url}/files/mcp`, {
      method: "POST",
      headers: { ...MCP_HEADERS, ...headers, Authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const { result, ...rest } = (await response.json()) as Loose;
    if (result === undefined) throw new Error(JSON.stringify(rest));
    return { ...result, text: result.content[0].text };
  };
