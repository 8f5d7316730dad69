// An MCP server with one tool that does nothing, written as in the SDK's guide: the yardstick for a tool call.
import { serve } from "@hono/node-server";
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { z } from "zod";

const inputSchema = z.object({ id: z.string() });

function newServer(): McpServer {
  const server = new McpServer({ name: "empty", version: "1" });
  server.registerTool("empty", { description: "Does nothing", inputSchema }, () => ({
    content: [{ type: "text", text: "ok" }],
  }));
  return server;
}

const modern = createMcpHandler(newServer, { legacy: "reject" });

/** No sessions, and responses are one JSON body, as on our server: an event stream would cost more. */
async function legacy(request: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = newServer();
  await server.connect(transport);
  const response = await transport.handleRequest(request);
  await server.close();
  return response;
}

const app = new Hono();
app.all("/mcp", async ({ req: { raw } }) => ((await isLegacyRequest(raw)) ? legacy(raw) : modern.fetch(raw)));

serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`ready http://127.0.0.1:${port}`),
);
process.once("SIGTERM", () => process.exit(0));
